import type { Environment } from "../base/env.ts";
import type { HookScope } from "./hooks-contract.ts";

/** Something that an agent keeps in another form than pages. */
export interface StoredNote {
  readonly text: string;
  /** The file or database it lies in. */
  readonly path: string;
  /** What the agent calls it. */
  readonly heading?: string;
}

/** Where an agent takes memories that others publish: a block in a page that it gives its model by itself. */
export interface PublishPlace {
  /** The page; undefined if the agent has none in this scope. */
  page(scope: HookScope, env: Environment): string | undefined;
  /** What a new page begins with, if it needs a beginning; such a page is ours alone. */
  readonly front?: string;
}

/**
 * Where an agent's own memories lie, of a project and of its user. It only looks; nothing is thrown because of what lies
 * there.
 */
export interface AgentMemories {
  /** The pages of Markdown it gives its model by itself, whether or not they are there, and that it writes itself. */
  pages(scope: HookScope, env: Environment): readonly string[];
  /** What it keeps elsewhere. */
  notes?(scope: HookScope, env: Environment): Iterable<StoredNote>;
  readonly publish?: PublishPlace;
}

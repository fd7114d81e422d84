import type { HookScope } from "../../../agents/hooks-contract.ts";
import { type KeptNote, keptNotes, pageBehind } from "../../../agents/kept-notes.ts";
import type { Environment } from "../../../base/env.ts";
import { statOf } from "../../../base/folders.ts";
import { originsOf } from "../../../memory/agents/origin.ts";
import type { MemoryEntry } from "../../../memory/entry.ts";
import type { Memory } from "../../../memory/memory.ts";
import { printOf } from "../../../memory/print.ts";
import { blockText } from "../../../memory/publish/block-text.ts";
import { type LeftOut, publishableIn } from "../../../memory/publish/publishable.ts";
import { textOf as valueText } from "../../../memory/value.ts";
import { hasBlock, withBlock, withoutBlock } from "../../../model/marked-block.ts";
import { edit, forgetting, type SettingsChange } from "../install.ts";
import { type Place, placesOf } from "./place.ts";

const about = "memories";

/** Where memories are published, of whom. */
export interface PublishOptions {
  readonly to: readonly string[];
  readonly scope: HookScope;
  readonly env: Environment;
  /** The namespace of the project, or the user's. */
  readonly memory: Memory;
}

/** What becomes of one page. */
export interface PublishPlan {
  /** The agents it is for. */
  readonly names: readonly string[];
  readonly file: string;
  readonly published: readonly MemoryEntry[];
  readonly leftOut: readonly LeftOut[];
  /** Empty if the page says it already. */
  readonly changes: readonly SettingsChange[];
}

/** What publishing would do, page by page; without anything to publish, a block that is there goes. */
export async function planPublish(options: PublishOptions): Promise<readonly PublishPlan[]> {
  const { memory, scope, env } = options;
  const places = await placesOf(options.to, options);
  const { entries, leftOut } = await publishableIn(memory);
  const notes = await keptNotes(env);
  return places.map((place) => {
    const isThere = knowing(place, notes, env);
    const fresh = entries.filter((entry) => !isThere(entry));
    const { text, fitting } = blockText(fresh, scope);
    const left = [
      ...leftOut,
      ...entries.filter(isThere).map((entry) => ({ entry, why: "there" }) as const),
      ...fresh
        .filter((entry) => !fitting.includes(entry))
        .map((entry) => ({ entry, why: "room" }) as const),
    ];
    const { names, file } = place;
    const changes = text === "" ? removal(place, memory) : putting(place, scope, text);
    return { names, file, published: fitting, leftOut: left, changes };
  });
}

/** What taking published memories out again would do. */
export async function planUnpublish(options: PublishOptions): Promise<readonly PublishPlan[]> {
  return (await placesOf(options.to, options)).map((place) => {
    const { names, file } = place;
    return { names, file, published: [], leftOut: [], changes: removal(place, options.memory) };
  });
}

function putting(
  { names, file, front = "" }: Place,
  scope: HookScope,
  inner: string,
): readonly SettingsChange[] {
  const change = edit(names[0]!, file, (text) => withBlock(text === "" ? front : text, inner));
  // A page of a project is for everyone who has the project, as what git checks out is.
  const isNew = change.before === undefined && scope === "project";
  if (change.before === change.after) return [];
  return [{ ...change, about, ...(isNew && { mode: 0o644 }) }];
}

function removal({ names, file, front }: Place, { home }: Memory): readonly SettingsChange[] {
  const without = (text: string): string | undefined => {
    const rest = withoutBlock(text);
    return front !== undefined && rest.trim() === front.trim() ? undefined : rest;
  };
  return forgetting({ agent: names[0]!, file, home, about }, { isOurs: hasBlock, without });
}

/** Says of an entry whether the agents of a place know it already: it came from a page they read, or stands in one. */
function knowing(
  { read, names }: Place,
  notes: readonly KeptNote[],
  env: Environment,
): (entry: MemoryEntry) => boolean {
  const behind = (path: string): string =>
    statOf(path) === undefined ? path : (pageBehind(path, env) ?? path);
  const pages = new Set(read.flatMap((path) => [path, behind(path)]));
  const isRead = ({ agent, path }: { readonly agent: string; readonly path: string }): boolean =>
    names.includes(agent) || pages.has(path) || pages.has(behind(path));
  const standing = new Set(notes.filter(isRead).map(({ text }) => printOf(text)));
  return (entry) => originsOf(entry).some(isRead) || standing.has(printOf(valueText(entry.value)));
}

import { resolve } from "node:path";
import type { AgentEvent } from "../../agents/contract.ts";
import { limits } from "../../base/limits.ts";
import type { ToolDialect } from "../../model/tool-dialect.ts";
import type { FileAction } from "./file-act.ts";
import { sessionActs } from "./session-acts.ts";

/** How often a session did something with a file, and in which events. */
export interface FileUse {
  readonly count: number;
  /** The first ones; all are counted. */
  readonly events: readonly string[];
}

/** What a session did with one file. */
export interface SessionFile {
  readonly path: string;
  readonly read?: FileUse;
  readonly modified?: FileUse;
  readonly created?: FileUse;
  readonly deleted?: FileUse;
  /** Calls that changed nothing. */
  readonly failed?: FileUse;
  /** The name it has afterwards, where the session moved it. */
  readonly movedTo?: string;
}

interface Counted {
  readonly path: string;
  readonly uses: Map<FileAction | "failed", { count: number; readonly events: string[] }>;
  movedTo?: string;
}

/** The files a session read, modified, created and deleted, in the order they were first named. */
export async function sessionFiles(
  events: AsyncIterable<AgentEvent>,
  options: { readonly dialects: readonly ToolDialect[]; readonly cwd?: string | undefined },
): Promise<readonly SessionFile[]> {
  const files = new Map<string, Counted>();
  for await (const act of sessionActs(events, options)) {
    const folder = act.folder === undefined ? act.cwd : resolve(act.cwd ?? "/", act.folder);
    const place = (path: string): string => (folder === undefined ? path : resolve(folder, path));
    const path = place(act.path);
    const file: Counted = files.get(path) ?? { path, uses: new Map() };
    if (!files.has(path)) files.set(path, file);
    const wasThere = known.some((use) => file.uses.has(use)) || (act.textBefore ?? "") !== "";
    const kind = act.outcome === "done" ? actionOf(act.action, wasThere) : "failed";
    const use = file.uses.get(kind) ?? { count: 0, events: [] };
    file.uses.set(kind, use);
    use.count += 1;
    if (use.events.length < limits.reportedIds && use.events.at(-1) !== act.event) {
      use.events.push(act.event);
    }
    if (act.outcome === "done" && act.movedTo !== undefined) file.movedTo = place(act.movedTo);
  }
  return [...files.values()].map(({ uses, ...file }) => ({ ...file, ...Object.fromEntries(uses) }));
}

/** What a session does only with a file that is there. */
const known: readonly FileAction[] = ["created", "modified", "read"];

/** A whole file written where the session knew one already was a change. */
function actionOf(action: FileAction, wasThere: boolean): FileAction {
  return action === "created" && wasThere ? "modified" : action;
}

import type { FilePrint } from "../additions/added-file.ts";
import { removeEmpty } from "../additions/made-folders.ts";
import { exists } from "../base/disk.ts";
import { failpoint } from "../base/failpoint.ts";
import { asArray, asNumber, asString, isObject, type JsonObject } from "../base/json.ts";
import type { EventId, SessionStart } from "../model/event.ts";
import { Addition } from "./addition.ts";
import { isBelow } from "./bring-back.ts";
import { FileLog } from "./file-log.ts";
import type { Home } from "./home.ts";
import { type ImportSource, type StagedSession, settleImport, stageSession } from "./import.ts";
import { concludeIntention, type Intention } from "./intention.ts";
import { removeSessions, settleLeaving } from "./remove.ts";

/** One session of a group, ready to be brought in. */
export interface GroupedSession {
  readonly start: SessionStart;
  readonly source: ImportSource;
}

/** A group that was brought in. */
export interface ImportedGroup {
  readonly sessions: readonly { readonly session: string; readonly file: string }[];
  readonly events: number;
  /** The journal entry that undoes all of it. */
  readonly entry: EventId;
}

/**
 * Makes native sessions of many from one place, and one entry in the journal that `undo` takes back. All are staged, then
 * written down, then published: all of them or none, also where the process is killed.
 */
export async function importGroup(
  home: Home,
  from: string,
  sessions: AsyncIterable<GroupedSession>,
): Promise<ImportedGroup> {
  const addition = new Addition(home, "import", async (data) => removeGroup(home, data));
  return addition.during(async () => {
    const staged: StagedSession[] = [];
    try {
      for await (const { start, source } of sessions)
        staged.push(await stageSession(home, start, { ...source, staging: addition.staging }));
      const data = {
        from: { agent: "a web export", session: from },
        sessions: staged.map(placeOf),
      };
      addition.intend(data);
      for (const session of staged) session.publish();
      const events = staged.reduce((sum, { last }) => sum + last, 0);
      const entry = addition.record(data);
      return {
        sessions: data.sessions.map(({ session, file }) => ({ session, file })),
        events,
        entry,
      };
    } finally {
      for (const session of staged) session.abandon();
    }
  });
}

function placeOf({ session, last, print }: StagedSession): {
  readonly session: string;
  readonly file: string;
  readonly last: EventId;
  readonly folders?: FilePrint["folders"];
} {
  const { path: file, folders } = print;
  return { session, file, last, ...(folders !== undefined && { folders }) };
}

/** Whether an entry of the journal reports a group. */
export function isGroup(data: JsonObject): boolean {
  return Array.isArray(data["sessions"]);
}

/**
 * Removes the sessions of a group that are as they were brought in; those that were changed since stay. What is gone
 * already is passed over. Says how many went and how many stay.
 */
export async function removeGroup(
  home: Home,
  data: JsonObject,
): Promise<{ readonly removed: number; readonly kept: readonly string[] }> {
  const unchanged: string[] = [];
  const kept: string[] = [];
  const folders = new Set<string>();
  for (const one of asArray(data["sessions"]).filter(isObject)) {
    const file = asString(one["file"]) ?? "";
    for (const folder of asArray(one["folders"]))
      if (typeof folder === "string" && isBelow(home.root, folder)) folders.add(folder);
    if (!isBelow(home.sessions, file) || !exists(file)) continue;
    const log = FileLog.open(home, file);
    const last = log.lastId();
    await log.close();
    if (last !== asNumber(one["last"])) {
      kept.push(log.session);
      continue;
    }
    unchanged.push(file);
  }
  removeSessions(home, unchanged);
  settleLeaving(home);
  removeEmpty([...folders]);
  return { removed: unchanged.length, kept };
}

/** Takes an import back that a dead process did not finish, of one session or of a group. */
export async function settleImports(home: Home, intention: Intention): Promise<string> {
  const { id, data } = intention;
  if (!isGroup(data)) return settleImport(home, intention);
  const { removed } = await removeGroup(home, data);
  failpoint("settle.taken-back");
  concludeIntention(home, id, "taken back");
  return `The import of a group was killed before it was done; ${removed} sessions of it were taken back.`;
}

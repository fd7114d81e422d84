import { folderExists } from "../../base/folders.ts";
import { asNumber, asString, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { SessionHead, SessionState } from "../../model/head.ts";
import { oneLine } from "../../model/text.ts";
import { titleOfPrompt } from "../../model/title.ts";
import { isDatabaseDamage } from "../../sqlite/database.ts";
import type { SessionRef } from "../contract.ts";
import { unreadHead } from "../session-file.ts";
import { listSessions } from "./list-sessions.ts";
import { agentName, isFileRef } from "./locate.ts";
import { DatabaseSource } from "./read/database-source.ts";
import { FileSource } from "./read/file-source.ts";
import { projectOf } from "./read/session-events.ts";
import type { Source } from "./read/source.ts";
import { textOf } from "./read/user-bodies.ts";
import { compact, isoOf, objectOf, type SessionInfo } from "./schema.ts";

/** What the session's row, or its file, and its newest message state. */
export function head(ref: SessionRef): SessionHead | undefined {
  // A session in a database is a row. A file from elsewhere names none, and may be no database at all.
  if (!isFileRef(ref) && ref.part === undefined && ref.root === undefined) return undefined;
  try {
    return isFileRef(ref) ? fileHead(ref) : databaseHead(ref);
  } catch (error) {
    // Without an engine, or with nothing readable, the list still names the database and says why.
    return unreadHead(ref, error);
  }
}

function databaseHead(ref: SessionRef): SessionHead | undefined {
  const id = ref.part ?? ref.session;
  const { sessions, damage } = listSessions(ref.path);
  const listed = sessions.get(id);
  if (listed === undefined) return undefined;
  const { info, lastMessage: last, modifiedMs } = listed;
  const found = headOf(info, { ref, last, updatedMs: modifiedMs });
  const rebuilt = listed.isCarved === true;
  // Without the newest message nobody can say how the session was left.
  const isUnsure = damage.length > 0 && last === undefined;
  const titled = withTitle(
    isUnsure ? { ...found, state: "unknown" } : found,
    info,
    () => new DatabaseSource(ref.path, { session: id, salvage: false, rebuilt }),
  );
  const [first] = damage;
  return first === undefined
    ? titled
    : { ...titled, problem: `the database is damaged: ${first.detail ?? first.kind}` };
}

function fileHead(ref: SessionRef): SessionHead | undefined {
  const source = new FileSource(ref.path);
  const [damage] = source.damage;
  // Only a file that says nothing about itself is not a session; a damaged one still has messages.
  const saysNothing = source.count === 0 && source.session.createdMs === undefined;
  if (saysNothing && damage?.kind !== "unreadable") return undefined;
  const last = source.count === 0 ? undefined : source.info(source.count - 1);
  const found = headOf(source.session, { ref, last, updatedMs: ref.modifiedMs });
  const titled = withTitle(found, source.session, () => source);
  return damage === undefined
    ? titled
    : { ...titled, problem: `the session's file: ${damage.kind}` };
}

function headOf(
  info: SessionInfo,
  found: {
    readonly ref: SessionRef;
    readonly last: JsonObject | undefined;
    readonly updatedMs: number;
  },
): SessionHead {
  const { ref, last, updatedMs } = found;
  const cwd = info.directory;
  const model =
    info.model ?? asString(last?.["modelID"]) ?? asString(objectOf(last?.["model"])?.["modelID"]);
  return compact<SessionHead>({
    ...frame(ref),
    session: info.id,
    createdAt: isoOf(info.createdMs),
    updatedAt: isoOf(info.updatedMs ?? updatedMs) ?? frame(ref).updatedAt,
    project: projectOf(info),
    cwd,
    cwdExists: cwd === undefined ? undefined : folderExists(cwd),
    model,
    version: info.version,
    state: stateOf(last),
    usage: info.usage,
    relation:
      info.parentId === undefined ? undefined : { kind: "subagent", session: info.parentId },
  });
}

function frame(ref: SessionRef): Omit<SessionHead, "state"> {
  const { session, path, sizeBytes, modifiedMs } = ref;
  const updatedAt = isoOf(modifiedMs) ?? new Date(0).toISOString();
  return { agent: agentName, session, path, sizeBytes, updatedAt };
}

/** A turn that did not come to its end is interrupted: no answer, an unfinished one, or a failed one. */
function stateOf(last: JsonObject | undefined): SessionState {
  if (last === undefined) return "waiting";
  if (last["role"] !== "assistant") return last["role"] === "user" ? "interrupted" : "unknown";
  const completed = asNumber(objectOf(last["time"])?.["completed"]) !== undefined;
  const failed = last["error"] !== undefined && last["error"] !== null;
  return completed && !failed && last["finish"] !== "tool-calls" ? "waiting" : "interrupted";
}

/** The title, or the first prompt where the program has not found one yet. */
function withTitle(head: SessionHead, info: SessionInfo, open: () => Source): SessionHead {
  if (info.title !== undefined) {
    return { ...head, title: oneLine(info.title, limits.titleChars), titled: true };
  }
  const prompt = firstPrompt(open);
  if (prompt === undefined) return head;
  return { ...head, title: prompt, titled: false };
}

/** The first prompts may be a program's; further on nobody looks. */
const searchedMessages = 12;

function firstPrompt(open: () => Source): string | undefined {
  let source: Source | undefined;
  try {
    source = open();
    for (let index = 0; index < Math.min(source.count, searchedMessages); index += 1) {
      if (source.info(index)?.["role"] === "assistant") continue;
      const typed = source
        .parts(index)
        .find((part) => part["type"] === "text" && part["synthetic"] !== true);
      const title = typed === undefined ? "" : titleOfPrompt(textOf(typed));
      if (title !== "") return title;
    }
    return undefined;
  } catch (error) {
    // A head without a name is better than none; reading the session says the damage.
    if (isDatabaseDamage(error)) return undefined;
    throw error;
  } finally {
    source?.close();
  }
}

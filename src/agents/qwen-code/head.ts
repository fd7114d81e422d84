import { basename } from "node:path";
import { folderExists } from "../../base/folders.ts";
import { asString, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { windowText } from "../../jsonl/text-window.ts";
import type { SessionHead } from "../../model/head.ts";
import { type Opening, opened, openingOf } from "../../model/opening.ts";
import { oneLine } from "../../model/text.ts";
import type { SessionRef } from "../contract.ts";
import { factsOfEnds, recordsInLine } from "../head-lines.ts";
import { headOfFile, openingOfFile } from "../session-file.ts";
import { type HeadFacts, isoOf, noteEarly, noteLate } from "./head/facts.ts";
import { titleNearEnd } from "./head/title.ts";
import { agentName } from "./locate.ts";
import { acceptsRecord, subagentOf } from "./record-types.ts";

/** What the first and last bytes of a session tell; undefined if the file holds nothing of the program's. */
export function head(ref: SessionRef): SessionHead | undefined {
  return headOfFile(ref, (fd) => readHead(fd, ref));
}

/** What the first record says; where it cannot be read, the whole head is asked. */
export function opening(ref: SessionRef): Opening | undefined {
  return openingOfFile(ref, (fd) => {
    const text = windowText(fd, { at: 0, bytes: Math.min(ref.sizeBytes, limits.headBytes) });
    const end = text.indexOf("\n");
    const [record] = end < 0 ? [] : recordsInLine(text.slice(0, end), acceptsRecord);
    if (record === undefined || !acceptsRecord(record)) return openingOf(head(ref));
    const subagent = subagentOf(record) !== undefined || record["subtype"] === "parent_session";
    return opened(idOf(record, ref), { cwd: asString(record["cwd"]), subagent });
  });
}

/** A subagent's records carry the id of the session it works for. */
function idOf(record: JsonObject, ref: SessionRef): string {
  return subagentOf(record) === undefined
    ? (asString(record["sessionId"]) ?? ref.session)
    : ref.session;
}

function readHead(fd: number, ref: SessionRef): SessionHead | undefined {
  const size = ref.sizeBytes;
  const notes = { accepts: acceptsRecord, noteEarly, noteLate };
  const { first, last } = factsOfEnds<HeadFacts>(fd, size, notes);
  if (first.first === undefined && last.updatedAt === undefined) return undefined;
  return headOf(ref, { ...last, ...first, title: titleNearEnd(fd, size) });
}

function headOf(
  ref: SessionRef,
  facts: HeadFacts & { readonly title: string | undefined },
): SessionHead {
  const record = facts.first ?? {};
  const cwd = asString(record["cwd"]);
  const branch = asString(record["gitBranch"]);
  const version = asString(record["version"]);
  const createdAt = isoOf(record["timestamp"]);
  const title = facts.title ?? facts.prompt;
  const parent = subagentOf(record) === undefined ? facts.parent : asString(record["sessionId"]);
  // Assigned one by one: a list makes thousands of these.
  const told: { -readonly [Key in keyof SessionHead]: SessionHead[Key] } = {
    agent: agentName,
    session: idOf(record, ref),
    path: ref.path,
    sizeBytes: ref.sizeBytes,
    updatedAt: facts.updatedAt ?? new Date(ref.modifiedMs).toISOString(),
    state: facts.state ?? "unknown",
  };
  if (createdAt !== undefined) told.createdAt = createdAt;
  if (title !== undefined) {
    told.title = oneLine(title, limits.titleChars);
    told.titled = facts.title !== undefined;
  }
  if (cwd !== undefined) {
    told.cwd = cwd;
    told.cwdExists = folderExists(cwd);
    told.project = { name: basename(cwd), path: cwd };
  }
  if (branch !== undefined) told.git = { branch };
  if (facts.model !== undefined) told.model = facts.model;
  if (version !== undefined) told.version = version;
  if (parent !== undefined) told.relation = { kind: "subagent", session: parent };
  return told;
}

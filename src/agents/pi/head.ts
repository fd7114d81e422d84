import { basename } from "node:path";
import { folderExists } from "../../base/folders.ts";
import { asString } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { recordOf, windowText } from "../../jsonl/text-window.ts";
import type { SessionHead } from "../../model/head.ts";
import { type Opening, opened, openingOf } from "../../model/opening.ts";
import { oneLine } from "../../model/text.ts";
import type { SessionRef } from "../contract.ts";
import { headOfFile, openingOfFile } from "../session-file.ts";
import { readEnd } from "./head/end.ts";
import { type HeadFacts, isoOf } from "./head/facts.ts";
import { readStart } from "./head/start.ts";
import { sessionOf } from "./locate.ts";
import { isSoundHeader } from "./record-types.ts";

/** What the first and last bytes of a session tell; undefined if the file holds nothing of pi's. */
export function head(ref: SessionRef): SessionHead | undefined {
  return headOfFile(ref, (fd) => readHead(fd, ref));
}

function readHead(fd: number, ref: SessionRef): SessionHead | undefined {
  const size = ref.sizeBytes;
  const small = size <= limits.headBytes + limits.tailBytes;
  const start = windowText(fd, { at: 0, bytes: small ? size : limits.headBytes });
  const first = readStart(fd, { text: start, size });
  const tail = small
    ? start
    : windowText(fd, { at: size - limits.tailBytes, bytes: limits.tailBytes });
  const last = readEnd(fd, { text: tail, size });
  if (first.header === undefined && last.updatedAt === undefined) return undefined;
  return headOf(ref, first, last);
}

/** What the header says; where it is not the first record, the whole head is asked. */
export function opening(ref: SessionRef): Opening | undefined {
  return openingOfFile(ref, (fd) => {
    const text = windowText(fd, { at: 0, bytes: Math.min(ref.sizeBytes, limits.headBytes) });
    const end = text.indexOf("\n");
    const record = end < 0 ? undefined : recordOf(text.slice(0, end));
    if (record === undefined || !isSoundHeader(record)) return openingOf(head(ref));
    return opened(asString(record["id"]) ?? ref.session, { cwd: asString(record["cwd"]) });
  });
}

function headOf(ref: SessionRef, first: HeadFacts, last: HeadFacts): SessionHead {
  const { header } = first;
  const cwd = asString(header?.["cwd"]);
  const createdAt = isoOf(header?.["timestamp"]);
  // An empty name clears: then the first prompt is the title again.
  const name = last.name === undefined ? first.name : last.name;
  const title = name ?? first.prompt;
  const model = last.model ?? first.model;
  const parent = asString(header?.["parentSession"]);
  // Assigned one by one: a list makes thousands of these.
  const told: { -readonly [Key in keyof SessionHead]: SessionHead[Key] } = {
    agent: "pi",
    session: asString(header?.["id"]) ?? ref.session,
    path: ref.path,
    sizeBytes: ref.sizeBytes,
    updatedAt: last.updatedAt ?? new Date(ref.modifiedMs).toISOString(),
    state: last.state ?? "unknown",
  };
  if (createdAt !== undefined) told.createdAt = createdAt;
  if (title !== undefined) {
    told.title = oneLine(title, limits.titleChars);
    told.titled = name != null;
  }
  if (cwd !== undefined) {
    told.cwd = cwd;
    told.cwdExists = folderExists(cwd);
    told.project = { name: basename(cwd), path: cwd };
  }
  if (model !== undefined) told.model = model;
  if (header !== undefined) told.version = String(header["version"] ?? 1);
  if (parent !== undefined) told.relation = { kind: "fork", session: sessionOf(parent) };
  if (first.sound !== true) {
    told.problem = "The file does not begin with a header: pi would overwrite it when opening it.";
  }
  return told;
}

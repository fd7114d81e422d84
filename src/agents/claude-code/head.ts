import { join } from "node:path";
import type { Environment } from "../../base/env.ts";
import { fileStat, folderExists, smallFile } from "../../base/folders.ts";
import { asString, isObject, type JsonObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { recordOf, timeIn, windowText } from "../../jsonl/text-window.ts";
import type { Relation, SessionHead } from "../../model/head.ts";
import { type Opening, opened, openingOf } from "../../model/opening.ts";
import { oneLine } from "../../model/text.ts";
import type { SessionRef } from "../contract.ts";
import { headOfFile, openingOfFile } from "../session-file.ts";
import { readEnd } from "./head/end.ts";
import { field, lateField } from "./head/fields.ts";
import { firstRecord, readStart, type StartFacts } from "./head/start.ts";
import { hasNoSideFolder } from "./locate.ts";
import { agentName, titleIn } from "./record-types.ts";
import { totalUsage } from "./token-usage.ts";

/** What the first and last bytes tell of a session; undefined if the file holds no conversation. */
export function head(ref: SessionRef, _env?: Environment): SessionHead | undefined {
  if (ref.sizeBytes === 0) return undefined;
  return headOfFile(ref, (fd) => headOf(fd, ref));
}

/** What the first bytes tell; where they hold no record of the conversation, the whole head is asked. */
export function opening(ref: SessionRef): Opening | undefined {
  if (ref.sizeBytes === 0) return undefined;
  return openingOfFile(ref, (fd) => {
    const text = windowText(fd, { bytes: Math.min(ref.sizeBytes, limits.headBytes), at: 0 });
    const cwd = field(firstRecord(text), "cwd");
    return cwd === undefined ? openingOf(head(ref)) : opened(ref.session, { cwd });
  });
}

function headOf(fd: number, ref: SessionRef): SessionHead | undefined {
  const size = ref.sizeBytes;
  const small = size <= limits.headBytes + limits.tailBytes;
  // A byte is a character here: offsets in the text are offsets in the file.
  const start = windowText(fd, { bytes: small ? size : limits.headBytes, at: 0 });
  const tail = small
    ? start
    : windowText(fd, { bytes: limits.tailBytes, at: size - limits.tailBytes });
  const opening = widenedStart(fd, { start, tail, size });
  if (opening === undefined) return undefined;
  const end = readEnd(tail, (bytes) => (small ? undefined : longerTail(fd, { bytes, size })));
  const title = titleOf(ref, { opening, end: end.titles });
  const { createdAt, first } = opening;
  const cwd = opening.cwd ?? lateField(end.last, "cwd");
  const branch = lateField(end.last, "gitBranch") ?? field(first, "gitBranch");
  const version = lateField(end.last, "version") ?? field(first, "version");
  const model = end.model ?? field(start, "modelId") ?? field(start, "model");
  const usage = end.cost === undefined ? undefined : totalUsage(end.cost);
  const relation = relationOf(first);
  // Assigned one by one: a list makes thousands of these, and spreads cost more than the reading.
  const head: { -readonly [K in keyof SessionHead]: SessionHead[K] } = {
    agent: agentName,
    session: ref.session,
    path: ref.path,
    sizeBytes: size,
    updatedAt: timeIn(lateField(end.last, "timestamp")) ?? new Date(ref.modifiedMs).toISOString(),
    state: end.state,
  };
  if (createdAt !== undefined) head.createdAt = createdAt;
  if (title !== undefined) {
    head.title = title.text;
    head.titled = title.given;
  }
  if (cwd !== undefined) {
    head.cwd = cwd;
    head.cwdExists = folderExists(cwd);
  }
  if (branch !== undefined && branch !== "") head.git = { branch };
  if (model !== undefined) head.model = model;
  if (version !== undefined) head.version = version;
  if (usage !== undefined) head.usage = usage;
  if (relation !== undefined) head.relation = relation;
  return head;
}

/** The opening, from more and more of the file where its first records are long. */
function widenedStart(
  fd: number,
  known: { readonly start: string; readonly tail: string; readonly size: number },
): StartFacts | undefined {
  const { start, tail, size } = known;
  let opening = readStart(start, { toEnd: start.length >= size, tail });
  // Not the bytes there were: of a file that was emptied since, that would never grow.
  let bytes = Math.max(start.length, limits.headBytes);
  const most = Math.min(size, limits.headBytesMax);
  while (bytes < most && !opening.enough) {
    bytes = Math.min(bytes * 8, most);
    opening = readStart(windowText(fd, { bytes, at: 0 }), { toEnd: bytes >= size, tail });
  }
  // Only summaries, only settings, or only a subagent's records: no conversation to come back to.
  if (opening.first !== "") return opening;
  return bytes < size && tail.includes('"parentUuid":') ? opening : undefined;
}

function longerTail(
  fd: number,
  of: { readonly bytes: number; readonly size: number },
): string | undefined {
  const bytes = Math.min(of.bytes, of.size);
  return windowText(fd, { bytes, at: of.size - bytes });
}

function titleOf(
  ref: SessionRef,
  from: { readonly opening: StartFacts; readonly end: ReadonlyMap<string, JsonObject> },
): { readonly text: string; readonly given: boolean } | undefined {
  const { opening, end } = from;
  const record = (type: string): JsonObject | undefined =>
    end.get(type) ?? opening.titles.get(type);
  const custom = record("custom-title");
  const given =
    titled(custom) ?? sideTitle(ref) ?? titled(record("ai-title")) ?? titled(record("summary"));
  if (given !== undefined) return { text: oneLine(given, limits.titleChars), given: true };
  const prompt = opening.prompt ?? opening.command;
  return prompt === undefined ? undefined : { text: prompt, given: false };
}

function titled(record: JsonObject | undefined): string | undefined {
  return record === undefined ? undefined : titleIn(record);
}

/** The title a person gave, which also lies in a file of its own. */
function sideTitle(ref: SessionRef): string | undefined {
  if (hasNoSideFolder(ref)) return undefined;
  const text = smallFile(sideTitlePath(ref), limits.headBytes);
  return text === undefined ? undefined : titled(parseObject(text));
}

function sideTitlePath(ref: SessionRef): string {
  return join(ref.path.slice(0, -".jsonl".length), "custom-title.json");
}

/** How that file is now. */
export function headStamp(ref: SessionRef): string {
  const stat = hasNoSideFolder(ref) ? undefined : fileStat(sideTitlePath(ref));
  return stat === undefined ? "" : `${stat.sizeBytes} ${stat.modifiedMs}`;
}

function relationOf(first: string): Relation | undefined {
  if (!first.includes('forkedFrom":{')) return undefined;
  const fork = recordOf(first)?.["forkedFrom"];
  const session = isObject(fork) ? asString(fork["sessionId"]) : undefined;
  if (session === undefined || !isObject(fork)) return undefined;
  const event = asString(fork["messageUuid"]);
  return { kind: "fork", session, ...(event !== undefined && { event }) };
}

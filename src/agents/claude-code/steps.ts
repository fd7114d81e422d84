import { closeSync } from "node:fs";
import { asString, type JsonObject } from "../../base/json.ts";
import { openForReading } from "../../base/open-file.ts";
import type { Line } from "../../jsonl/line.ts";
import { lineNumber } from "../../jsonl/line-number.ts";
import { parseLine } from "../../jsonl/parse-line.ts";
import { linesForward } from "../../jsonl/read-forward.ts";
import type { AgentEvent } from "../contract.ts";
import type { ChildMark } from "./cursor.ts";
import { indexFile } from "./index-file.ts";
import { flag, type RecordIndex } from "./record-index.ts";
import { scanRecord } from "./scan.ts";
import { acceptsRecord, chainTypes, isRequestLog } from "./schema.ts";
import { type OpenSession, placeOf, type Step } from "./session.ts";
import type { Child } from "./subagents.ts";

/** The session's names, then what the program would replay, in the order of the replay. */
export function* liveSteps(session: OpenSession): Generator<Step> {
  const { index, reader, compose } = session;
  for (const place of index.titles.values()) {
    const record = reader.line(place);
    if (record === undefined) continue;
    const number = session.numberAt(place);
    yield {
      events: compose(record, { number, live: true, bearsUsage: false }),
      bytes: place.length,
    };
  }
  for (const at of session.path.order) {
    yield { events: liveEvents(session, at), bytes: index.lengths[at]! };
  }
}

/** What a record on the live path gives the replay. */
export function liveEvents(session: OpenSession, at: number): readonly AgentEvent[] {
  // Snapshots of the system prompt are large and never become events.
  const record = session.index.has(at, flag.snapshot) ? undefined : session.reader.record(at);
  if (record === undefined) return [];
  return session.compose(record, placeOf(session, at)).filter((event) => event.live);
}

/** Everything in the file from an offset on, in file order. */
export function* allSteps(
  session: OpenSession,
  from: { readonly offset: number; readonly line: number },
): Generator<Step> {
  const { index, fd, held } = session;
  let line = from.line;
  let next = 0;
  for (const read of linesForward(fd, { from: from.offset, end: index.endOffset, held })) {
    line += 1;
    const first = next;
    while (next < index.size && index.offsets[next] === read.offset) next += 1;
    const events = lineEvents(session, read, { line, first, end: next });
    if (events.length > 0) yield { events, bytes: read.length };
  }
}

function lineEvents(
  session: OpenSession,
  read: Line,
  at: { readonly line: number; readonly first: number; readonly end: number },
): readonly AgentEvent[] {
  const { index, child } = session;
  if (read.tooLong || isSkipped(session, read, at)) return [];
  const events: AgentEvent[] = [];
  const number = session.numberAt({ line: at.line, offset: read.offset });
  recordsOf(session, read).forEach((record, part) => {
    const known = recordAt(index, at, part);
    const chained = chainTypes.has(asString(record["type"]) ?? "");
    const loose = { number, live: child === undefined && !chained, bearsUsage: true };
    const place = known < 0 ? { ...loose, sidechain: child } : placeOf(session, known);
    events.push(...session.compose(record, { ...place, before: events.length }));
  });
  return events;
}

/** The indexed record that is the given part of a line, or -1. */
function recordAt(
  index: RecordIndex,
  at: { readonly first: number; readonly end: number },
  part: number,
): number {
  for (let record = at.first; record < at.end; record += 1) {
    if ((index.parts.get(record) ?? 0) === part) return record;
  }
  return -1;
}

/** Request logs and prompt snapshots are passed over unparsed, where nothing else is on their line. */
function isSkipped(
  session: OpenSession,
  read: Line,
  at: { readonly first: number; readonly end: number },
): boolean {
  const { index } = session;
  if (at.end - at.first === 1 && index.has(at.first, flag.snapshot)) {
    return !index.has(at.first, flag.salvaged);
  }
  if (at.end > at.first || !read.bytes.subarray(0, 64).includes('"api-request')) return false;
  const type = scanRecord(read.bytes)?.type;
  return type !== undefined && isRequestLog(type);
}

/** The records of a line; damage that only parsing shows is told now. */
function recordsOf(session: OpenSession, read: Line): readonly JsonObject[] {
  const { records, kind } = parseLine(read.bytes, acceptsRecord);
  if (kind !== undefined && scanRecord(read.bytes) !== undefined) {
    const { offset, length } = read;
    session.index.tell({ kind, offset, length, recovered: records.length });
  }
  return records;
}

/** A subagent's events, from where they were read to; its mark is moved along. */
export function* childSteps(
  session: OpenSession,
  child: Child,
  marks: Map<string, ChildMark>,
): Generator<Step> {
  let fd: number;
  try {
    fd = openForReading(child.path);
  } catch {
    const detail = `subagent ${child.session}`;
    session.index.tell({ kind: "missing_file", offset: 0, recovered: 0, detail });
    return;
  }
  try {
    const from = marks.get(child.session) ?? { offset: 0, line: 0 };
    const index = indexFile(fd, { from: from.offset, line: from.line });
    const inside: OpenSession = {
      ...session,
      fd,
      held: undefined,
      index,
      path: { order: new Int32Array(0), leaf: -1, boundary: -1, keptFrom: -1, whole: true },
      live: new Uint8Array(index.size),
      lost: new Map(),
      numberAt: (place) => `${child.session}/${lineNumber(place)}`,
      child: child.session,
    };
    yield* allSteps(inside, from);
    marks.set(child.session, { offset: index.endOffset, line: index.endLine });
    for (const damage of index.takeDamage()) {
      session.index.tell({ ...damage, detail: `subagent ${child.session}` });
    }
  } finally {
    closeSync(fd);
  }
}

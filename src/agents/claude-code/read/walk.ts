import { closeSync } from "node:fs";
import { asString } from "../../../base/json.ts";
import { openForReading } from "../../../base/open-file.ts";
import type { Line } from "../../../jsonl/line.ts";
import { lineNumber } from "../../../jsonl/line-number.ts";
import { parseLine } from "../../../jsonl/parse-line.ts";
import { linesForward } from "../../../jsonl/read-forward.ts";
import type { AgentEvent } from "../../contract.ts";
import { acceptsRecord, chainTypes, isRequestLog } from "../record-types.ts";
import { buildIndex } from "./build-index.ts";
import type { ReadTo } from "./cursor.ts";
import { type OpenSession, placeOf } from "./open-session.ts";
import { flag } from "./record-flags.ts";
import type { RecordIndex } from "./record-index.ts";
import type { Subagent } from "./subagents.ts";

/** Some events of one line, and what they weigh. */
export interface Step {
  readonly events: readonly AgentEvent[];
  readonly bytes: number;
}

/** The session's names, then what the program would replay, in the order of the replay. */
export function* walkLive(session: OpenSession): Generator<Step> {
  const { index, reader, makeEvents } = session;
  for (const place of index.titles.values()) {
    const record = reader.line(place);
    if (record === undefined) continue;
    const number = session.numberAt(place);
    yield {
      events: makeEvents(record, { number, live: true, bearsUsage: false }),
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
  return session.makeEvents(record, placeOf(session, at)).filter((event) => event.live);
}

/** Everything in the file from an offset on, in file order. */
export function* walkAll(
  session: OpenSession,
  from: { readonly offset: number; readonly line: number },
): Generator<Step> {
  const { index, fd } = session;
  let line = from.line;
  let next = 0;
  for (const read of linesForward(fd, { from: from.offset, end: index.endOffset })) {
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
  const { index, subagent } = session;
  if (read.tooLong || isSnapshot(index, at)) return [];
  const events: AgentEvent[] = [];
  const number = session.numberAt({ line: at.line, offset: read.offset });
  let next = at.first;
  // What is wrong with the line was reported when it was threaded.
  parseLine(read.bytes, acceptsRecord).records.forEach((record, part) => {
    const type = asString(record["type"]) ?? "";
    const isIndexed = next < at.end && (index.parts.get(next)?.part ?? 0) === part;
    const known = isIndexed ? next : -1;
    if (isIndexed) next += 1;
    if (isRequestLog(type)) return;
    const chained = chainTypes.has(type);
    const loose = { number, live: subagent === undefined && !chained, bearsUsage: true };
    const place = known < 0 ? { ...loose, sidechain: subagent } : placeOf(session, known);
    events.push(...session.makeEvents(record, { ...place, before: events.length }));
  });
  return events;
}

/** Snapshots of the system prompt are passed over unparsed, where nothing else is on their line. */
function isSnapshot(
  index: RecordIndex,
  at: { readonly first: number; readonly end: number },
): boolean {
  if (at.end - at.first !== 1 || !index.has(at.first, flag.snapshot)) return false;
  return !index.has(at.first, flag.salvaged);
}

/** A subagent's events, from where they were read to; that place is moved along. */
export function* walkSubagent(
  session: OpenSession,
  subagent: Subagent,
  readTo: Map<string, ReadTo>,
): Generator<Step> {
  let fd: number;
  try {
    fd = openForReading(subagent.path);
  } catch {
    const detail = `subagent ${subagent.session}`;
    session.index.tell({ kind: "missing_file", offset: 0, recovered: 0, detail });
    return;
  }
  try {
    const from = readTo.get(subagent.session) ?? { offset: 0, line: 0 };
    const index = buildIndex(fd, { from: from.offset, line: from.line });
    const inside: OpenSession = {
      ...session,
      fd,
      index,
      path: { order: new Int32Array(0), leaf: -1, boundary: -1, keptFrom: -1, whole: true },
      live: new Uint8Array(index.size),
      notReplayed: new Map(),
      numberAt: (place) => `${subagent.session}/${lineNumber(place)}`,
      subagent: subagent.session,
    };
    yield* walkAll(inside, from);
    readTo.set(subagent.session, { offset: index.endOffset, line: index.endLine });
    for (const damage of index.takeDamage()) {
      session.index.tell({ ...damage, detail: `subagent ${subagent.session}` });
    }
  } finally {
    closeSync(fd);
  }
}

import { linesBefore } from "../../../jsonl/line-number.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import { readLine, recordsForward } from "../../../jsonl/records.ts";
import type { Damage } from "../../../model/damage.ts";
import type { AgentEvent, ReadBatch } from "../../contract.ts";
import { acceptsRecord, isCut, mayCut } from "../record-types.ts";
import { callUsage } from "../token-usage.ts";
import { bodiesOf } from "./bodies.ts";
import { EventMaker } from "./events.ts";
import { readPart } from "./read-part.ts";

/** The last events of a session, read from its end: what they cost does not depend on the size of the file. */
export function readLast(
  fd: number,
  options: {
    readonly last: number;
    readonly end: number;
    readonly allBranches?: boolean | undefined;
  },
): ReadBatch {
  const { end, last, allBranches = false } = options;
  const { offset, liveFrom } = beginOf(fd, { end, last, allBranches });
  const place = { offset, line: linesBefore(fd, offset) };
  const events: AgentEvent[] = [];
  const damage: Damage[] = [];
  let cursor = "";
  for (const batch of readPart(fd, { end, place, liveFrom, allBranches })) {
    events.push(...batch.events);
    damage.push(...batch.damage);
    cursor = batch.cursor;
  }
  // A session's beginning belongs to every replay, also where a summary stands for what followed it.
  if (events.length < last && offset > 0) events.unshift(...headerEvents(fd, offset));
  return { events: last > 0 ? events.slice(-last) : [], damage, cursor };
}

/** The line from which on there are enough events, and where what is live begins as far as that was seen. */
function beginOf(
  fd: number,
  options: { readonly end: number; readonly last: number; readonly allBranches: boolean },
): { readonly offset: number; readonly liveFrom: number } {
  let events = 0;
  let liveFrom: number | undefined;
  let offset = options.end;
  let isBefore = false;
  for (const line of linesBackward(fd, { end: options.end })) {
    // The tokens of the first answer stand in the record before it.
    if (events >= options.last && !isBefore) {
      isBefore = true;
      const before = readLine(line, 0, acceptsRecord)?.records ?? [];
      if (before.some((record) => callUsage(record) !== undefined)) offset = line.offset;
    }
    if (events >= options.last && (!options.allBranches || liveFrom !== undefined)) break;
    // With all branches more is needed only to know whether a summary hides what is handed out.
    const enough = events >= options.last;
    if (enough && !mayCut(line.bytes)) continue;
    const records = readLine(line, 0, acceptsRecord)?.records ?? [];
    for (const record of records) {
      const said = bodiesOf(record);
      if (isCut(record)) liveFrom ??= line.offset;
      if (options.allBranches || said.sent) events += said.bodies.length;
    }
    if (!enough) offset = line.offset;
    if (liveFrom !== undefined && !options.allBranches) break;
  }
  return { offset, liveFrom: liveFrom ?? 0 };
}

/** The events of the record a session begins with, where it is the first. */
function headerEvents(fd: number, end: number): readonly AgentEvent[] {
  for (const line of recordsForward(fd, { from: 0, end, accepts: acceptsRecord })) {
    const events = [...new EventMaker(fd, { liveFrom: end }).eventsOf(line)];
    return events.filter(({ live }) => live);
  }
  return [];
}

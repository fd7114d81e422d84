import { linesBefore } from "../../../jsonl/line-number.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import { readLine } from "../../../jsonl/records.ts";
import type { Damage } from "../../../model/damage.ts";
import type { AgentEvent, ReadBatch } from "../../contract.ts";
import { acceptsRecord } from "../record-types.ts";
import { bodiesOf } from "./bodies.ts";
import { LivePlaces, type LiveRecord, livePath, type PathEnd } from "./live-path.ts";
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
  const told: PathEnd = {};
  const path = livePath(fd, { from: 0, end, told });
  const from = allBranches ? beginOfAll(fd, { last, end }) : end;
  const taken = [...takenFrom(path, { last: allBranches ? 0 : last, from })];
  const offset = allBranches ? from : (taken.at(-1)?.offset ?? end);
  const place = { offset, line: linesBefore(fd, offset) };
  const events: AgentEvent[] = [];
  const damage: Damage[] = [];
  let cursor = "";
  const live = new LivePlaces(taken);
  for (const batch of readPart(fd, { end, place, live, leaf: told.leaf, allBranches })) {
    events.push(...batch.events);
    damage.push(...batch.damage);
    cursor = batch.cursor;
  }
  return { events: last > 0 ? events.slice(-last) : [], damage, cursor };
}

/** The records of a path until they have enough events and none of a part is left out. */
function* takenFrom(
  path: Iterable<LiveRecord>,
  enough: { readonly last: number; readonly from: number },
): Generator<LiveRecord> {
  let events = 0;
  for (const found of path) {
    if (events >= enough.last && found.offset < enough.from) return;
    yield found;
    const said = bodiesOf(found.record);
    if (said.sent) events += said.bodies.length;
  }
}

/** The line from which on there are enough events of any kind. */
function beginOfAll(fd: number, options: { readonly last: number; readonly end: number }): number {
  let events = 0;
  let offset = options.end;
  for (const line of linesBackward(fd, { end: options.end })) {
    if (events >= options.last) break;
    for (const record of readLine(line, 0, acceptsRecord)?.records ?? [])
      events += bodiesOf(record).bodies.length;
    offset = line.offset;
  }
  return offset;
}

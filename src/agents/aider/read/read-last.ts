import { limits } from "../../../base/limits.ts";
import { lineNumber, linesBefore } from "../../../jsonl/line-number.ts";
import { proofBefore } from "../../../jsonl/proof.ts";
import type { Damage } from "../../../model/damage.ts";
import type { AgentEvent, ReadBatch } from "../../contract.ts";
import { encodeCursor } from "./cursor.ts";
import { EventMaker } from "./events.ts";
import { runLines, turnStart } from "./lines.ts";
import type { RangeOptions } from "./read-whole.ts";

/** The last events: the turns at the end are found from there, and only they are read. */
export function readLast(fd: number, options: RangeOptions): ReadBatch {
  const { range } = options;
  const count = Math.max(0, Math.floor(options.last ?? 0));
  const countProgram = options.allBranches ?? false;
  const offset = turnStart(fd, { ...range, count, countProgram });
  const firstLine = linesBefore(fd, offset, range.offset) + 1;
  const maker = new EventMaker(options.session, { trueText: countProgram });
  let events: AgentEvent[] = [];
  const damage: Damage[] = [];
  const part = { offset, end: range.end, firstLine, runOffset: range.offset };
  for (const found of runLines(fd, part)) {
    if (found.damage !== undefined && damage.length < limits.toldDamages) damage.push(found.damage);
    for (const line of found.parts) maker.line(line, () => lineNumber(found));
    if (!maker.hasEvents) continue;
    events.push(...maker.take().filter((event) => event.live || options.allBranches));
    if (events.length > count * 2 + 256) events = events.slice(events.length - count);
  }
  maker.end();
  events.push(...maker.take().filter((event) => event.live || options.allBranches));
  const sample = proofBefore(fd, range.end, range.offset);
  const at = { end: range.end, line: 0, midLine: false, inAnswer: false };
  const cursor = encodeCursor({ ...at, sample, done: 0 });
  return { events: count === 0 ? [] : events.slice(-count), damage, cursor };
}

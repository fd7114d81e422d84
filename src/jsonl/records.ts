import type { JsonObject } from "../base/json.ts";
import type { Damage } from "../model/damage.ts";
import { isBlank, type Line } from "./line.ts";
import { parseLine } from "./parse-line.ts";
import { type ForwardOptions, linesForward } from "./read-forward.ts";
import type { Accepts, RecordPlace } from "./salvage.ts";

/** A record of a line file, or the damage that stands where one was. */
export interface RecordLine {
  readonly offset: number;
  readonly length: number;
  /** The number of the line, from 1, counted from where reading began. */
  readonly line: number;
  /** Usually one; several where records were spliced; none where nothing could be read. */
  readonly records: readonly JsonObject[];
  readonly damage?: Damage;
  readonly complete: boolean;
  /** Where each record stands in its line, where the line had to be taken apart. */
  readonly places?: readonly RecordPlace[];
}

/** Every record of an open line file, damaged ones told and salvaged. Blank lines are passed over. */
export function* recordsForward(
  fd: number,
  options: ForwardOptions & {
    readonly firstLine?: number;
    /** Decides by a byte test whether the line is worth parsing; skipped lines are not yielded. */
    readonly skip?: (line: Line) => boolean;
    readonly accepts?: Accepts;
  } = {},
): Generator<RecordLine> {
  let number = (options.firstLine ?? 1) - 1;
  for (const line of linesForward(fd, options)) {
    number += 1;
    if (options.skip?.(line)) continue;
    const record = readLine(line, number, options.accepts);
    if (record !== undefined) yield record;
  }
}

/** One line as records and damage; undefined if it is blank. */
export function readLine(line: Line, number: number, accepts?: Accepts): RecordLine | undefined {
  const place = { offset: line.offset, length: line.length, line: number, complete: line.complete };
  if (line.tooLong) {
    return { ...place, records: [], damage: damage("too_long", line, 0) };
  }
  if (isBlank(line.bytes)) return undefined;
  const { records, kind, places } = parseLine(line.bytes, accepts);
  if (kind === undefined) return { ...place, records };
  const torn = !line.complete && kind === "bad_json" && records.length === 0;
  const told = damage(torn ? "torn_tail" : kind, line, records.length);
  return { ...place, records, damage: told, ...(places !== undefined && { places }) };
}

function damage(kind: Damage["kind"], line: Line, recovered: number): Damage {
  return { kind, offset: line.offset, length: line.length, recovered };
}

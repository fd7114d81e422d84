import type { Line } from "../../../jsonl/line.ts";
import { linesForward } from "../../../jsonl/read-forward.ts";
import { readLine } from "../../../jsonl/records.ts";
import type { Damage } from "../../../model/damage.ts";
import { isRecord, type RolloutRecord, recordOf } from "../record.ts";
import type { OpenRollout } from "./open-rollout.ts";

/** What one line of a rollout holds. */
export interface RolloutLine {
  readonly offset: number;
  readonly length: number;
  /** Whether a newline ended it. */
  readonly complete: boolean;
  /** Usually one; none where the line is blank or nothing could be read. */
  readonly records: readonly RolloutRecord[];
  readonly damage: readonly Damage[];
}

/** The lines of an open rollout from an offset on; those of a short one are parsed once, however often they are read. */
export function* rolloutLines(
  { fd, parsed }: Pick<OpenRollout, "fd" | "parsed">,
  range: { readonly from?: number; readonly end?: number } = {},
): Generator<RolloutLine> {
  for (const found of linesForward(fd, range)) {
    const line = parsed?.get(found.offset) ?? parsedLine(found);
    parsed?.set(found.offset, line);
    yield line;
  }
}

/** A line with its records. */
export function parsedLine(line: Line): RolloutLine {
  const { offset, length, complete } = line;
  const read = readLine(line, 0, isRecord);
  const damage = read?.damage === undefined ? [] : [read.damage];
  const records = (read?.records ?? []).flatMap((native) => {
    const record = recordOf(native);
    if (record === undefined) damage.push({ kind: "bad_record", offset, length, recovered: 0 });
    return record ?? [];
  });
  return { offset, length, complete, records, damage };
}

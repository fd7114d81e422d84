import type { Line } from "../../../jsonl/line.ts";
import { linesForward } from "../../../jsonl/read-forward.ts";
import { readLine } from "../../../jsonl/records.ts";
import type { Damage } from "../../../model/damage.ts";
import { isRecord, type RolloutRecord, recordOf } from "../record-types.ts";
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

/** The lines of an open rollout from an offset on. */
export function* rolloutLines(
  file: OpenRollout,
  range: { readonly from?: number; readonly end?: number } = {},
): Generator<RolloutLine> {
  for (const line of linesForward(file.fd, range)) yield parsedLine(line);
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

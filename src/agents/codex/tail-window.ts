import { limits } from "../../base/limits.ts";
import { linesBefore } from "../../jsonl/line-number.ts";
import { linesBackward } from "../../jsonl/read-backward.ts";
import { readLine } from "../../jsonl/records.ts";
import { glance, isRecord, type RolloutRecord, recordOf } from "./glance.ts";
import { stateFrom } from "./kept-items.ts";
import type { Span } from "./lineage.ts";
import { changesHistory } from "./plan.ts";
import type { StreamPlace } from "./stream.ts";
import type { TranslatorState } from "./translate.ts";

/** A place near the end of a file behind which enough events lie. */
export interface TailWindow {
  readonly place: Omit<StreamPlace, "span">;
  readonly state: TranslatorState;
}

/**
 * Looks from the end of a file for the place to begin at to get the last events; undefined where the
 * file has too few of them. Unless all branches are wanted, also where a compaction or roll-back
 * comes first, because then what is live has to be found out from the beginning.
 */
export function tailWindow(
  span: Span,
  options: { readonly events: number; readonly allBranches: boolean },
): TailWindow | undefined {
  let events = 0;
  let begin: { readonly offset: number; readonly ordinal: number | undefined } | undefined;
  let context: RolloutRecord | undefined;
  let usage: RolloutRecord | undefined;
  for (const line of linesBackward(span.file.fd, { end: span.file.sizeBytes })) {
    const seen = glance(line);
    if (begin === undefined) {
      if (!options.allBranches && changesHistory(line)) return undefined;
      if (seen === undefined || seen.type === "response_item") events += 1;
      // A response is begun only behind the tokens of the one before it, to be read as a whole.
      const report = seen?.type === "token_usage_record" || seen?.inner === "token_count";
      const boundary = report || seen?.inner === "task_started";
      if (events < options.events + damagedSlack || !boundary) continue;
      begin = { offset: line.offset + line.length, ordinal: seen?.ordinal };
    }
    if (seen?.type === "turn_context") context ??= only(line);
    if (seen?.type === "token_usage_record" || seen?.inner === "token_count") usage ??= only(line);
    const far = begin.offset - line.offset > limits.headBytesMax;
    if ((context !== undefined && usage !== undefined) || far) break;
  }
  if (begin === undefined) return undefined;
  const highest = begin.ordinal === undefined ? 0 : begin.ordinal + 1;
  const line = linesBefore(span.file.fd, begin.offset);
  const state = { ...stateFrom({ context, usage }), partial: true };
  return { place: { offset: begin.offset, line, highest }, state };
}

/** Lines that look like records may turn out not to be; a few more are read in their place. */
const damagedSlack = 8;

function only(line: Parameters<typeof glance>[0]): RolloutRecord | undefined {
  const native = readLine(line, 0, isRecord)?.records[0];
  return native === undefined ? undefined : recordOf(native);
}

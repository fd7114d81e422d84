import { limits } from "../../../base/limits.ts";
import type { Line } from "../../../jsonl/line.ts";
import { linesBefore } from "../../../jsonl/line-number.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import { readLine } from "../../../jsonl/records.ts";
import { glance, isRecord, mayBeSpliced, type RolloutRecord, recordOf } from "../record.ts";
import { itemBodies } from "./bodies.ts";
import type { TranslatorState } from "./events.ts";
import { stateFrom } from "./kept-events.ts";
import type { Span } from "./lineage.ts";
import { changesHistory } from "./live-path.ts";
import type { StreamPlace } from "./walk.ts";

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
  let begin: Boundary | undefined;
  let context: RolloutRecord | undefined;
  let usage: RolloutRecord | undefined;
  for (const line of linesBackward(span.file.fd, { end: span.file.sizeBytes })) {
    const seen = glance(line);
    if (begin === undefined) {
      if (!options.allBranches && changesHistory(line)) return undefined;
      if (seen === undefined || seen.type === "response_item") events += 1;
      if (events < options.events + damagedSlack) continue;
      begin = boundaryAt(line);
      if (begin === undefined) continue;
    }
    if (seen?.type === "turn_context") context ??= only(line);
    if (seen?.type === "token_usage_record" || seen?.inner === "token_count") usage ??= only(line);
    const far = begin.offset - line.offset > limits.headBytesMax;
    if ((context !== undefined && usage !== undefined) || far) break;
  }
  if (begin === undefined) return undefined;
  const line = linesBefore(span.file.fd, begin.offset);
  const state = { ...stateFrom({ context, usage }), partial: true };
  return { place: { ...begin, line }, state };
}

/** A place where no response is under way, and the ordinal that comes next there. */
interface Boundary {
  readonly offset: number;
  readonly highest: number;
}

/**
 * A response is begun only behind the tokens of the one before it, or with the prompt it answers, to be
 * read as a whole; undefined where a line is neither.
 */
function boundaryAt(line: Line): Boundary | undefined {
  const seen = glance(line);
  if (seen === undefined) return undefined;
  const { type, inner, ordinal } = seen;
  if (type === "token_usage_record" || inner === "token_count" || inner === "task_started") {
    return {
      offset: line.offset + line.length,
      highest: ordinal === undefined ? 0 : ordinal + 1,
    };
  }
  if (type !== "response_item" || inner !== "message" || !line.bytes.includes(userRole)) {
    return undefined;
  }
  // What the program says in the user's name does not end a response.
  const record = mayBeSpliced(line) ? undefined : only(line);
  const isPrompt = record !== undefined && itemBodies(record.payload)[0]?.type === "user";
  return isPrompt ? { offset: line.offset, highest: ordinal ?? 0 } : undefined;
}

const userRole = Buffer.from('"role":"user"');

/** Lines that look like records may turn out not to be; a few more are read in their place. */
const damagedSlack = 8;

function only(line: Line): RolloutRecord | undefined {
  const native = readLine(line, 0, isRecord)?.records[0];
  return native === undefined ? undefined : recordOf(native);
}

import { limits } from "../../../base/limits.ts";
import { linesBefore } from "../../../jsonl/line-number.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import { isTokenReport, type RolloutRecord } from "../record-types.ts";
import { itemBodies } from "./bodies.ts";
import type { EventMakerState } from "./events.ts";
import { stateFrom } from "./kept-events.ts";
import type { Span } from "./lineage.ts";
import { rewritesHistory } from "./rewritten-history.ts";
import { parsedLine, type RolloutLine } from "./rollout-lines.ts";
import type { WalkPlace } from "./walk.ts";

/** A place near the end of a file behind which enough events lie. */
export interface LastWindow {
  readonly place: Omit<WalkPlace, "span">;
  readonly state: EventMakerState;
}

/**
 * Looks from the end of a file for the place to begin at to get the last events; undefined if the
 * file has too few of them. Unless all branches are wanted, also where a compaction or roll-back
 * comes first, because then what is live has to be found out from the beginning.
 */
export function lastWindow(
  span: Span,
  options: { readonly events: number; readonly allBranches: boolean },
): LastWindow | undefined {
  let events = 0;
  let begin: Boundary | undefined;
  let context: RolloutRecord | undefined;
  let usage: RolloutRecord | undefined;
  for (const found of linesBackward(span.file.fd, { end: span.file.sizeBytes })) {
    const line = parsedLine(found);
    const [record] = line.records;
    if (begin === undefined) {
      if (!options.allBranches && line.records.some(rewritesHistory)) return undefined;
      if (record?.type === "response_item") events += 1;
      if (events < options.events + deadSlack) continue;
      begin = boundaryAt(line);
      if (begin === undefined) continue;
    }
    if (record?.type === "turn_context") context ??= record;
    else if (record !== undefined && isTokenReport(record)) usage ??= record;
    const far = begin.offset - line.offset > limits.headBytesMax;
    if ((context !== undefined && usage !== undefined) || far) break;
  }
  if (begin === undefined) return undefined;
  const line = linesBefore(span.file.fd, begin.offset);
  const state = { ...stateFrom({ context, usage }), partial: true };
  return { place: { ...begin, line }, state };
}

/** A few items may turn out not to be live; so many more are read in their place. */
const deadSlack = 8;

/** A place where no response is under way, and the ordinal that comes next there. */
interface Boundary {
  readonly offset: number;
  readonly highest: number;
}

/**
 * A response is begun only behind the tokens of the one before it, or with the prompt it answers, to be
 * read as a whole; undefined if a line is neither.
 */
function boundaryAt({ offset, length, records }: RolloutLine): Boundary | undefined {
  const [record, second] = records;
  if (record === undefined || second !== undefined) return undefined;
  const { ordinal } = record;
  if (isTokenReport(record) || record.inner === "task_started") {
    return { offset: offset + length, highest: ordinal === undefined ? 0 : ordinal + 1 };
  }
  // What the program says in the user's name does not end a response.
  const isPrompt =
    record.type === "response_item" && itemBodies(record.payload)[0]?.type === "user";
  return isPrompt ? { offset, highest: ordinal ?? 0 } : undefined;
}

import { timeOf } from "../../../base/clock.ts";
import { parseObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { lineStarts, stringAfter, windowText } from "../../../jsonl/text-window.ts";
import type { SessionState } from "../../../model/head.ts";
import type { Usage } from "../../../model/usage.ts";
import { totalsOf, usageOf } from "../token-usage.ts";
import { type LineKind, lineKind, objectField } from "./fields.ts";
import { modelIn } from "./start.ts";

/** What the last records of a file tell. */
export interface EndFacts {
  readonly state: SessionState;
  readonly updatedAt: string | undefined;
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
}

/** Reads the end of an open file: more of it where the last record is longer than what is read first. */
export function readEnd(
  fd: number,
  options: { readonly sizeBytes: number; readonly marksTurns: boolean },
): EndFacts {
  const { sizeBytes, marksTurns } = options;
  const factsWithin = (most: number): EndFacts => {
    const bytes = Math.min(most, sizeBytes);
    const text = windowText(fd, { at: sizeBytes - bytes, bytes });
    return factsOf(text, { whole: bytes === sizeBytes, marksTurns });
  };
  for (const times of [1, 4, 24]) {
    const facts = factsWithin(times * limits.tailBytes);
    if (facts.state !== "unknown" || sizeBytes <= times * limits.tailBytes) return facts;
  }
  return factsWithin(64 * limits.tailBytes);
}

function factsOf(
  text: string,
  options: { readonly whole: boolean; readonly marksTurns: boolean },
): EndFacts {
  let state: SessionState | undefined;
  let updatedAt: string | undefined;
  let model: string | undefined;
  let usage: Usage | undefined;
  const starts = lineStarts(text);
  let end = text.length;
  for (let index = starts.length - 1; index >= (options.whole ? 0 : 1); index -= 1) {
    if (state !== undefined && usage !== undefined && model !== undefined) break;
    const line = { start: starts[index]!, end };
    const kind = lineKind(text, line.start);
    if (kind !== undefined) {
      updatedAt ??= timeAt(text, line.start);
      if (kind.type === "turn_context") model ??= modelIn(text.slice(line.start, end));
      else if (kind.type === "token_usage_record") {
        usage ??= usageIn(objectField(text, '"thread_token_usage":{', line));
      } else if (kind.inner === "token_count") {
        usage ??= usageIn(objectField(text, '"total_token_usage":{', line));
      }
      state ??= stateAfter(kind, { marksTurns: options.marksTurns, text, line });
    }
    end = line.start - 1;
  }
  return { state: state ?? "unknown", updatedAt, model, usage };
}

/** How the last turn was left, as far as one record decides it. */
function stateAfter(
  kind: LineKind,
  facts: {
    readonly marksTurns: boolean;
    readonly text: string;
    readonly line: { readonly start: number; readonly end: number };
  },
): SessionState | undefined {
  const { type, inner } = kind;
  if (type === "event_msg") {
    if (inner === "task_complete" || inner === "turn_complete") return "waiting";
    if (inner === "thread_rolled_back") return "waiting";
    if (inner === "turn_aborted" || inner === "task_started") return "interrupted";
    // Older versions did not write down that a turn had ended: there the answer is the end.
    if (inner === "agent_message" && !facts.marksTurns) return "waiting";
    return inner === "user_message" ? "interrupted" : undefined;
  }
  if (type === "compacted") return facts.marksTurns ? undefined : "waiting";
  if (type !== "response_item") return undefined;
  if (inner !== "message") return "interrupted";
  const { start, end } = facts.line;
  // The end of a turn is marked behind its final answer; the program may be closed between the two.
  const answer = facts.marksTurns ? '"phase":"final_answer"' : '"role":"assistant"';
  return facts.text.slice(start, end).includes(answer) ? "waiting" : "interrupted";
}

function timeAt(text: string, start: number): string | undefined {
  const range = { from: start, before: start + 20, most: 40 };
  const at = stringAfter(text, '"timestamp":"', range);
  return at === undefined || timeOf(at) === undefined ? undefined : at;
}

function usageIn(text: string | undefined): Usage | undefined {
  const totals = text === undefined ? undefined : totalsOf(parseObject(text));
  return totals === undefined ? undefined : usageOf(totals);
}

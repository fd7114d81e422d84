import { readSync } from "node:fs";
import { timeOf } from "../../base/clock.ts";
import { parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { SessionState } from "../../model/head.ts";
import type { Usage } from "../../model/usage.ts";
import { type LineKind, lineKind, objectField, type Slice, sliceOf, stringField } from "./field.ts";
import { modelIn } from "./start.ts";
import { totalsOf, usageOf } from "./token-usage.ts";

/** What the last records of a file tell. */
export interface TailFacts {
  readonly state: SessionState;
  readonly updatedAt: string | undefined;
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
}

/** The first look and the long one; the system reads several times faster into a small buffer. */
const [short, long] = [1, 64].map((times) => Buffer.allocUnsafeSlow(times * limits.tailBytes)) as [
  Buffer,
  Buffer,
];

/** Reads the end of an open file: more of it where the last record is longer than the first look. */
export function readTail(
  fd: number,
  options: { readonly sizeBytes: number; readonly marksTurns: boolean },
): TailFacts {
  const { sizeBytes, marksTurns } = options;
  const look = (buffer: Buffer): TailFacts => {
    const length = Math.min(buffer.length, sizeBytes);
    const taken = readSync(fd, buffer, 0, length, sizeBytes - length);
    return factsOf(buffer.subarray(0, taken), { whole: length === sizeBytes, marksTurns });
  };
  const facts = look(short);
  if (facts.state !== "unknown" || sizeBytes <= short.length) return facts;
  return look(long);
}

function factsOf(
  bytes: Buffer,
  options: { readonly whole: boolean; readonly marksTurns: boolean },
): TailFacts {
  const slice = sliceOf(bytes, 0, bytes.length);
  let state: SessionState | undefined;
  let updatedAt: string | undefined;
  let model: string | undefined;
  let usage: Usage | undefined;
  const starts = lineStarts(slice.text, options.whole);
  let end = bytes.length;
  for (let index = starts.length - 1; index >= 0; index -= 1) {
    if (state !== undefined && usage !== undefined && model !== undefined) break;
    const line = { start: starts[index]!, end };
    const kind = lineKind(slice, line.start);
    if (kind !== undefined) {
      updatedAt ??= timeIn(slice, line.start);
      if (kind.type === "turn_context") model ??= modelIn(slice, line.start, end);
      else if (kind.type === "token_usage_record") {
        usage ??= usageIn(objectField(slice, '"thread_token_usage":{', line));
      } else if (kind.inner === "token_count") {
        usage ??= usageIn(objectField(slice, '"total_token_usage":{', line));
      }
      state ??= stateAfter(kind, { marksTurns: options.marksTurns, slice, line });
    }
    end = line.start - 1;
  }
  return { state: state ?? "unknown", updatedAt, model, usage };
}

/** Where lines begin. Found forwards, because searching a text backwards is many times slower. */
function lineStarts(text: string, whole: boolean): readonly number[] {
  const starts = whole ? [0] : [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** How the last turn was left, as far as one record decides it. */
function stateAfter(
  kind: LineKind,
  facts: {
    readonly marksTurns: boolean;
    readonly slice: Slice;
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
  if (inner !== "message" || facts.marksTurns) return "interrupted";
  const { start, end } = facts.line;
  const isAnswer = facts.slice.text.slice(start, end).includes('"role":"assistant"');
  return isAnswer ? "waiting" : "interrupted";
}

function timeIn(slice: Slice, start: number): string | undefined {
  const range = { from: start, before: start + 20, maxBytes: 40 };
  const at = stringField(slice, "timestamp", range);
  return timeOf(at) === undefined ? undefined : at;
}

function usageIn(text: string | undefined): Usage | undefined {
  const totals = text === undefined ? undefined : totalsOf(parseObject(text));
  return totals === undefined ? undefined : usageOf(totals);
}

import { readSync } from "node:fs";
import { timeOf } from "../../base/clock.ts";
import { parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { newline } from "../../jsonl/line.ts";
import type { SessionState } from "../../model/head.ts";
import type { Usage } from "../../model/usage.ts";
import { lineKind, objectField, sliceOf, stringField } from "./field.ts";
import { modelOf } from "./start.ts";
import { totalsOf, usageOf } from "./token-usage.ts";

/** What the last records of a file tell. */
export interface TailFacts {
  readonly state: SessionState;
  readonly updatedAt: string | undefined;
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
}

const firstBytes = limits.tailBytes;
const moreBytes = 64 * limits.tailBytes;
const buffer = Buffer.allocUnsafe(moreBytes);

/** Reads the end of an open file: more of it where the last record is longer than the first look. */
export function readTail(
  fd: number,
  options: { readonly sizeBytes: number; readonly marksTurns: boolean },
): TailFacts {
  const { sizeBytes, marksTurns } = options;
  const look = (wanted: number): TailFacts => {
    const length = Math.min(wanted, sizeBytes);
    const taken = readSync(fd, buffer, 0, length, sizeBytes - length);
    return factsOf(buffer.subarray(0, taken), { whole: length === sizeBytes, marksTurns });
  };
  const facts = look(firstBytes);
  if (facts.state !== "unknown" || sizeBytes <= firstBytes) return facts;
  return look(moreBytes);
}

function factsOf(
  bytes: Buffer,
  options: { readonly whole: boolean; readonly marksTurns: boolean },
): TailFacts {
  let state: SessionState | undefined;
  let updatedAt: string | undefined;
  let model: string | undefined;
  let usage: Usage | undefined;
  let end = bytes[bytes.length - 1] === newline ? bytes.length - 1 : bytes.length;
  while (end > 0 && (state === undefined || usage === undefined || model === undefined)) {
    const before = bytes.lastIndexOf(newline, end - 1);
    if (before < 0 && !options.whole) break;
    const start = before + 1;
    const kind = lineKind(bytes, start, end);
    if (kind !== undefined) {
      updatedAt ??= timeIn(bytes, start);
      if (kind.type === "turn_context") model ??= modelOf(bytes, start, end);
      else if (kind.type === "token_usage_record") {
        usage ??= usageIn(bytes, { start, end, key: "thread_token_usage" });
      } else if (kind.inner === "token_count") {
        usage ??= usageIn(bytes, { start, end, key: "total_token_usage" });
      }
      state ??= stateAfter(kind.type, kind.inner, {
        marksTurns: options.marksTurns,
        isAnswer: () => sliceOf(bytes, start, Math.min(end, start + 600)).text.includes(answerRole),
      });
    }
    end = before;
  }
  return { state: state ?? "unknown", updatedAt, model, usage };
}

const answerRole = '"role":"assistant"';

/** How the last turn was left, as far as one record decides it. */
function stateAfter(
  type: string,
  inner: string,
  facts: { readonly marksTurns: boolean; readonly isAnswer: () => boolean },
): SessionState | undefined {
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
  return inner === "message" && !facts.marksTurns && facts.isAnswer() ? "waiting" : "interrupted";
}

function timeIn(bytes: Buffer, start: number): string | undefined {
  const at = stringField(sliceOf(bytes, start, start + 60), "timestamp", { maxBytes: 40 });
  return timeOf(at) === undefined ? undefined : at;
}

function usageIn(
  bytes: Buffer,
  line: { readonly start: number; readonly end: number; readonly key: string },
): Usage | undefined {
  const text = objectField(sliceOf(bytes, line.start, line.end), line.key);
  const totals = text === undefined ? undefined : totalsOf(parseObject(text));
  return totals === undefined ? undefined : usageOf(totals);
}

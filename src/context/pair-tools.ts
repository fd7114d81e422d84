import type { EventId } from "../model/event.ts";
import type { RecordedResult } from "./collect.ts";
import type { Draft } from "./draft.ts";
import type { MessageBlock, ToolResultBlock, ToolUseBlock } from "./messages.ts";
import type { Remarks } from "./remarks.ts";

/** What a model is reported a call whose result is not known. */
const missingResult = "No result was recorded";

/**
 * Puts every result right behind the message with its call. Afterwards each call has exactly one
 * result and each result a call: what is missing is filled in, what is left over is remarked on.
 */
export function pairTools(
  messages: readonly Draft[],
  options: { readonly results: readonly RecordedResult[]; readonly remarks: Remarks },
): readonly Draft[] {
  const { results, remarks } = options;
  const inOrder = pairedInOrder(messages, results);
  if (inOrder !== undefined) return inOrder;
  const firstResults = new Map<string, RecordedResult>();
  for (const result of results) {
    const { call } = result.block;
    if (firstResults.has(call)) remarks.add("duplicate_result", result.event);
    else firstResults.set(call, result);
  }
  const called = new Set<string>();
  const paired: Draft[] = [];
  for (const message of messages) {
    const calls = callsIn(message);
    const fresh = calls.length === 0 ? calls : firstOf(calls, { called, message, remarks });
    const kept = fresh.length === calls.length ? message : withOnly(fresh, message);
    if (kept.content.length === 0) continue;
    paired.push(kept);
    if (fresh.length > 0) paired.push(answerTo(fresh, { message, firstResults, remarks }));
  }
  for (const [call, { event }] of firstResults) {
    if (!called.has(call)) remarks.add("orphan_result", event);
  }
  return paired;
}

/**
 * The same in one go, where the results are those of the calls, one for each and in their order, as a session
 * without accidents has them; else undefined.
 */
function pairedInOrder(
  messages: readonly Draft[],
  results: readonly RecordedResult[],
): readonly Draft[] | undefined {
  const called = new Set<string>();
  const paired: Draft[] = [];
  let at = 0;
  for (const message of messages) {
    paired.push(message);
    if (message.role !== "assistant") continue;
    let answer: Draft | undefined;
    for (const call of message.content) {
      if (call.type !== "tool_use") continue;
      const result = results[at];
      if (result?.block.call !== call.call) return undefined;
      called.add(call.call);
      at += 1;
      if (answer === undefined) {
        answer = { role: "tool", content: [result.block], events: [result.event] };
        paired.push(answer);
      } else {
        answer.content.push(result.block);
        answer.events.push(result.event);
      }
    }
  }
  return at === results.length && called.size === at ? paired : undefined;
}

const none: readonly ToolUseBlock[] = [];

function callsIn({ role, content }: Draft): readonly ToolUseBlock[] {
  if (role !== "assistant") return none;
  let calls: ToolUseBlock[] | undefined;
  for (const block of content) {
    if (block.type !== "tool_use") continue;
    if (calls === undefined) calls = [block];
    else calls.push(block);
  }
  return calls ?? none;
}

/** Those of the calls that were not made before. */
function firstOf(
  calls: readonly ToolUseBlock[],
  known: { readonly called: Set<string>; readonly message: Draft; readonly remarks: Remarks },
): readonly ToolUseBlock[] {
  const { called, message, remarks } = known;
  const fresh: ToolUseBlock[] = [];
  for (const block of calls) {
    if (called.has(block.call)) remarks.add("duplicate_call", message.events[0]);
    else {
      called.add(block.call);
      fresh.push(block);
    }
  }
  return fresh;
}

function withOnly(calls: readonly ToolUseBlock[], message: Draft): Draft {
  const kept = new Set<MessageBlock>(calls);
  const content = message.content.filter((block) => block.type !== "tool_use" || kept.has(block));
  return { ...message, content };
}

function answerTo(
  calls: readonly ToolUseBlock[],
  known: {
    readonly message: Draft;
    readonly firstResults: ReadonlyMap<string, RecordedResult>;
    readonly remarks: Remarks;
  },
): Draft {
  const content: ToolResultBlock[] = [];
  const events: EventId[] = [];
  for (const { call } of calls) {
    const result = known.firstResults.get(call);
    if (result !== undefined) {
      content.push(result.block);
      events.push(result.event);
      continue;
    }
    known.remarks.add("missing_result", known.message.events[0]);
    const text = { type: "text", text: missingResult } as const;
    content.push({ type: "tool_result", call, content: [text], isError: true, missing: true });
  }
  return { role: "tool", content, events };
}

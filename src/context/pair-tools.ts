import type { RecordedResult } from "./collect.ts";
import type { Draft } from "./draft.ts";
import type { MessageBlock, ToolResultBlock, ToolUseBlock } from "./messages.ts";
import type { Remarks } from "./remarks.ts";

/** What a model is told of a call whose result is not known. */
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
  const firstResults = new Map<string, RecordedResult>();
  for (const result of results) {
    const { call } = result.block;
    if (firstResults.has(call)) remarks.add("duplicate_result", result.event);
    else firstResults.set(call, result);
  }
  const called = new Set<string>();
  const paired: Draft[] = [];
  for (const message of messages) {
    const kept = withoutRepeatedCalls(message, { called, remarks });
    if (kept.content.length === 0) continue;
    paired.push(kept);
    const answer = answerTo(kept, { firstResults, remarks });
    if (answer !== undefined) paired.push(answer);
  }
  for (const [call, { event }] of firstResults) {
    if (!called.has(call)) remarks.add("orphan_result", event);
  }
  return paired;
}

function isCall(block: MessageBlock): block is ToolUseBlock {
  return block.type === "tool_use";
}

function withoutRepeatedCalls(
  message: Draft,
  { called, remarks }: { readonly called: Set<string>; readonly remarks: Remarks },
): Draft {
  if (!message.content.some(isCall)) return message;
  const content = message.content.filter((block) => {
    if (block.type !== "tool_use") return true;
    const repeated = called.has(block.call);
    if (repeated) remarks.add("duplicate_call", message.events[0]);
    called.add(block.call);
    return !repeated;
  });
  return content.length === message.content.length ? message : { ...message, content };
}

function answerTo(
  message: Draft,
  options: {
    readonly firstResults: ReadonlyMap<string, RecordedResult>;
    readonly remarks: Remarks;
  },
): Draft | undefined {
  const calls = message.content.every(isCall) ? message.content : message.content.filter(isCall);
  if (calls.length === 0) return undefined;
  const recorded = calls.map(({ call }) => options.firstResults.get(call));
  const content = calls.map(({ call }, index): ToolResultBlock => {
    const result = recorded[index];
    if (result !== undefined) return result.block;
    options.remarks.add("missing_result", message.events[0]);
    const text = { type: "text", text: missingResult } as const;
    return { type: "tool_result", call, content: [text], isError: true };
  });
  return { role: "tool", content, events: recorded.flatMap((result) => result?.event ?? []) };
}

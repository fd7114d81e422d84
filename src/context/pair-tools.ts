import type { RecordedResult } from "./collect.ts";
import type { Draft } from "./draft.ts";
import type { ToolResultBlock } from "./messages.ts";
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

function withoutRepeatedCalls(
  message: Draft,
  { called, remarks }: { readonly called: Set<string>; readonly remarks: Remarks },
): Draft {
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
  const content: ToolResultBlock[] = [];
  const events: number[] = [];
  for (const block of message.content) {
    if (block.type !== "tool_use") continue;
    const result = options.firstResults.get(block.call);
    if (result === undefined) {
      options.remarks.add("missing_result", message.events[0]);
      content.push({
        type: "tool_result",
        call: block.call,
        content: [{ type: "text", text: missingResult }],
        isError: true,
      });
    } else {
      content.push(result.block);
      events.push(result.event);
    }
  }
  return content.length === 0 ? undefined : { role: "tool", content, events };
}

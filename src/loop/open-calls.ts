import type { ContextMessage, ToolUseBlock } from "../context/messages.ts";
import type { ToolResultEvent } from "../model/event.ts";

/** A call of the newest turn that nobody answered. */
export interface OpenCall {
  readonly call: string;
  readonly name: string;
  readonly input: unknown;
}

/** The calls since the newest prompt that have no recorded result: their process ended first. */
export function openCallsIn(messages: readonly ContextMessage[]): readonly OpenCall[] {
  const prompt = messages.findLastIndex(
    ({ role, injected, summary }) => role === "user" && injected !== true && summary !== true,
  );
  const turn = messages.slice(prompt + 1).flatMap(({ content }) => content);
  const calls = turn.filter((block): block is ToolUseBlock => block.type === "tool_use");
  const missing = new Set(
    turn.flatMap((block) =>
      block.type === "tool_result" && block.missing === true ? [block.call] : [],
    ),
  );
  return calls
    .filter(({ call }) => missing.has(call))
    .map(({ call, name, input }) => ({ call, name, input }));
}

/** What is recorded for a call whose process ended before its result was. */
export function interruptedResult({ call, name }: OpenCall): ToolResultEvent {
  return {
    type: "tool_result",
    call,
    name,
    isError: true,
    content:
      "Interrupted: the program ended before a result was recorded. The call may have had effects. Look before you repeat it.",
  };
}

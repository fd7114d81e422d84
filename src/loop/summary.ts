import { buildContext } from "../context/build.ts";
import { estimateTokens } from "../context/estimate.ts";
import type { ContextMessage } from "../context/messages.ts";
import { summarise as extract } from "../context/summarise.ts";
import type { SessionEvent } from "../model/event.ts";
import type { Summarise } from "../store/session-options.ts";
import type { Model } from "./model.ts";

const instructions = `Summarise the conversation for the one who continues it and sees nothing else of it.
Keep: what the user wants, names and facts they told, decisions and why, what was done, files with their paths, what failed,
what is open. Leave out pleasantries. Write plain sentences in the language of the conversation. Answer with the summary alone.`;

const defaultBudgetTokens = 4_000;

/**
 * A summary by a model, for compactions. Where the model fails, or what is to be summarised is too large for its window, the
 * built-in summary stands in: a compaction never fails for want of a summary.
 */
export function summariseWith(model: Model): Summarise {
  return async (events, { budgetTokens = defaultBudgetTokens, signal }) => {
    try {
      const summary = await asked(model, events, { budgetTokens, signal });
      if (summary.trim() !== "") return summary;
    } catch (error) {
      if (signal?.aborted === true) throw error;
    }
    return extract(events, { budgetTokens });
  };
}

async function asked(
  model: Model,
  events: readonly SessionEvent[],
  how: { readonly budgetTokens: number; readonly signal: AbortSignal | undefined },
): Promise<string> {
  const signal = how.signal ?? new AbortController().signal;
  const messages = requestOf(events, model, how.budgetTokens);
  let summary = "";
  let isWhole = false;
  const request = { messages, tools: [], maxTokens: how.budgetTokens, signal };
  for await (const part of model.stream(request)) {
    if (part.type === "text") summary += part.text;
    if (part.type === "end") isWhole = true;
  }
  return isWhole ? summary : "";
}

/** The conversation as one text, so that no model takes it for its own and continues it. */
function requestOf(
  events: readonly SessionEvent[],
  { windowTokens = 100_000 }: Model,
  budgetTokens: number,
): readonly ContextMessage[] {
  const room = Math.max(1_000, windowTokens - budgetTokens - estimateTokens(instructions) - 2_000);
  // The estimate may be less than the model counts.
  const { messages } = buildContext(events, { budgetTokens: Math.floor(room * 0.8) });
  const told = messages.filter(({ role }) => role !== "system").map(messageText);
  return [
    { role: "system", content: [{ type: "text", text: instructions }], events: [] },
    { role: "user", content: [{ type: "text", text: told.join("\n\n") }], events: [] },
  ];
}

function messageText({ role, content }: ContextMessage): string {
  const texts = content.map((block) => {
    switch (block.type) {
      case "text":
        return block.text;
      case "tool_use":
        return `(calls ${block.name}: ${JSON.stringify(block.input)})`;
      case "tool_result":
        return `(result: ${block.content.map((inner) => (inner.type === "text" ? inner.text : `[${inner.type}]`)).join("\n")})`;
      case "thinking":
        return "";
      default:
        return `[${block.type}]`;
    }
  });
  return `${role}: ${texts.filter((text) => text !== "").join("\n")}`;
}

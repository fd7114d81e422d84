import type { JsonObject } from "../base/json.ts";
import type { SessionEvent } from "../model/event.ts";
import { contextTokens as recordedTokens, type Usage } from "../model/usage.ts";
import type { ContextMessage, MessageBlock } from "./messages.ts";

/** Counts the tokens of a text. */
export type Estimate = (text: string) => number;

/** What an image costs a model, roughly, whatever its size in bytes. */
const imageTokens = 1600;

/** Tokens of a text where nobody counted them: a quarter of its characters. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Tokens of one message. */
export function messageTokens(
  message: ContextMessage,
  estimate: Estimate = estimateTokens,
): number {
  return blocksTokens(message.content, estimate);
}

function blocksTokens(blocks: readonly MessageBlock[], estimate: Estimate): number {
  return blocks.reduce((sum, block) => sum + blockTokens(block, estimate), 0);
}

function blockTokens(block: MessageBlock, estimate: Estimate): number {
  switch (block.type) {
    case "text":
      return estimate(block.text);
    case "thinking":
      return estimate(block.redacted ? (block.signature ?? "") : block.text);
    case "tool_use":
      return estimate(block.name) + inputTokens(block.input, estimate);
    case "tool_result":
      return blocksTokens(block.content, estimate);
    case "image":
      return imageTokens;
    case "file":
      if (block.source.kind === "base64") return Math.ceil((block.source.data.length * 3) / 16);
      return block.source.kind === "blob" ? Math.ceil(block.source.blob.size / 4) : 16;
  }
}

function inputTokens(input: unknown, estimate: Estimate): number {
  try {
    // The usual estimate needs the length alone, and making the text costs more than counting it.
    if (estimate === estimateTokens) return Math.ceil(jsonChars(input) / 4);
    return estimate(JSON.stringify(input) ?? "");
  } catch {
    // Nested deeper than the stack allows; such an input has no honest size.
    return 0;
  }
}

/** About as many characters as the value has as JSON: escapes count as the one character they stand for. */
export function jsonChars(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + jsonChars(item) + 1, 1);
  if (typeof value !== "object" || value === null) return String(value).length;
  let chars = 1;
  for (const key in value) chars += key.length + 4 + jsonChars((value as JsonObject)[key]);
  return chars;
}

/** Tokens of what an event says to a model; none where it says nothing. */
export function eventTokens(event: SessionEvent): number {
  switch (event.type) {
    case "tool_use":
      return inputTokens(event.input, estimateTokens);
    case "compaction":
      return estimateTokens(event.summary);
    case "user":
    case "assistant":
    case "thinking":
    case "tool_result":
    case "system":
      return typeof event.content === "string"
        ? estimateTokens(event.content)
        : inputTokens(event.content, estimateTokens);
    default:
      return 0;
  }
}

/** The usage recorded last after the newest compaction, and the event that has it. */
export function lastUsage(
  path: readonly SessionEvent[],
): { readonly event: SessionEvent; readonly tokens: number } | undefined {
  for (let index = path.length - 1; index >= 0; index -= 1) {
    const event = path[index]!;
    // What was measured before a compaction or a return says nothing about the context after it.
    if (event.type === "compaction") return undefined;
    const usage = usageOf(event);
    const tokens = usage === undefined ? 0 : recordedTokens(usage);
    if (tokens > 0) return { event, tokens };
  }
  return undefined;
}

/** The usage an event carries, where its type can carry one. */
export function usageOf(event: SessionEvent): Usage | undefined {
  if (event.type === "assistant") return event.synthetic ? undefined : event.usage;
  return event.type === "thinking" || event.type === "tool_use" ? event.usage : undefined;
}

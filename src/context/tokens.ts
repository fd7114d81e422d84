import type { JsonObject } from "../base/json.ts";
import type { Content } from "../model/block.ts";
import type { EventBody, SessionEvent } from "../model/event.ts";
import { contextTokens as recordedTokens, type Usage } from "../model/usage.ts";
import { type Estimate, estimateTokens } from "./estimate.ts";
import type { ContextMessage, MessageBlock } from "./messages.ts";

/** What an image costs a model, roughly, whatever its size in bytes. */
const imageTokens = 1600;

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

/** What a call takes in a context besides itself while its result is not there, and what joins two texts. */
const missingResultTokens = 8;

/** Tokens of what an event says to a model, at most; none where it says nothing. */
export function eventTokens(body: EventBody, estimate: Estimate = estimateTokens): number {
  switch (body.type) {
    case "tool_use":
      return estimate(body.name) + inputTokens(body.input ?? {}, estimate) + missingResultTokens;
    case "compaction":
      return estimate(body.summary) + introductionTokens;
    case "thinking":
      return estimate(body.redacted ? (body.signature ?? "") : body.content);
    case "user":
    case "assistant":
    case "tool_result":
    case "system":
    case "hook":
      return contentTokens(body.content, estimate);
    default:
      return 0;
  }
}

/** What is said before a summary. */
const introductionTokens = 16;

function contentTokens(content: Content | undefined, estimate: Estimate): number {
  if (content === undefined) return 0;
  if (typeof content === "string") return estimate(content);
  return content.reduce(
    (sum, block) => (block.type === "opaque" ? sum : sum + blockTokens(block, estimate)),
    0,
  );
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

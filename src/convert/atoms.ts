import { createHash } from "node:crypto";
import type { FileBlock, ImageBlock, TextBlock } from "../model/block.ts";
import type { OutgoingAssistant, OutgoingMessage } from "../model/outgoing.ts";

/**
 * The smallest things of a conversation that must arrive: a text, a call, an answer, an image. Two
 * conversations are equal when their atoms are. Thinking is not among them: it is an allowed loss.
 */
export function* atomsOf(message: OutgoingMessage): Generator<string> {
  switch (message.role) {
    case "summary":
      // A summary reaches every model as what the user said first.
      yield `user ${message.text.trim()}`;
      return;
    case "user":
      for (const block of message.content) {
        const what = given(block);
        if (what !== "") yield `user ${what}`;
      }
      return;
    case "assistant":
      for (const part of message.content) yield* spoken(part);
      return;
    case "results":
      for (const { call, content } of message.results) {
        yield `result ${call} ${content.map(given).join("\n")}`;
      }
      return;
  }
}

function* spoken(part: OutgoingAssistant["content"][number]): Generator<string> {
  if (part.type === "text") yield `assistant ${given(part)}`;
  else if (part.type === "tool_use") yield `call ${part.call} ${part.name} ${sorted(part.input)}`;
}

function given(block: TextBlock | ImageBlock | FileBlock): string {
  // Agents trim what they store, and one needs an unseen mark in front: neither is what was said.
  if (block.type === "text") return block.text.replace(/^\u200b/, "").trim();
  const source =
    block.source.kind === "base64" ? digest(block.source.data) : JSON.stringify(block.source);
  return `[${block.type} ${block.mediaType ?? ""} ${source}]`;
}

/** JSON with its keys in order: the order of arguments means nothing. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

import { randomUUID } from "node:crypto";
import type { FileBlock, ImageBlock, TextBlock } from "../../../model/block.ts";
import type {
  OutgoingAssistant,
  OutgoingMessage,
  OutgoingResult,
} from "../../../model/outgoing.ts";

/** Put before what the program would drop as a command or as context of its own; nobody sees it. */
const unseen = "\u200b";
const droppedOnResume = /^(?:[/?]|<session_context>|<hook_context>)/;

/** A text as it was said, without what was put before it. */
export function unmarked(text: string): string {
  return text.startsWith(unseen) ? text.slice(unseen.length) : text;
}

/** The lines of one message: the record that is replayed, then what the screen shows of its calls. */
export function* recordsOf(message: OutgoingMessage): Generator<object> {
  yield recordOf(message);
  yield* shownCalls(message);
}

function recordOf(message: OutgoingMessage): object {
  const common = { id: randomUUID(), timestamp: message.at };
  switch (message.role) {
    case "summary":
      return {
        ...common,
        type: "user",
        content: userParts([{ type: "text", text: message.text }]),
      };
    case "user":
      return userRecord(common, message.content);
    case "assistant":
      return modelRecord(common, message);
    case "results":
      // Shown with its call already, so the line of answers shows nothing of its own.
      return { ...common, type: "user", content: message.results.map(answer), displayContent: " " };
  }
}

function userRecord(
  common: object,
  content: readonly (TextBlock | ImageBlock | FileBlock)[],
): object {
  const parts = userParts(content);
  const hidden = JSON.stringify(parts).includes(unseen);
  const shown = content.flatMap((block) => (block.type === "text" ? [{ text: block.text }] : []));
  return {
    ...common,
    type: "user",
    content: parts,
    ...(hidden && shown.length > 0 && { displayContent: shown }),
  };
}

function userParts(content: readonly (TextBlock | ImageBlock | FileBlock)[]): readonly object[] {
  const parts = content.flatMap((block): object[] => {
    if (block.type === "text") return [{ text: block.text }];
    if (block.source.kind !== "base64") return [];
    return [{ inlineData: { mimeType: block.mediaType, data: block.source.data } }];
  });
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  if (text.trim() === "") return [{ text: unseen }, ...parts];
  const [first, ...rest] = parts;
  if (!droppedOnResume.test(text.trim()) || first === undefined || !("text" in first)) return parts;
  return [{ text: `${unseen}${String(first.text)}` }, ...rest];
}

/** What the screen shows of calls: lines that are never sent, so that no version replays a call twice. */
function* shownCalls(message: OutgoingMessage): Generator<object> {
  if (message.role !== "assistant") return;
  for (const part of message.content) {
    if (part.type !== "tool_use") continue;
    const content = `${part.name} ${JSON.stringify(part.input).slice(0, 200)}`;
    yield { id: randomUUID(), timestamp: message.at, type: "info", content };
  }
}

/** Calls stand in the content, which is replayed as it is. */
function modelRecord(common: object, message: OutgoingAssistant): object {
  const content = message.content.flatMap((part): object[] => {
    if (part.type === "text") return [{ text: part.text }];
    if (part.type === "tool_use")
      return [{ functionCall: { id: part.call, name: part.name, args: part.input } }];
    return [];
  });
  const text = joined(message.content);
  const { usage, model } = message;
  const input = (usage?.input ?? 0) + (usage?.cacheRead ?? 0);
  const output = usage?.output ?? 0;
  return {
    ...common,
    type: "gemini",
    content,
    displayContent: text,
    ...(usage !== undefined && {
      tokens: {
        input,
        output,
        cached: usage.cacheRead ?? 0,
        thoughts: usage.reasoning ?? 0,
        tool: 0,
        total: input + output,
      },
    }),
    ...(model !== undefined && { model }),
  };
}

function answer({ call, name, content, isError }: OutgoingResult): object {
  const text = joined(content);
  return {
    functionResponse: { id: call, name, response: isError ? { error: text } : { output: text } },
  };
}

function joined(content: readonly { readonly type: string }[]): string {
  const texts = content.filter((part): part is TextBlock => part.type === "text");
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return only.text;
  return texts.map(({ text }) => text).join("\n");
}

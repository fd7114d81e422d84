import { randomUUID } from "node:crypto";
import type { FileBlock, ImageBlock, TextBlock } from "../../../model/block.ts";
import type {
  OutgoingAssistant,
  OutgoingCall,
  OutgoingMessage,
  OutgoingResult,
} from "../../../model/outgoing.ts";

/** The version of the program whose records these are. */
export const formatVersion = "1.0.102";

/** What a record holds, before it has its place. */
export interface Contents {
  readonly type: string;
  readonly data: object;
}

/** The records of one message. */
export function contentsOf(message: OutgoingMessage): readonly Contents[] {
  switch (message.role) {
    case "summary":
      return [
        {
          type: "session.compaction_complete",
          data: { success: true, summaryContent: message.text },
        },
      ];
    case "user":
      return prompts(message.content);
    case "assistant":
      return answers(message);
    case "results":
      return message.results.map(answered);
  }
}

type Given = readonly (TextBlock | ImageBlock | FileBlock)[];

/** A prompt is one text with images behind it: a further text begins another one. */
function prompts(given: Given): readonly Contents[] {
  const made: { content: string; attachments: object[] }[] = [];
  for (const block of given) {
    if (block.type === "text") made.push({ content: block.text, attachments: [] });
    else if (block.type === "image" && block.source.kind === "base64") {
      if (made.length === 0) made.push({ content: "", attachments: [] });
      const { mediaType: mimeType, source, name: displayName } = block;
      const named = displayName === undefined ? {} : { displayName };
      made.at(-1)!.attachments.push({ type: "blob", data: source.data, mimeType, ...named });
    }
  }
  return made.map((data) => ({ type: "user.message", data }));
}

/** An answer is one text with calls behind it. */
function answers({ content, model }: OutgoingAssistant): readonly Contents[] {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const calls = content.filter((part): part is OutgoingCall => part.type === "tool_use");
  const said = texts.length === 0 ? [""] : texts;
  return said.map((text, index) => ({
    type: "assistant.message",
    data: {
      messageId: randomUUID(),
      ...(model !== undefined && { model }),
      content: text,
      toolRequests: index === said.length - 1 ? calls.map(request) : [],
    },
  }));
}

function request({ call, name, input }: OutgoingCall): object {
  return { toolCallId: call, name, arguments: input, type: "function" };
}

function answered({ call, content, isError }: OutgoingResult): Contents {
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const text = texts.join("\n");
  const outcome = isError
    ? { success: false, error: { message: text, code: "failure" } }
    : { success: true, result: { content: text } };
  return { type: "tool.execution_complete", data: { toolCallId: call, ...outcome } };
}

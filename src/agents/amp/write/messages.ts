import type { FileBlock, ImageBlock, TextBlock } from "../../../model/block.ts";
import type {
  OutgoingAssistant,
  OutgoingMessage,
  OutgoingResult,
} from "../../../model/outgoing.ts";
import { unnamedImage } from "../thread.ts";

/** One message of a conversation as a thread holds it, without its number. */
export function messageOf(message: OutgoingMessage): object {
  switch (message.role) {
    case "summary": {
      const summary = { type: "message", summary: message.text };
      return { role: "info", content: [{ type: "summary", summary }] };
    }
    case "user":
      return {
        role: "user",
        content: message.content.flatMap(blockOf),
        meta: { sentAt: Date.parse(message.at) },
      };
    case "assistant":
      return answer(message);
    case "results":
      return { role: "user", content: message.results.map(result) };
  }
}

function blockOf(block: TextBlock | ImageBlock | FileBlock): readonly object[] {
  if (block.type === "text") return [{ type: "text", text: block.text }];
  if (block.type !== "image" || block.source.kind !== "base64") return [];
  const source = { type: "base64", mediaType: block.mediaType, data: block.source.data };
  // The program fails on an image without a path, whatever it is.
  return [{ type: "image", sourcePath: block.name ?? unnamedImage, source }];
}

function answer({ content, model, usage, at }: OutgoingAssistant): object {
  const blocks = content.flatMap((part): object[] => {
    if (part.type === "text") return [{ type: "text", text: part.text }];
    if (part.type !== "tool_use") return [];
    const { call: id, name, input } = part;
    return [{ type: "tool_use", complete: true, id, name, input }];
  });
  const isCall = content.some(({ type }) => type === "tool_use");
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage ?? {};
  return {
    role: "assistant",
    content: blocks,
    state: { type: "complete", stopReason: isCall ? "tool_use" : "end_turn" },
    usage: {
      ...(model !== undefined && { model }),
      ...(usage !== undefined && {
        inputTokens: input,
        outputTokens: output,
        cacheReadInputTokens: cacheRead,
        cacheCreationInputTokens: cacheWrite,
        totalInputTokens: input + cacheRead + cacheWrite,
      }),
      timestamp: at,
    },
  };
}

function result({ call, content, isError }: OutgoingResult): object {
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const run = isError
    ? { status: "error", error: { message: text } }
    : { status: "done", result: text };
  return { type: "tool_result", toolUseID: call, run };
}

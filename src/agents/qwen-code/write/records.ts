import type { FileBlock, ImageBlock, TextBlock } from "../../../model/block.ts";
import type {
  OutgoingAssistant,
  OutgoingMessage,
  OutgoingResult,
} from "../../../model/outgoing.ts";

/** The version of the program whose records these are. */
export const formatVersion = "0.24.4";

/**
 * The records of one message, without their place. A compression hides all before it: a summary that comes later is
 * what the user said.
 */
export function recordsOf(message: OutgoingMessage, isFirst: boolean): readonly object[] {
  switch (message.role) {
    case "summary": {
      if (!isFirst) {
        const content = { role: "user", parts: [{ text: message.text }] };
        return [{ type: "user", provenance: "real_user", message: content }];
      }
      const compressedHistory = [{ role: "user", parts: [{ text: message.text }] }];
      const systemPayload = { info: { compressionStatus: 1 }, compressedHistory };
      return [{ type: "system", provenance: "system", subtype: "chat_compression", systemPayload }];
    }
    case "user": {
      const content = { role: "user", parts: message.content.flatMap(partOf) };
      return [{ type: "user", provenance: "real_user", message: content }];
    }
    case "assistant":
      return [answer(message)];
    case "results":
      return message.results.map(result);
  }
}

function partOf(block: TextBlock | ImageBlock | FileBlock): readonly object[] {
  if (block.type === "text") return [{ text: block.text }];
  if (block.source.kind !== "base64") return [];
  return [{ inlineData: { mimeType: block.mediaType, data: block.source.data } }];
}

function answer({ content, model, usage }: OutgoingAssistant): object {
  const parts = content.flatMap((part): object[] => {
    if (part.type === "text") return [{ text: part.text }];
    if (part.type === "thinking") return [{ text: part.text, thought: true }];
    return [{ functionCall: { id: part.call, name: part.name, args: part.input } }];
  });
  const cached = usage?.cacheRead ?? 0;
  const prompt = (usage?.input ?? 0) + cached;
  const output = usage?.output ?? 0;
  return {
    type: "assistant",
    provenance: "assistant_output",
    ...(model !== undefined && { model }),
    message: { role: "model", parts },
    ...(usage !== undefined && {
      usageMetadata: {
        promptTokenCount: prompt,
        candidatesTokenCount: output,
        thoughtsTokenCount: usage.reasoning ?? 0,
        totalTokenCount: prompt + output,
        cachedContentTokenCount: cached,
      },
    }),
  };
}

function result({ call, name, content, isError }: OutgoingResult): object {
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const response = isError ? { error: text } : { output: text };
  return {
    type: "tool_result",
    provenance: "tool_result",
    message: { role: "user", parts: [{ functionResponse: { id: call, name, response } }] },
    toolCallResult: { callId: call, status: isError ? "error" : "success", resultDisplay: text },
  };
}

import { randomUUID } from "node:crypto";
import type { FileBlock, ImageBlock, TextBlock } from "../../../model/block.ts";
import type {
  OutgoingAssistant,
  OutgoingMessage,
  OutgoingResult,
} from "../../../model/outgoing.ts";

/** The messages of LangChain that one of a conversation becomes, as its serializer writes them. */
export function messagesOf(message: OutgoingMessage): readonly object[] {
  switch (message.role) {
    case "summary":
      return [made("HumanMessage", { content: message.text })];
    case "user":
      return [made("HumanMessage", { content: contentOf(message.content) })];
    case "assistant":
      return [answer(message)];
    case "results":
      return message.results.map(result);
  }
}

function made(name: string, fields: object): object {
  return {
    lc: 1,
    type: "constructor",
    id: ["langchain_core", "messages", name],
    kwargs: { id: randomUUID(), additional_kwargs: {}, response_metadata: {}, ...fields },
  };
}

function answer({ content, model, usage }: OutgoingAssistant): object {
  const calls = content.filter((part) => part.type === "tool_use");
  const said = content.filter((part) => part.type !== "thinking");
  const isMixed = said.some(
    (part, at) =>
      part.type === "tool_use" && said.slice(at + 1).some(({ type }) => type === "text"),
  );
  const texts = said.filter((part) => part.type === "text");
  const parts = isMixed ? said : texts;
  const counted = usage === undefined ? undefined : tokens(usage);
  return made("AIMessage", {
    content: parts.length === 1 && parts[0]?.type === "text" ? parts[0].text : parts.map(partOf),
    tool_calls: calls.map(({ call, name, input }) => ({
      id: call,
      name,
      args: input,
      type: "tool_call",
    })),
    invalid_tool_calls: [],
    ...(counted !== undefined && { usage_metadata: counted }),
    ...(model !== undefined && { response_metadata: { model_name: model } }),
  });
}

function partOf(part: OutgoingAssistant["content"][number]): object {
  if (part.type === "tool_use")
    return { type: "tool_use", id: part.call, name: part.name, input: part.input };
  return { type: "text", text: part.text };
}

function tokens(usage: NonNullable<OutgoingAssistant["usage"]>): object {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage;
  const all = input + cacheRead + cacheWrite;
  return {
    input_tokens: all,
    output_tokens: output,
    total_tokens: all + output,
    input_token_details: { cache_read: cacheRead, cache_creation: cacheWrite },
  };
}

function result({ call, name, content, isError }: OutgoingResult): object {
  return made("ToolMessage", {
    content: contentOf(content),
    tool_call_id: call,
    name,
    status: isError ? "error" : "success",
  });
}

function contentOf(blocks: readonly (TextBlock | ImageBlock | FileBlock)[]): unknown {
  const [only] = blocks;
  if (blocks.length === 1 && only?.type === "text") return only.text;
  return blocks.map((block) => {
    if (block.type === "text") return { type: "text", text: block.text };
    const { source, mediaType = "image/png" } = block;
    const url =
      source.kind === "base64" ? `data:${mediaType};base64,${source.data}` : JSON.stringify(source);
    return { type: "image_url", image_url: { url: source.kind === "url" ? source.url : url } };
  });
}

import { asArray, asCount, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { type Block, contentOfBlocks } from "../../../model/block.ts";
import type { EventBody } from "../../../model/event.ts";
import type { Usage } from "../../../model/usage.ts";

/** One message of a thread, as both languages keep it. */
export interface ThreadMessage {
  readonly role: "user" | "assistant" | "system" | "tool";
  readonly fields: JsonObject;
  readonly native: unknown;
}

const roles: Readonly<Record<string, ThreadMessage["role"]>> = {
  human: "user",
  user: "user",
  ai: "assistant",
  assistant: "assistant",
  system: "system",
  developer: "system",
  tool: "tool",
  function: "tool",
};

/** A message in a channel's value; undefined if it is none. */
export function messageIn(value: unknown): ThreadMessage | undefined {
  if (!isObject(value)) return undefined;
  const { class: made, fields } = value;
  const own = isObject(fields) && typeof made === "string" ? fields : value;
  const named =
    typeof made === "string"
      ? /^(\w+?)Message(?:Chunk)?$/.exec(made)?.[1]?.toLowerCase()
      : undefined;
  const stated = asString(own["role"]) ?? named ?? asString(own["type"]) ?? "";
  const role = roles[stated] ?? roles[asString(own["type"]) ?? ""];
  if (role === undefined || own["content"] === undefined) return undefined;
  return { role, fields: own, native: value };
}

/** The events of one message. */
export function bodiesOf({ role, fields }: ThreadMessage): readonly EventBody[] {
  const { thoughts, blocks } = contentIn(fields["content"]);
  const content = blocks.length === 0 ? "" : contentOfBlocks(blocks);
  switch (role) {
    case "user":
      return [{ type: "user", content }];
    case "system":
      return [{ type: "system", content }];
    case "tool":
      return [
        {
          type: "tool_result",
          call: asString(fields["tool_call_id"]) ?? "",
          ...(asString(fields["name"]) && { name: asString(fields["name"])! }),
          content,
          ...(fields["status"] === "error" && { isError: true }),
        },
      ];
    case "assistant":
      return answerBodies(fields, thoughts, blocks);
  }
}

function answerBodies(
  fields: JsonObject,
  thoughts: readonly { readonly text: string; readonly signature?: string }[],
  blocks: readonly Block[],
): readonly EventBody[] {
  const message = asString(fields["id"]);
  const about = isObject(fields["response_metadata"]) ? fields["response_metadata"] : {};
  const model = asString(about["model_name"]) ?? asString(about["model"]);
  const shared = { ...(message && { message }), ...(model && { model }) };
  const calls = asArray(fields["tool_calls"]).filter(isObject);
  const usage = usageIn(fields["usage_metadata"]);
  const counted = usage === undefined ? {} : { usage };
  const bodies: EventBody[] = thoughts.map(({ text, signature }) => ({
    type: "thinking",
    content: text,
    ...shared,
    ...(signature !== undefined && { signature }),
  }));
  const callBody = (call: JsonObject): EventBody => ({
    type: "tool_use",
    call: asString(call["id"]) ?? "",
    name: asString(call["name"]) ?? "",
    input: call["args"] ?? {},
    ...shared,
  });
  // A provider may keep calls among the texts: then they stand where they were made.
  const open = new Map(calls.map((call) => [call["id"], call]));
  let said: Block[] = [];
  const flush = (): void => {
    if (said.length > 0)
      bodies.push({ type: "assistant", content: contentOfBlocks(said), ...shared });
    said = [];
  };
  for (const block of blocks) {
    const call =
      block.type === "opaque" && isObject(block.value) ? open.get(block.value["id"]) : undefined;
    if (call === undefined) {
      if (!isCallBlock(block)) said.push(block);
      continue;
    }
    flush();
    open.delete(call["id"]);
    bodies.push(callBody(call));
  }
  flush();
  bodies.push(...[...open.values()].map(callBody));
  if (bodies.length === thoughts.length) bodies.push({ type: "assistant", content: "", ...shared });
  const last = bodies.at(-1)!;
  const isOver = calls.length === 0 && last.type === "assistant";
  bodies[bodies.length - 1] = {
    ...last,
    ...counted,
    ...(isOver && { endTurn: true }),
  } as EventBody;
  return bodies;
}

function isCallBlock(block: Block): boolean {
  return (
    block.type === "opaque" && isObject(block.value) && callTypes.has(String(block.value["type"]))
  );
}

const callTypes: ReadonlySet<string> = new Set(["tool_use", "tool_call", "input_json_delta"]);

function usageIn(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const details = isObject(value["input_token_details"]) ? value["input_token_details"] : {};
  const cacheRead = asCount(details["cache_read"]) ?? 0;
  const cacheWrite = asCount(details["cache_creation"]) ?? 0;
  // The input counts what was read from the cache and written to it.
  const input = Math.max(0, (asCount(value["input_tokens"]) ?? 0) - cacheRead - cacheWrite);
  return { input, output: asCount(value["output_tokens"]) ?? 0, cacheRead, cacheWrite };
}

interface SaidContent {
  readonly thoughts: readonly { readonly text: string; readonly signature?: string }[];
  readonly blocks: readonly Block[];
}

function contentIn(content: unknown): SaidContent {
  if (typeof content === "string")
    return { thoughts: [], blocks: content === "" ? [] : [{ type: "text", text: content }] };
  const thoughts: { text: string; signature?: string }[] = [];
  const blocks: Block[] = [];
  for (const item of asArray(content)) {
    if (typeof item === "string") {
      blocks.push({ type: "text", text: item });
      continue;
    }
    if (!isObject(item)) continue;
    const text = asString(item["text"]);
    const thought = asString(item["thinking"]) ?? asString(item["reasoning"]);
    const signature = asString(item["signature"]);
    if (thought !== undefined)
      thoughts.push({ text: thought, ...(signature !== undefined && { signature }) });
    else if (item["type"] === "text" && text !== undefined) blocks.push({ type: "text", text });
    else blocks.push(mediaIn(item));
  }
  return { thoughts, blocks };
}

/** An image in any of the ways providers write it; anything else is kept as it is. */
function mediaIn(item: JsonObject): Block {
  const given = item["image_url"];
  const url = asString(given) ?? (isObject(given) ? asString(given["url"]) : undefined);
  const inline = url === undefined ? null : /^data:([\w/+.-]{1,80});base64,(.*)$/s.exec(url);
  if (inline !== null)
    return { type: "image", mediaType: inline[1]!, source: { kind: "base64", data: inline[2]! } };
  if (url !== undefined)
    return { type: "image", mediaType: "image/*", source: { kind: "url", url } };
  const source = isObject(item["source"]) ? item["source"] : {};
  const data = asString(item["data"]) ?? asString(source["data"]);
  const mediaType = asString(item["mime_type"]) ?? asString(source["media_type"]);
  if (item["type"] === "image" && data !== undefined && mediaType !== undefined)
    return { type: "image", mediaType, source: { kind: "base64", data } };
  return { type: "opaque", from: "langgraph", value: item };
}

import { isoTime } from "../../../base/clock.ts";
import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { Block } from "../../../model/block.ts";
import type { EventBody } from "../../../model/event.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { RowPart } from "../../row-document.ts";

/** A conversation of Claude.ai: messages in order; where they name their parents, those on the way to the last are live. */
export function* claudeParts(conversation: JsonObject): Generator<RowPart> {
  const messages = asArray(conversation["chat_messages"]).filter(isObject);
  const live = livePath(messages);
  const ends = new Map<string, string>();
  for (const [index, message] of messages.entries()) {
    const id = asString(message["uuid"]) ?? String(index);
    const at = isoTime(message["created_at"]);
    let above = ends.get(asString(message["parent_message_uuid"]) ?? "");
    for (const [place, body] of bodiesOf(message, id).entries()) {
      const number = eventNumber(String(index + 1), place + 1);
      const parent = above === undefined ? {} : { parent: above };
      yield {
        number,
        at,
        ...parent,
        live: live === undefined || live.has(id),
        body,
        native: message,
      };
      above = number;
    }
    if (above !== undefined) ends.set(id, above);
  }
}

/** Undefined if no message names a parent that is there: then all of them are one line. */
function livePath(messages: readonly JsonObject[]): ReadonlySet<string> | undefined {
  const known = new Map(messages.map((message) => [asString(message["uuid"]), message]));
  const hasTree = messages.some((message) =>
    known.has(asString(message["parent_message_uuid"]) ?? ""),
  );
  if (!hasTree) return undefined;
  const path = new Set<string>();
  for (let at = messages.at(-1); at !== undefined; ) {
    const id = asString(at["uuid"]);
    if (id === undefined || path.has(id)) break;
    path.add(id);
    const parent = asString(at["parent_message_uuid"]);
    at = parent === undefined ? undefined : known.get(parent);
  }
  return path;
}

function bodiesOf(message: JsonObject, id: string): readonly EventBody[] {
  const blocks = asArray(message["content"]).filter(isObject);
  const text = asString(message["text"]) ?? "";
  if (message["sender"] === "human") {
    const said: readonly Block[] = blocks.flatMap((block) => textBlocks(asString(block["text"])));
    const content = [...(said.length > 0 ? said : textBlocks(text)), ...attachments(message)];
    return content.length === 0 ? [] : [{ type: "user", content }];
  }
  const bodies = blocks.flatMap((block, index) => assistantBodies(block, { id, index }));
  if (bodies.length > 0) return bodies;
  return text === "" ? [] : [{ type: "assistant", content: text, message: id }];
}

function assistantBodies(
  block: JsonObject,
  { id, index }: { readonly id: string; readonly index: number },
): readonly EventBody[] {
  switch (block["type"]) {
    case "text": {
      const text = asString(block["text"]) ?? "";
      return text === "" ? [] : [{ type: "assistant", content: text, message: id }];
    }
    case "thinking": {
      const thought = asString(block["thinking"]) ?? "";
      return thought === "" ? [] : [{ type: "thinking", content: thought, message: id }];
    }
    case "tool_use": {
      const call = asString(block["id"]) ?? `${id}-${index}`;
      const input = isObject(block["input"]) ? block["input"] : {};
      return [
        { type: "tool_use", call, name: asString(block["name"]) ?? "tool", input, message: id },
      ];
    }
    case "tool_result": {
      const call = asString(block["tool_use_id"]) ?? `${id}-${index - 1}`;
      const content = resultText(block["content"]);
      const isError = block["is_error"] === true ? { isError: true } : {};
      return [
        { type: "tool_result", call, name: asString(block["name"]) ?? "tool", content, ...isError },
      ];
    }
    default:
      return [];
  }
}

function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  return asArray(content)
    .map((part) => (isObject(part) ? (asString(part["text"]) ?? JSON.stringify(part)) : ""))
    .join("\n");
}

function textBlocks(text: string | undefined): readonly Block[] {
  return text === undefined || text === "" ? [] : [{ type: "text", text }];
}

/** What was attached: the text the service took out of it, or its name alone. */
function attachments(message: JsonObject): readonly Block[] {
  const given = [...asArray(message["attachments"]), ...asArray(message["files"])].filter(isObject);
  return given.map((file): Block => {
    const name = asString(file["file_name"]) || "file";
    const text = asString(file["extracted_content"]);
    if (text !== undefined && text !== "") return { type: "text", text: `${name}:\n${text}` };
    return { type: "file", name, source: { kind: "path", path: name } };
  });
}

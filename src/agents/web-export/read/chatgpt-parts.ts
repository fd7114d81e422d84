import { isoOf } from "../../../base/clock.ts";
import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { Block } from "../../../model/block.ts";
import type { EventBody } from "../../../model/event.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { RowPart } from "../../row-document.ts";
import { msOfSeconds } from "../element-facts.ts";

interface Visit {
  readonly id: string;
  /** The number of the last event above it. */
  readonly above?: string;
  /** The call that a result below would answer. */
  readonly call?: string;
}

/** A conversation of ChatGPT: a tree of messages; the path to its current node is live. */
export function* chatgptParts(conversation: JsonObject): Generator<RowPart> {
  const mapping = conversation["mapping"] as JsonObject;
  const live = livePath(mapping, asString(conversation["current_node"]));
  const roots = Object.keys(mapping).filter((id) => !isKnown(mapping, parentOf(mapping, id)));
  const stack: Visit[] = roots.reverse().map((id) => ({ id }));
  const seen = new Set<string>();
  let ordinal = 0;
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { id } = visit;
    const node = mapping[id];
    if (seen.has(id) || !isObject(node)) continue;
    seen.add(id);
    ordinal += 1;
    const message = node["message"];
    let { above, call } = visit;
    if (isObject(message)) {
      const ms = msOfSeconds(message["create_time"]);
      for (const [index, body] of bodiesOf(message, id, call).entries()) {
        const number = eventNumber(String(ordinal), index + 1);
        const at = ms === undefined ? {} : { at: isoOf(ms) };
        const parent = above === undefined ? {} : { parent: above };
        yield { number, ...at, ...parent, live: live.has(id), body, native: message };
        above = number;
        if (body.type === "tool_use") call = body.call;
      }
    }
    // The live child comes last of all, so that what continues it follows it.
    const children = asArray(node["children"]).filter((child) => typeof child === "string");
    const later = children.toReversed().sort((a, b) => Number(live.has(b)) - Number(live.has(a)));
    for (const child of later)
      stack.push({
        id: child,
        ...(above !== undefined && { above }),
        ...(call !== undefined && { call }),
      });
  }
}

function parentOf(mapping: JsonObject, id: string): string | undefined {
  const node = mapping[id];
  return isObject(node) ? asString(node["parent"]) : undefined;
}

function isKnown(mapping: JsonObject, id: string | undefined): boolean {
  return id !== undefined && Object.hasOwn(mapping, id);
}

function livePath(mapping: JsonObject, current: string | undefined): ReadonlySet<string> {
  const path = new Set<string>();
  const newest = isKnown(mapping, current) ? current : Object.keys(mapping).at(-1);
  for (
    let at = newest;
    at !== undefined && !path.has(at) && isKnown(mapping, at);
    at = parentOf(mapping, at)
  )
    path.add(at);
  return path;
}

function bodiesOf(message: JsonObject, id: string, call: string | undefined): readonly EventBody[] {
  const author = isObject(message["author"]) ? message["author"] : {};
  const content = isObject(message["content"]) ? message["content"] : {};
  const metadata = isObject(message["metadata"]) ? message["metadata"] : {};
  const model = asString(metadata["model_slug"]);
  const of = { message: id, ...(model !== undefined && { model }) };
  const recipient = asString(message["recipient"]) ?? "all";
  if (content["content_type"] === "thoughts") {
    const thoughts = asArray(content["thoughts"]).filter(isObject);
    const text = thoughts
      .map((one) => asString(one["content"]) || asString(one["summary"]) || "")
      .join("\n\n");
    return text.trim() === "" ? [] : [{ type: "thinking", content: text, ...of }];
  }
  const blocks = blocksOf(content);
  const text = blocks.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  if (blocks.length === 0) return [];
  switch (author["role"]) {
    case "user":
      return metadata["is_user_system_message"] === true
        ? [{ type: "system", content: text }]
        : [{ type: "user", content: blocks }];
    case "system":
      return [{ type: "system", content: text }];
    case "tool": {
      const name = asString(author["name"]);
      const named = name === undefined ? {} : { name };
      // A result whose call the export left out is reported as a remark.
      return call === undefined
        ? [{ type: "note", content: `${name ?? "tool"}: ${text}` }]
        : [{ type: "tool_result", call, ...named, content: blocks }];
    }
    default:
      return recipient === "all"
        ? [{ type: "assistant", content: blocks, ...of }]
        : [{ type: "tool_use", call: id, name: recipient, input: inputOf(text), ...of }];
  }
}

/** What a tool is given: JSON if it is some, else code. */
function inputOf(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Code, or a search in words.
  }
  return { code: text };
}

function blocksOf(content: JsonObject): readonly Block[] {
  const parts = Array.isArray(content["parts"]) ? asArray(content["parts"]) : [];
  const texts = [
    content["text"],
    content["result"],
    content["user_profile"],
    content["user_instructions"],
  ];
  const blocks = [...parts, ...texts].flatMap((part): readonly Block[] => {
    if (typeof part === "string") return part === "" ? [] : [{ type: "text", text: part }];
    if (!isObject(part)) return [];
    const said = asString(part["text"]);
    if (said !== undefined) return [{ type: "text", text: said }];
    const pointer = asString(part["asset_pointer"]);
    if (pointer === undefined) return [];
    return [
      {
        type: "file",
        name: pointer.split("/").at(-1) ?? pointer,
        source: { kind: "url", url: pointer },
      },
    ];
  });
  return blocks;
}

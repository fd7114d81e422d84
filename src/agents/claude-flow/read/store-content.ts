import { asArray, asString, isObject, type JsonObject, parseObject } from "../../../base/json.ts";
import { innerObjects } from "../../../json/inner-objects.ts";
import type { DocumentContent, DocumentPart } from "../../document.ts";
import { type MemoryEntry, momentOfMs, momentOfText } from "../entries.ts";

/** An entry of memory as a note: where it is kept, under which key, and what it says. */
export function entryPart({ key, namespace, content, at, native }: MemoryEntry): DocumentPart {
  const text = `${namespace}/${key}\n${content}`;
  return { at, body: { type: "note", content: text }, native };
}

/** The entries of a memory in one JSON file: lists by namespace (2.x), an object of entries or one list (3.x). */
export function storeContent(text: string): DocumentContent {
  const whole = parseObject(text) ?? parseObject(`{"default":${text}}`);
  if (whole !== undefined) return { parts: [...entriesOf(whole)].map(entryPart) };
  const found = innerObjects(text, isEntry).map((one) => entryOf(one, "default"));
  const isOther = text.trim() === "";
  const recovered = found.length;
  return {
    parts: found.map(entryPart),
    damage: isOther ? [] : [{ kind: "bad_json", offset: 0, recovered }],
  };
}

/** The entries of such a file, if it is whole. */
export function storedEntries(text: string): Iterable<MemoryEntry> {
  const whole = parseObject(text);
  return whole === undefined ? [] : entriesOf(whole);
}

function isEntry(one: JsonObject): boolean {
  return typeof one["key"] === "string" && ("value" in one || "content" in one);
}

function* entriesOf(store: JsonObject): Generator<MemoryEntry> {
  const inner = isObject(store["entries"]) ? store["entries"] : store;
  for (const [name, value] of Object.entries(inner)) {
    if (isObject(value) && isEntry({ key: name, ...value }))
      yield entryOf({ key: name, ...value }, "default");
    for (const one of asArray(value)) if (isObject(one) && isEntry(one)) yield entryOf(one, name);
  }
}

function entryOf(one: JsonObject, namespace: string): MemoryEntry {
  const value = one["value"] ?? one["content"];
  const stored = one["timestamp"] ?? one["storedAt"] ?? one["createdAt"];
  return {
    key: asString(one["key"]) ?? "",
    namespace: asString(one["namespace"]) ?? namespace,
    content: typeof value === "string" ? value : JSON.stringify(value ?? null),
    at: momentOfText(stored) ?? momentOfMs(stored),
    native: one,
  };
}

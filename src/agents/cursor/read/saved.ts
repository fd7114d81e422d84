import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { EventBody } from "../../../model/event.ts";
import { partsOfPage } from "../../../model/note-page.ts";
import { momentIn } from "../../../model/usage-counts.ts";
import { items, type KeyValues } from "../key-values.ts";
import { memoryKeys, rulesKey } from "../locate/composers.ts";
import { composersOf, keys, notepadsOf, tabsOf } from "../locate/workspaces.ts";
import type { Meant } from "../part.ts";
import { jsonOf, textOf } from "../stored-json.ts";
import { bodiesOf, frameOf } from "./bubbles.ts";

/** One record of what lies whole under a key. */
export interface SavedRecord {
  readonly uuid?: string;
  readonly at?: string;
  readonly bodies: readonly EventBody[];
  readonly native: unknown;
}

/** The keys that what is meant lies under. */
export function savedKeys({ kind }: Meant): readonly string[] {
  switch (kind) {
    case "chat":
      return [keys.chats];
    case "inline":
      return [keys.composers];
    case "notepad":
      return [keys.notepads];
    case "prompts":
      return [keys.generations, keys.prompts];
    case "memories":
      return memoryKeys;
    default:
      return [rulesKey];
  }
}

/** The chat, conversation or page that is meant, as it is stored; undefined if it is gone or cannot be read. */
export function savedOf(values: KeyValues, { kind, id }: Meant): JsonObject | undefined {
  if (kind === "chat")
    return tabsOf(values.get(items, keys.chats)).find((tab) => (tab["tabId"] ?? tab["id"]) === id);
  if (kind === "inline")
    return composersOf(values.get(items, keys.composers)).find(
      ({ composerId }) => composerId === id,
    );
  return notepadsOf(values.get(items, keys.notepads)).find((notepad) => notepad["id"] === id);
}

/** What lies under the keys, in its order; undefined if it is gone or cannot be read. */
export function savedRecords(values: KeyValues, meant: Meant): readonly SavedRecord[] | undefined {
  switch (meant.kind) {
    case "chat":
    case "inline": {
      const found = savedOf(values, meant);
      const bubbles = asArray(found?.["bubbles"] ?? found?.["conversation"]).filter(isObject);
      return found && bubbles.map((bubble) => ({ ...frameOf(bubble), ...said(bubble) }));
    }
    case "notepad": {
      const text = asString(savedOf(values, meant)?.["text"]);
      return text === undefined ? undefined : pageRecords(text);
    }
    case "rules": {
      const text = textOf(values.get(items, rulesKey));
      return text === undefined ? undefined : pageRecords(text);
    }
    case "memories":
      return listed(
        memoryKeys.flatMap((key) => asArray(jsonOf(values.get(items, key)))),
        memory,
      );
    default: {
      const generations = asArray(jsonOf(values.get(items, keys.generations)));
      const prompts = asArray(jsonOf(values.get(items, keys.prompts)));
      return listed(generations.length > 0 ? generations : prompts, prompt);
    }
  }
}

function said(bubble: JsonObject): Pick<SavedRecord, "bodies" | "native"> {
  return { bodies: bodiesOf(bubble), native: bubble };
}

function pageRecords(text: string): readonly SavedRecord[] {
  return partsOfPage(text).map((part) => note(part.text, part.text));
}

function listed(
  records: readonly unknown[],
  of: (record: JsonObject) => SavedRecord | undefined,
): readonly SavedRecord[] | undefined {
  const found = records.filter(isObject).flatMap((record) => of(record) ?? []);
  return records.length === 0 ? undefined : found;
}

function memory(record: JsonObject): SavedRecord | undefined {
  const text = asString(record["memory"]);
  if (text === undefined) return undefined;
  const title = asString(record["title"]);
  return { ...timed(record, "timestamp"), ...note(title ? `${title}\n\n${text}` : text, record) };
}

function prompt(record: JsonObject): SavedRecord | undefined {
  const text = asString(record["textDescription"]) ?? asString(record["text"]);
  return text ? { ...timed(record, "unixMs"), ...note(text, record) } : undefined;
}

function note(content: string, native: unknown): SavedRecord {
  return { bodies: [{ type: "note", content }], native };
}

function timed(record: JsonObject, name: string): Pick<SavedRecord, "uuid" | "at"> {
  const ms = momentIn(record[name]);
  const uuid = asString(record["id"]) ?? asString(record["generationUUID"]);
  return {
    ...(uuid !== undefined && { uuid }),
    ...(!Number.isNaN(ms) && { at: new Date(ms).toISOString() }),
  };
}

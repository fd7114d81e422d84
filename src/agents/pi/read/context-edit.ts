import { isObject, type JsonObject } from "../../../base/json.ts";
import { keyOf } from "../record-types.ts";
import { bodiesOf, type RecordBodies } from "./bodies.ts";

/** What pi sends in place of an earlier entry: another content, or nothing. */
export interface ContextEdit {
  readonly target: string | undefined;
  /** Absent where the entry is left out. */
  readonly replacement?: { readonly content: unknown } | undefined;
}

/** The edit a record makes; undefined for every other record. */
export function editOf(record: JsonObject): ContextEdit | undefined {
  if (record["type"] !== "context_edit") return undefined;
  const target = keyOf(record["targetId"]);
  const { replacement } = record;
  // pi writes an object or null, and takes whatever else is there for an object.
  if (!isObject(replacement)) return { target };
  return { target, replacement: { content: replacement["content"] } };
}

/**
 * What an entry says once it was edited: what it said before is kept and no longer sent, the new content
 * comes after it. Only messages can have another content; all entries can be left out.
 */
export function editedBodies(
  record: JsonObject,
  said: RecordBodies,
  options: { readonly edit: ContextEdit; readonly message: string },
): RecordBodies {
  const { replacement } = options.edit;
  if (replacement === undefined) return { ...said, sent: false };
  const edited = withContent(record, replacement.content);
  if (edited === undefined) return said;
  const { bodies, sent } = bodiesOf(edited, { message: options.message });
  return { bodies: [...said.bodies, ...bodies], sent, superseded: said.bodies.length };
}

const editableRoles: ReadonlySet<unknown> = new Set([
  "user",
  "assistant",
  "toolResult",
  "custom",
  "hookMessage",
]);

function withContent(record: JsonObject, content: unknown): JsonObject | undefined {
  if (record["type"] === "custom_message") return { ...record, content };
  const { message } = record;
  if (record["type"] !== "message" || !isObject(message)) return undefined;
  if (!editableRoles.has(message["role"])) return undefined;
  return { ...record, message: { ...message, content } };
}

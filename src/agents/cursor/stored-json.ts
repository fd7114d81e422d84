import { type JsonObject, parseObject } from "../../base/json.ts";

/** A value of the program's tables as the JSON it is, text or bytes; undefined if it is none. */
export function jsonOf(stored: unknown): unknown {
  const text = textOf(stored);
  return text === undefined ? undefined : parseObject(`{"value":${text}}`)?.["value"];
}

/** The same where it is one object. */
export function objectOf(stored: unknown): JsonObject | undefined {
  const text = textOf(stored);
  return text === undefined ? undefined : parseObject(text);
}

/** A value of the program's tables as text. */
export function textOf(stored: unknown): string | undefined {
  if (typeof stored === "string") return stored;
  return stored instanceof Uint8Array ? Buffer.from(stored).toString("utf8") : undefined;
}

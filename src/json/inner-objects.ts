import { type JsonObject, parseObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { scanObject } from "./scan-object.ts";

/**
 * The objects that are still whole inside a text that is no JSON any more, the outermost ones that are
 * accepted.
 */
export function innerObjects(
  text: string,
  accepts: (candidate: JsonObject) => boolean,
): readonly JsonObject[] {
  const found: JsonObject[] = [];
  let attempts = 0;
  let at = text.indexOf("{");
  while (at >= 0 && found.length < limits.salvagedRecords && attempts < limits.innerAttempts) {
    attempts += 1;
    const { end } = scanObject(text, at);
    const object = end === undefined ? undefined : parseObject(text.slice(at, end));
    const isTaken = object !== undefined && accepts(object);
    if (isTaken) found.push(object);
    at = text.indexOf("{", isTaken ? end! : at + 1);
  }
  return found;
}

/** The texts and numbers that stand behind keys in a text that is no JSON any more; the first of a key counts. */
export function looseFields(text: string, keys: readonly string[]): JsonObject {
  const fields: Record<string, unknown> = {};
  for (const key of keys) {
    const value = new RegExp(
      `"${key}"\\s*:\\s*("(?:[^"\\\\\\n]|\\\\.){0,4000}"|-?\\d{1,20}(?:\\.\\d+)?)`,
    );
    const stated = value.exec(text)?.[1];
    if (stated === undefined) continue;
    try {
      fields[key] = JSON.parse(stated);
    } catch {
      // Damaged inside its quotes: nothing can be said of it.
    }
  }
  return fields;
}

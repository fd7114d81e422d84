import { resolve } from "node:path";
import { RepriseError } from "../../../base/errors.ts";
import { smallFile } from "../../../base/folders.ts";
import { type JsonObject, parseObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";

/** What a script measured: numbers, words and yes or no, by name. */
export type Metrics = Readonly<Record<string, number | string | boolean>>;

const mostFields = 100;

/** Reads the metrics a script hands over; anything but a flat object of short values is `bad_input`. */
export function readMetrics(file: string, folder: string): Metrics {
  const path = resolve(folder, file);
  const text = smallFile(path, limits.chunkBytes);
  if (text === undefined) {
    throw new RepriseError("not_found", `${path} is not there, or larger than 64 KiB.`, {
      hint: "Give the name of a small JSON file.",
    });
  }
  const value = parseObject(text.replace(/^\ufeff/, ""));
  if (value === undefined) throw notMetrics("it is not a JSON object");
  return checked(value);
}

function checked(value: JsonObject): Metrics {
  const fields = Object.entries(value);
  if (fields.length > mostFields) throw notMetrics(`it has more than ${mostFields} fields`);
  for (const [name, field] of fields) {
    if (!/^[\w. -]{1,80}$/.test(name) || name === "__proto__")
      throw notMetrics(`${JSON.stringify(name.slice(0, 80))} is not the name of a field`);
    const plain =
      (typeof field === "number" && Number.isFinite(field)) ||
      typeof field === "boolean" ||
      (typeof field === "string" && field.length <= limits.ledgerItemChars);
    if (!plain) throw notMetrics(`${name} is neither a number, a short text, nor yes or no`);
  }
  return value as Metrics;
}

function notMetrics(why: string): RepriseError {
  return new RepriseError("bad_input", `These are not metrics: ${why}.`, {
    hint: 'They look like {"tests": 214, "coverage": 0.93}. Nothing was written.',
  });
}

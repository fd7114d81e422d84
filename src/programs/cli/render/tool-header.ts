import { asArray, asString, isObject, type JsonObject, parseObject } from "../../../base/json.ts";
import { oneLine } from "../../../model/text.ts";
import { jsonText } from "./json-text.ts";

/** Arguments that say what a call is about, the most telling first. */
const tellingKeys = [
  "command",
  "cmd",
  "file_path",
  "filePath",
  "absolute_path",
  "notebook_path",
  "pattern",
  "path",
  "query",
  "url",
  "description",
  "prompt",
  "subject",
  "name",
  "skill",
] as const;

const subjectChars = 160;

/** The input of a call as an object, also where an agent wrote it as JSON text. */
export function inputObject(input: unknown): JsonObject | undefined {
  if (isObject(input)) return input;
  return typeof input === "string" && input.startsWith("{") ? parseObject(input) : undefined;
}

/** The one line that says what a tool call does: the command, the file, the pattern. */
export function toolSubject(input: unknown): string {
  const object = inputObject(input);
  if (object === undefined) {
    if (typeof input !== "string") return input === undefined ? "" : short(jsonText(input));
    return short(patchedFiles(input) ?? input);
  }
  const patch = asString(object["patch"]) ?? asString(object["input"]);
  const files = patch === undefined ? undefined : patchedFiles(patch);
  if (files !== undefined) return short(files);
  for (const key of tellingKeys) {
    const value = tell(object[key]);
    if (value === undefined) continue;
    const place = key === "pattern" ? asString(object["path"]) : undefined;
    return short(place === undefined ? value : `${value} in ${place}`);
  }
  const first = Object.values(object).find((value) => tell(value) !== undefined);
  if (first !== undefined) return short(tell(first) ?? "");
  return Object.keys(object).length === 0 ? "" : short(jsonText(object));
}

function tell(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const words = asArray(value);
  if (!words.every((word) => typeof word === "string")) return undefined;
  // A shell that only runs a script says less than the script: ["bash", "-lc", "npm test"].
  const [shell = "", flag = "", script] = words;
  if (script !== undefined && /(^|\/)(ba|z|da)?sh$/.test(shell) && /^-\w*c$/.test(flag))
    return script;
  return words.join(" ");
}

function patchedFiles(patch: string): string | undefined {
  if (!patch.includes("*** Begin Patch")) return undefined;
  const names = [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)];
  return names.length === 0 ? undefined : names.map((found) => found[1]!.trim()).join(", ");
}

function short(text: string): string {
  return oneLine(text, subjectChars);
}

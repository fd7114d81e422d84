import { asArray, asNumber, asString, isObject, type JsonObject } from "../base/json.ts";
import type { SessionEvent, ToolResultEvent, ToolUseEvent } from "../model/event.ts";
import { oneLine } from "../model/text.ts";
import { withoutExecFrame } from "./exec-frame.ts";
import { textOf } from "./given.ts";

/** What was done with a file, the strongest word last. */
export type FileAction = "read" | "changed" | "created" | "deleted";

/** A command an agent ran; `failure` is the first line of what went wrong. */
export interface CommandRun {
  readonly command: string;
  readonly failure?: string;
}

const pathKeys = ["file_path", "filePath", "path", "notebook_path", "absolute_path", "filename"];
const changes = /write|edit|patch|replace|create|insert|update|apply/i;
const reads = /read|view|open|cat|show/i;
const patchHeader = /^\*\*\* (Add|Update|Delete) File: (.{1,500})$|^\*\*\* Move to: (.{1,500})$/gm;

/** The files one event read or changed. */
export function filesOf(event: SessionEvent): readonly (readonly [path: string, FileAction])[] {
  if (event.type === "file") {
    return [[event.path, event.action === "modified" ? "changed" : event.action]];
  }
  if (event.type !== "tool_use") return [];
  const patched = patchesOf(event.input);
  if (patched.length > 0) return patched;
  if (!isObject(event.input)) return [];
  const action = changes.test(event.name) ? "changed" : reads.test(event.name) ? "read" : undefined;
  if (action === undefined) return [];
  const named = [event.input, ...asArray(event.input["edits"]), ...asArray(event.input["files"])];
  return named.flatMap((input) => {
    const path = isObject(input) ? firstString(input, pathKeys) : undefined;
    return path === undefined || path === "" ? [] : [[path, action] as const];
  });
}

/** A patch may be the input itself, one of its fields, or an argument of a command. */
function patchesOf(input: unknown): readonly (readonly [string, FileAction])[] {
  const texts = isObject(input)
    ? Object.values(input).flatMap((field) => (Array.isArray(field) ? field : [field]))
    : [input];
  const found: (readonly [string, FileAction])[] = [];
  for (const text of texts) {
    if (typeof text !== "string" || !text.includes("*** ")) continue;
    for (const [, verb, path, moved] of text.matchAll(patchHeader)) {
      const action = verb === "Add" ? "created" : verb === "Delete" ? "deleted" : "changed";
      found.push([(path ?? moved ?? "").trim(), action]);
    }
  }
  return found;
}

/** The shell command of a call, on one line. */
export function commandOf(event: ToolUseEvent): string | undefined {
  const { input } = event;
  if (!isObject(input)) return undefined;
  const given = input["command"] ?? input["cmd"] ?? input["script"];
  const words = asArray(given).filter((word) => typeof word === "string");
  // Shells are called as `bash -lc <command>`; the command is what says.
  const shell = words.length === 3 && /^-\w*c$/.test(words[1]!) ? words[2] : words.join(" ");
  const command = asString(given) ?? shell;
  if (command === undefined || command.trim() === "" || command.includes("*** Begin Patch")) {
    return undefined;
  }
  return oneLine(command, 200);
}

/** Why a call failed, on one line; undefined if it did not. */
export function failureOf(result: ToolResultEvent | undefined): string | undefined {
  if (result === undefined) return undefined;
  const exitCode = isObject(result.details) ? exitCodeOf(result.details) : undefined;
  if (result.isError !== true && (exitCode === undefined || exitCode === 0)) return undefined;
  const code = exitCode === undefined ? "" : `exit ${exitCode}: `;
  return oneLine(`${code}${withoutExecFrame(textOf(result.content))}`, 160) || "failed";
}

function exitCodeOf(details: JsonObject): number | undefined {
  return asNumber(details["exitCode"] ?? details["exit_code"] ?? details["code"]);
}

function firstString(object: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = asString(object[key]);
    if (value !== undefined) return value;
  }
  return undefined;
}

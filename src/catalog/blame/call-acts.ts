import type { Agent } from "../../agents/contract.ts";
import { asArray, asString, isObject, type JsonObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { NeutralCall, ToolDialect } from "../../model/tool-dialect.ts";
import type { Change, FileAct } from "./file-act.ts";
import { holdsPatch, patchActs } from "./patch.ts";
import { shellWriteActs } from "./shell-write.ts";

/** The words of every agent: a native session may speak any of them. */
export function dialectsOf(agents: readonly Agent[]): readonly ToolDialect[] {
  return agents.flatMap(({ tools }) => tools ?? []);
}

/** What a tool call does with files, in any agent's words; empty where it does nothing that is reported. */
export function callActs(
  call: { readonly name: string; readonly input: unknown },
  dialects: readonly ToolDialect[],
): readonly FileAct[] {
  const patch = patchIn(call.input);
  if (patch !== undefined) return patch;
  const input = objectIn(call.input);
  if (input === undefined) return [];
  for (const dialect of dialects) {
    const neutral = dialect.neutral({ name: call.name, input });
    const act = neutral === undefined ? undefined : neutralAct(neutral);
    if (act !== undefined) return [act];
    if (neutral?.act === "shell") return shellActs(String(neutral.args["command"]), input);
  }
  // A shell may be given its words one by one, the script last: ["bash", "-lc", "npm test"].
  const script = asArray(input["command"]).at(-1);
  return typeof script === "string" ? shellActs(script, input) : otherActs(call.name, input);
}

/** The input of a call as an object, also where an agent wrote it as JSON text. */
function objectIn(input: unknown): JsonObject | undefined {
  if (isObject(input)) return input;
  return typeof input === "string" && input.startsWith("{") ? parseObject(input) : undefined;
}

function neutralAct({ act, args }: NeutralCall): FileAct | undefined {
  const path = asString(args["path"]);
  if (path === undefined) return undefined;
  switch (act) {
    case "read":
      return { path, action: "read", changes: [] };
    case "write":
      return written(path, asString(args["content"]) ?? "");
    case "edit":
      return edited(path, [
        replaced(String(args["before"]), String(args["after"]), args["all"] === true),
      ]);
    case "shell":
    case "glob":
    case "grep":
      return undefined;
  }
}

/** Files a command writes whole. */
function shellActs(command: string, input: JsonObject): readonly FileAct[] {
  const acts = shellWriteActs(command);
  if (acts.length === 0) return acts;
  return inFolder(acts, folderOf(input, command.slice(0, command.indexOf("<<"))));
}

function inFolder(acts: readonly FileAct[], folder: string | undefined): readonly FileAct[] {
  return folder === undefined ? acts : acts.map((act) => ({ ...act, folder }));
}

function written(path: string, content: string): FileAct {
  return { path, action: "created", changes: [{ kind: "write", content }] };
}

function edited(path: string, changes: readonly Change[]): FileAct {
  // An edit that expects nothing makes the file.
  const [first] = changes;
  const makes = first?.kind === "write";
  return { path, action: makes ? "created" : "modified", changes };
}

function replaced(before: string, after: string, all: boolean): Change {
  return before === ""
    ? { kind: "write", content: after }
    : { kind: "replace", before, after, all };
}

/** Calls that have no exact counterpart in other agents: several edits at once, cells, editors' commands. */
function otherActs(name: string, input: JsonObject): readonly FileAct[] {
  const path = pathIn(input);
  if (path === undefined) return [];
  const pairs = [input, ...asArray(input["edits"]).filter(isObject)].flatMap(replacementIn);
  if (pairs.length > 0) return [edited(path, pairs)];
  const source = asString(input["new_source"]);
  if (source !== undefined) {
    // A notebook holds each line of a cell as a JSON string of its own, the last one without its end.
    const ends = source.split("\n").flatMap((line) => [`${line}\n`, line]);
    const lines = ends.map((line) => JSON.stringify(line));
    return [edited(path, [{ kind: "put", lines }])];
  }
  const content = asString(input["content"]) ?? asString(input["file_text"]);
  if (content !== undefined && /write|create/i.test(`${name} ${asString(input["command"]) ?? ""}`))
    return [written(path, content)];
  const inserted = asString(input["insert_text"]);
  if (inserted !== undefined) return [edited(path, [{ kind: "put", lines: inserted.split("\n") }])];
  return /^(?:read|view|open|cat)/i.test(name) ? [{ path, action: "read", changes: [] }] : [];
}

/** The path a call is given, by the name tools have for it; undefined if it is given none. */
export function pathGiven(input: unknown): string | undefined {
  const object = objectIn(input);
  return object === undefined ? undefined : pathIn(object);
}

function pathIn(input: JsonObject): string | undefined {
  for (const key of ["file_path", "filePath", "path", "notebook_path", "absolute_path"]) {
    const path = asString(input[key]);
    if (path !== undefined && path !== "") return path;
  }
  return undefined;
}

function replacementIn(input: JsonObject): readonly Change[] {
  for (const [from, to] of [
    ["old_string", "new_string"],
    ["oldString", "newString"],
    ["oldText", "newText"],
    ["old_str", "new_str"],
  ] as const) {
    const before = asString(input[from]);
    const after = asString(input[to]);
    const all = input["replace_all"] === true || input["replaceAll"] === true;
    if (before !== undefined && after !== undefined) return [replaced(before, after, all)];
  }
  return [];
}

/** A patch given alone, as an argument, or to a command in a shell. */
function patchIn(input: unknown): readonly FileAct[] | undefined {
  const object = objectIn(input);
  const values = object === undefined ? [input] : Object.values(object).flat();
  const text = values.find((value): value is string => {
    return typeof value === "string" && holdsPatch(value);
  });
  if (text === undefined) return undefined;
  const acts = patchActs(text);
  // What only quotes a patch, in a file's content or a command, applies none.
  const script = text.slice(0, text.indexOf("*** Begin Patch")).trim();
  const isQuoted =
    (object !== undefined && pathIn(object) !== undefined) ||
    (script !== "" && !/apply_?patch/.test(script));
  if (acts.length === 0 || isQuoted) return undefined;
  return inFolder(acts, folderOf(object, script));
}

/** `cd` into a folder that the text says, with more to follow. */
const goingTo = /(?:^|[\n;&(][ \t]*)cd\s+(?:"([^"$`]+)"|'([^']+)'|([^\s;&|"'$`]+))\s*(?:&&|;|\n)/;

/** Where a command was by the time its script had come so far. */
function folderOf(object: JsonObject | undefined, script: string): string | undefined {
  const given = asString(object?.["workdir"]) ?? asString(object?.["cwd"]);
  const gone = goingTo.exec(script.slice(0, limits.pathChars));
  const went = gone?.[1] ?? gone?.[2] ?? gone?.[3];
  if (went === undefined || given === undefined) return went ?? given;
  return went.startsWith("/") ? went : `${given}/${went}`;
}

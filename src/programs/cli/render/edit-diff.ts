import { diffLines } from "diff";
import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { inputObject } from "./tool-header.ts";

/** One line of a change. */
export interface DiffLine {
  readonly kind: "added" | "removed" | "same" | "place";
  readonly text: string;
}

/** What a tool call does to one file. */
export interface FileChange {
  readonly path: string;
  readonly action: "edit" | "write" | "delete";
  readonly lines: readonly DiffLine[];
}

/** The changes a tool call asks for; empty where it is not an edit. */
export function changesOf(name: string, input: unknown): readonly FileChange[] {
  const patch = patchIn(input);
  if (patch !== undefined) return patchChanges(patch);
  const object = inputObject(input);
  if (object === undefined) return [];
  const path = pathIn(object);
  if (path === undefined) return [];
  const pairs = [object, ...asArray(object["edits"]).filter(isObject)].flatMap(replacement);
  if (pairs.length > 0) {
    return [{ path, action: "edit", lines: joined(pairs.map(([from, to]) => lineDiff(from, to))) }];
  }
  const content = asString(object["content"]) ?? asString(object["file_text"]);
  if (content === undefined || !/write|create/i.test(name)) return [];
  return [{ path, action: "write", lines: marked("added", content) }];
}

function pathIn(object: JsonObject): string | undefined {
  for (const key of ["file_path", "filePath", "path", "notebook_path", "absolute_path"]) {
    const path = asString(object[key]);
    if (path !== undefined) return path;
  }
  return undefined;
}

function replacement(object: JsonObject): readonly (readonly [string, string])[] {
  for (const [from, to] of [
    ["old_string", "new_string"],
    ["oldString", "newString"],
    ["oldText", "newText"],
    ["old_str", "new_str"],
  ] as const) {
    const before = asString(object[from]);
    const after = asString(object[to]);
    if (before !== undefined && after !== undefined) return [[before, after]];
  }
  return [];
}

function joined(parts: readonly (readonly DiffLine[])[]): readonly DiffLine[] {
  return parts.flatMap((lines, index) =>
    index === 0 ? lines : [{ kind: "place" as const, text: "…" }, ...lines],
  );
}

/** The lines that differ between two texts, with those they share between them. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const removedAll = marked("removed", before);
  const addedAll = marked("added", after);
  if (before.length + after.length > limits.diffBytes) return [...removedAll, ...addedAll];
  const changes = diffLines(ended(before), ended(after), { maxEditLength: 2000 });
  if (changes === undefined) return [...removedAll, ...addedAll];
  return changes.flatMap((change) =>
    marked(change.added ? "added" : change.removed ? "removed" : "same", change.value),
  );
}

/** A last line without a newline would differ from the same line with one. */
function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function marked(kind: DiffLine["kind"], text: string): readonly DiffLine[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text)
    .split("\n")
    .map((line) => ({ kind, text: line }));
}

/** A patch in the `*** Begin Patch` notation, given alone, as an argument, or inside a command. */
function patchIn(input: unknown): string | undefined {
  const object = inputObject(input);
  const candidates = object === undefined ? [input] : Object.values(object).flat();
  const text = candidates.find(
    (value): value is string => typeof value === "string" && value.includes("*** Begin Patch\n"),
  );
  if (text === undefined) return undefined;
  const start = text.indexOf("*** Begin Patch\n") + "*** Begin Patch\n".length;
  const end = text.indexOf("*** End Patch", start);
  return text.slice(start, end < 0 ? undefined : end);
}

function patchChanges(patch: string): readonly FileChange[] {
  const changes: { path: string; action: FileChange["action"]; lines: DiffLine[] }[] = [];
  for (const line of patch.split("\n")) {
    const file = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line);
    const current = changes.at(-1);
    if (file !== null) {
      const action = file[1] === "Add" ? "write" : file[1] === "Delete" ? "delete" : "edit";
      changes.push({ path: file[2]!.trim(), action, lines: [] });
    } else if (current === undefined) continue;
    else if (line.startsWith("+")) current.lines.push({ kind: "added", text: line.slice(1) });
    else if (line.startsWith("-")) current.lines.push({ kind: "removed", text: line.slice(1) });
    else if (line.startsWith(" ")) current.lines.push({ kind: "same", text: line.slice(1) });
    else if (line !== "") current.lines.push({ kind: "place", text: line });
  }
  return changes;
}

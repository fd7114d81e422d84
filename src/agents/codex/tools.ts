import { asString } from "../../base/json.ts";
import { dialect, type NeutralCall, type ToolDialect } from "../../model/tool-dialect.ts";

/** A command that takes long is answered by `write_stdin`, which waits for the rest of its output. */
const words = dialect([{ act: "shell", name: "exec_command", args: { command: "cmd" } }], {
  shell: ["write_stdin", "shell", "local_shell", "shell_command"],
  edit: ["apply_patch"],
});

const begin = "*** Begin Patch\n";
const end = "\n*** End Patch\n";

/**
 * Codex's words for what every agent's tools do. Files are changed by patches: a whole new file and one
 * replacement translate, anything larger is kept as the patch it is.
 */
export const tools: ToolDialect = {
  actOf: words.actOf,
  neutral: (call) => {
    if (call.name !== "apply_patch") return words.neutral(call);
    const { input, ...extra } = call.input;
    if (typeof input !== "string" || Object.keys(extra).length > 0) return undefined;
    const meaning = meaningOf(input);
    // Only what comes back as the same patch: a file without lines, or an empty last line, would not.
    return meaning !== undefined && patchOf(meaning) === input ? meaning : undefined;
  },
  spoken: (call) => {
    if (call.act !== "write" && call.act !== "edit") return words.spoken(call);
    const patch = Object.keys(call.extra).length === 0 ? patchOf(call) : undefined;
    return patch === undefined ? undefined : { name: "apply_patch", input: { input: patch } };
  },
};

/** What a patch of exactly one new file, or one replacement in one file, means. */
function meaningOf(patch: string): NeutralCall | undefined {
  if (!patch.startsWith(begin) || !patch.endsWith(end)) return undefined;
  const [heading = "", ...lines] = patch.slice(begin.length, -end.length).split("\n");
  const added = /^\*\*\* Add File: (.+)$/.exec(heading)?.[1];
  if (added !== undefined && lines.every((line) => line.startsWith("+"))) {
    // Every line of a new file ends with a newline.
    const content = lines.map((line) => `${line.slice(1)}\n`).join("");
    return { act: "write", args: { path: added, content }, extra: {} };
  }
  const updated = /^\*\*\* Update File: (.+)$/.exec(heading)?.[1];
  if (updated === undefined || lines.shift() !== "@@") return undefined;
  const first = lines.findIndex((line) => !line.startsWith("-"));
  const [before, after] = first < 0 ? [lines, []] : [lines.slice(0, first), lines.slice(first)];
  if (before.length === 0 || after.length === 0 || !after.every((line) => line.startsWith("+")))
    return undefined;
  return {
    act: "edit",
    args: { path: updated, before: cut(before), after: cut(after) },
    extra: {},
  };
}

function patchOf({ act, args }: NeutralCall): string | undefined {
  const path = asString(args["path"]);
  if (path === undefined || path.includes("\n") || path !== path.trim()) return undefined;
  if (act === "write") {
    const content = asString(args["content"]);
    // A patch cannot say a last line without its newline, nor a file without lines.
    if (content === undefined || !content.endsWith("\n")) return undefined;
    return `${begin}*** Add File: ${path}\n${marked("+", content.slice(0, -1))}${end}`;
  }
  const { before, after } = args;
  if (typeof before !== "string" || typeof after !== "string" || "all" in args) return undefined;
  // A patch replaces whole lines: what takes the newline of its last line with it would gain an empty one.
  if (before.endsWith("\n")) return undefined;
  return `${begin}*** Update File: ${path}\n@@\n${marked("-", before)}\n${marked("+", after)}${end}`;
}

function marked(mark: string, text: string): string {
  return text
    .split("\n")
    .map((line) => `${mark}${line}`)
    .join("\n");
}

function cut(lines: readonly string[]): string {
  return lines.map((line) => line.slice(1)).join("\n");
}

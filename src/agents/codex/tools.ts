import { asString } from "../../base/json.ts";
import { dialect, type NeutralCall, type ToolDialect } from "../../model/tool-dialect.ts";

const words = dialect([{ act: "shell", name: "exec_command", args: { command: "cmd" } }]);

const begin = "*** Begin Patch\n";
const end = "\n*** End Patch";

/**
 * Codex's words for what every agent's tools do. Files are changed by patches: a whole new file and one
 * replacement translate, anything larger is kept as the patch it is.
 */
export const tools: ToolDialect = {
  neutral: (call) => {
    if (call.name !== "apply_patch") return words.neutral(call);
    const { input, ...extra } = call.input;
    return typeof input === "string" && Object.keys(extra).length === 0
      ? meaningOf(input)
      : undefined;
  },
  spoken: (call) => {
    if (call.act !== "write" && call.act !== "edit") return words.spoken(call);
    const patch = Object.keys(call.extra).length === 0 ? patchOf(call) : undefined;
    return patch === undefined ? undefined : { name: "apply_patch", input: { input: patch } };
  },
};

/** What a patch of exactly one new file, or one replacement in one file, means. */
function meaningOf(patch: string): NeutralCall | undefined {
  const text = patch.trim();
  if (!text.startsWith(begin) || !text.endsWith(end)) return undefined;
  const [heading = "", ...lines] = text.slice(begin.length, -end.length).split("\n");
  const added = /^\*\*\* Add File: (.+)$/.exec(heading)?.[1];
  if (added !== undefined && lines.every((line) => line.startsWith("+"))) {
    return { act: "write", args: { path: added, content: cut(lines) }, extra: {} };
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
    return content === undefined
      ? undefined
      : `${begin}*** Add File: ${path}\n${marked("+", content)}${end}`;
  }
  const { before, after } = args;
  if (typeof before !== "string" || typeof after !== "string" || "all" in args) return undefined;
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

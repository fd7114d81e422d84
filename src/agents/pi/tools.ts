import { isObject } from "../../base/json.ts";
import { dialect, type ToolDialect } from "../../model/tool-dialect.ts";

const words = dialect(
  [
    { act: "read", name: "read", args: { path: "path" } },
    { act: "write", name: "write", args: { path: "path", content: "content" } },
    { act: "shell", name: "bash", args: { command: "command" } },
    { act: "glob", name: "find", args: { pattern: "pattern", path: "path" } },
    { act: "grep", name: "grep", args: { pattern: "pattern", path: "path" } },
  ],
  { edit: ["edit"] },
);

/** pi's words for what every agent's tools do; an edit is a list of replacements, of which one translates. */
export const tools: ToolDialect = {
  actOf: words.actOf,
  neutral: (call) => {
    if (call.name !== "edit") return words.neutral(call);
    const { path, edits, ...extra } = call.input;
    const [edit, ...more] = Array.isArray(edits) ? (edits as readonly unknown[]) : [];
    if (typeof path !== "string" || !isObject(edit) || more.length > 0) return undefined;
    const { oldText: before, newText: after, ...rest } = edit;
    if (typeof before !== "string" || typeof after !== "string" || Object.keys(rest).length > 0)
      return undefined;
    return { act: "edit", args: { path, before, after }, extra };
  },
  spoken: (call) => {
    if (call.act !== "edit") return words.spoken(call);
    const { path, before, after, ...rest } = call.args;
    const clash = "path" in call.extra || "edits" in call.extra;
    if (Object.keys(rest).length > 0 || clash) return undefined;
    const input = { path, edits: [{ oldText: before, newText: after }], ...call.extra };
    return { name: "edit", input };
  },
};

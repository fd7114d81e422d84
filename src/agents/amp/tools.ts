import { dialect } from "../../model/tool-dialect.ts";

/** Amp's words for what every agent's tools do. */
export const tools = dialect([
  { act: "read", name: "Read", args: { path: "path" } },
  { act: "write", name: "create_file", args: { path: "path", content: "content" } },
  { act: "edit", name: "edit_file", args: { path: "path", before: "old_str", after: "new_str" } },
  { act: "shell", name: "Bash", args: { command: "cmd" } },
  { act: "glob", name: "glob", args: { pattern: "filePattern" } },
  { act: "grep", name: "Grep", args: { pattern: "pattern", path: "path" } },
]);

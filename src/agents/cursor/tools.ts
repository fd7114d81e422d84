import { dialect, type ToolDialect } from "../../model/tool-dialect.ts";

/** The words of the command line. */
const ofCommand = dialect([
  { act: "read", name: "Read", args: { path: "path" } },
  { act: "write", name: "Write", args: { path: "path", content: "contents" } },
  {
    act: "edit",
    name: "StrReplace",
    args: { path: "path", before: "old_string", after: "new_string", all: "replace_all" },
  },
  { act: "shell", name: "Shell", args: { command: "command" } },
  { act: "glob", name: "Glob", args: { pattern: "glob_pattern", path: "target_directory" } },
  { act: "grep", name: "Grep", args: { pattern: "pattern", path: "path" } },
]);

/** The words of the desktop program. */
const ofDesktop = dialect([
  { act: "read", name: "read_file", args: { path: "target_file" } },
  { act: "write", name: "write", args: { path: "file_path", content: "contents" } },
  {
    act: "edit",
    name: "search_replace",
    args: { path: "file_path", before: "old_string", after: "new_string", all: "replace_all" },
  },
  { act: "shell", name: "run_terminal_cmd", args: { command: "command" } },
  { act: "glob", name: "glob_file_search", args: { pattern: "glob_pattern" } },
  { act: "grep", name: "grep", args: { pattern: "pattern", path: "path" } },
]);

/** Cursor's words for what every agent's tools do: its two programs have different ones. */
export const tools: ToolDialect = {
  neutral: (call) => ofDesktop.neutral(call) ?? ofCommand.neutral(call),
  spoken: (call) => ofCommand.spoken(call),
};

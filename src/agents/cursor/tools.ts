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

/** The words of the desktop program, as the model says them. */
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

/** The same as newer versions keep them: another name, or only what the program made of the arguments. */
const ofNewer = [
  ...["targetFile", "target_file", "relativeWorkspacePath", "path"].map((path) =>
    dialect([
      { act: "read", name: "read_file_v2", args: { path } },
      { act: "read", name: "read_file", args: { path } },
    ]),
  ),
  dialect([
    { act: "shell", name: "run_terminal_command_v2", args: { command: "command" } },
    { act: "glob", name: "glob_file_search", args: { pattern: "globPattern" } },
    { act: "grep", name: "ripgrep_raw_search", args: { pattern: "pattern", path: "path" } },
  ]),
];

/** Cursor's words for what every agent's tools do: its two programs have different ones. */
export const tools: ToolDialect = {
  actOf: (name) => {
    for (const words of [ofDesktop, ofCommand, ...ofNewer]) {
      const act = words.actOf?.(name);
      if (act !== undefined) return act;
    }
    return undefined;
  },
  neutral: (call) => {
    for (const words of [ofDesktop, ofCommand, ...ofNewer]) {
      const meaning = words.neutral(call);
      if (meaning !== undefined) return meaning;
    }
    return undefined;
  },
  spoken: (call) => ofCommand.spoken(call),
};

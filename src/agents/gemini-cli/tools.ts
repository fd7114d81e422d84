import { dialect } from "../../model/tool-dialect.ts";

/** Gemini CLI's words for what every agent's tools do. */
export const tools = dialect(
  [
    { act: "read", name: "read_file", args: { path: "file_path" } },
    { act: "write", name: "write_file", args: { path: "file_path", content: "content" } },
    {
      act: "edit",
      name: "replace",
      args: { path: "file_path", before: "old_string", after: "new_string", all: "replace_all" },
    },
    { act: "shell", name: "run_shell_command", args: { command: "command" } },
    { act: "glob", name: "glob", args: { pattern: "pattern", path: "dir_path" } },
    { act: "grep", name: "grep_search", args: { pattern: "pattern", path: "dir_path" } },
  ],
  { read: ["read_many_files"], grep: ["search_file_content"] },
);

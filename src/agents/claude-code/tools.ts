import { dialect } from "../../model/tool-dialect.ts";

/** Claude Code's words for what every agent's tools do. */
export const tools = dialect(
  [
    { act: "read", name: "Read", args: { path: "file_path" } },
    { act: "write", name: "Write", args: { path: "file_path", content: "content" } },
    {
      act: "edit",
      name: "Edit",
      args: { path: "file_path", before: "old_string", after: "new_string", all: "replace_all" },
    },
    { act: "shell", name: "Bash", args: { command: "command" } },
    { act: "glob", name: "Glob", args: { pattern: "pattern", path: "path" } },
    { act: "grep", name: "Grep", args: { pattern: "pattern", path: "path" } },
  ],
  {
    shell: ["BashOutput", "PowerShell"],
    edit: ["MultiEdit", "NotebookEdit"],
    read: ["NotebookRead"],
  },
);

import { dialect } from "../../model/tool-dialect.ts";

/** Copilot CLI's words for what every agent's tools do. */
export const tools = dialect(
  [
    { act: "read", name: "view", args: { path: "path" } },
    { act: "write", name: "create", args: { path: "path", content: "file_text" } },
    { act: "edit", name: "edit", args: { path: "path", before: "old_str", after: "new_str" } },
    { act: "shell", name: "bash", args: { command: "command" } },
    { act: "glob", name: "glob", args: { pattern: "pattern", path: "path" } },
    { act: "grep", name: "grep", args: { pattern: "pattern", path: "path" } },
  ],
  {
    shell: ["read_bash", "write_bash", "powershell", "read_powershell", "write_powershell"],
    edit: ["str_replace_editor", "apply_patch"],
  },
);

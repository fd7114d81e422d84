import { dialect } from "../../model/tool-dialect.ts";

/** OpenCode's words for what every agent's tools do. */
export const tools = dialect(
  [
    { act: "read", name: "read", args: { path: "filePath" } },
    { act: "write", name: "write", args: { path: "filePath", content: "content" } },
    {
      act: "edit",
      name: "edit",
      args: { path: "filePath", before: "oldString", after: "newString", all: "replaceAll" },
    },
    { act: "shell", name: "bash", args: { command: "command" } },
    { act: "glob", name: "glob", args: { pattern: "pattern", path: "path" } },
    { act: "grep", name: "grep", args: { pattern: "pattern", path: "path" } },
  ],
  { edit: ["multiedit", "patch", "apply_patch"] },
);

import { dialect } from "../../model/tool-dialect.ts";

/** The words of `reprise chat` for what every agent's tools do. */
export const tools = dialect([
  { act: "read", name: "read", args: { path: "path" } },
  { act: "write", name: "write", args: { path: "path", content: "content" } },
  {
    act: "edit",
    name: "edit",
    args: { path: "path", before: "old_string", after: "new_string", all: "replace_all" },
  },
  { act: "shell", name: "bash", args: { command: "command" } },
]);

import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../../base/make-folder.ts";
import type { AgentTool } from "../../../loop/tool.ts";
import { fileNamed, textOfFile } from "./text-file.ts";

/** Writes a whole file. */
export function writeTool({ cwd }: { readonly cwd: string }): AgentTool {
  return {
    name: "write",
    description: "Write a file: a new one, or in place of the one that is there.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "The file, absolute or from the working folder." },
        content: { type: "string", description: "All of its text." },
      },
      required: ["path", "content"],
    },
    run: ({ path, content }) => {
      const file = fileNamed(path, cwd);
      const isNew = textOfFile(file) === undefined;
      // The project is shared as its owner says.
      makeFolder(dirname(file), 0o777);
      writeFileSync(file, String(content));
      return `${isNew ? "Created" : "Overwrote"} ${path}.`;
    },
  };
}

import { writeFileSync } from "node:fs";
import type { JsonObject } from "../../../base/json.ts";
import type { AgentTool } from "../../../loop/tool.ts";
import { fileNamed, textOfFile } from "./text-file.ts";

/** Replaces a text in a file by another. */
export function editTool({ cwd }: { readonly cwd: string }): AgentTool {
  return {
    name: "edit",
    description:
      "Replace a text in a file. old_string must occur exactly once, or replace_all must be true.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "The file, absolute or from the working folder." },
        old_string: { type: "string", description: "What is there now, exactly." },
        new_string: { type: "string", description: "The replacement text." },
        replace_all: { type: "boolean", description: "Replace it wherever it occurs." },
      },
      required: ["path", "old_string", "new_string"],
    },
    run: (input) => {
      const { after, count } = edited(input, cwd);
      writeFileSync(fileNamed(input["path"], cwd), after);
      return `Replaced ${count === 1 ? "it once" : `it ${count} times`} in ${input["path"]}.`;
    },
  };
}

/** The file before and after an edit; throws a sentence if it cannot be done. */
export function edited(
  { path, old_string, new_string, replace_all }: JsonObject,
  cwd: string,
): { readonly before: string; readonly after: string; readonly count: number } {
  const before = textOfFile(fileNamed(path, cwd));
  if (before === undefined) throw new Error(`There is no file ${path}.`);
  const from = String(old_string);
  const to = String(new_string);
  if (from === "") throw new Error("old_string is empty. Use write for a new file.");
  if (from === to) throw new Error("old_string and new_string are the same.");
  const parts = before.split(from);
  const count = parts.length - 1;
  if (count === 0) throw new Error(`${path} does not contain old_string.`);
  if (count > 1 && replace_all !== true) {
    throw new Error(
      `${path} contains old_string ${count} times. Give more of the text around it, or set replace_all.`,
    );
  }
  return { before, after: parts.join(to), count };
}

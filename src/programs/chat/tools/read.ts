import { asCount } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import type { AgentTool } from "../../../loop/tool.ts";
import { fileNamed, textOfFile } from "./text-file.ts";

const mostLines = 2_000;

/** Reads a text file, or some lines of it. */
export function readTool({ cwd }: { readonly cwd: string }): AgentTool {
  return {
    name: "read",
    description: `Read a text file. Returns up to ${mostLines} lines; use offset and limit for more of a long one.`,
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "The file, absolute or from the working folder." },
        offset: { type: "integer", description: "The first line to read, from 1." },
        limit: { type: "integer", description: "How many lines to read." },
      },
      required: ["path"],
    },
    run: ({ path, offset, limit }) => {
      const text = textOfFile(fileNamed(path, cwd));
      if (text === undefined) throw new Error(`There is no file ${path}.`);
      if (text === "") return "(The file is empty.)";
      const lines = text.split("\n");
      const first = Math.max(1, asCount(offset) ?? 1);
      const count = Math.min(mostLines, asCount(limit) ?? mostLines);
      const shown = fitting(lines.slice(first - 1, first - 1 + count));
      if (shown.length === 0) return `(The file has ${lines.length} lines.)`;
      const last = first + shown.length - 1;
      const isWhole = first === 1 && last >= lines.length;
      const about = isWhole ? "" : `\n(Lines ${first} to ${last} of ${lines.length}.)`;
      return `${shown.join("\n")}${about}`;
    },
  };
}

/** As many lines as a result has room for; one that is longer alone is cut. */
function fitting(lines: readonly string[]): readonly string[] {
  const room = limits.toolResultChars - 200;
  let used = 0;
  const kept: string[] = [];
  for (const line of lines) {
    used += line.length + 1;
    if (used > room && kept.length > 0) break;
    kept.push(line.length > room ? `${line.slice(0, room).toWellFormed()}…` : line);
  }
  return kept;
}

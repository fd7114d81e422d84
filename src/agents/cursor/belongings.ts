import { basename, dirname } from "node:path";
import { RepriseError } from "../../base/errors.ts";
import type { Belongings, RowChoice } from "../belongings-contract.ts";
import type { SessionRef } from "../contract.ts";
import { meant } from "./part.ts";

/** What the desktop program keeps of one conversation, by the beginnings of its keys. */
const prefixes = [
  "bubbleId",
  "checkpointId",
  "messageRequestContext",
  "codeBlockDiff",
  "codeBlockPartialInlineDiffFates",
];

/** The rows of a conversation of the desktop program, the folder of one of the command line, or a transcript or page. */
export async function belongings(ref: SessionRef): Promise<Belongings> {
  const { kind, id } = meant(ref);
  switch (kind) {
    case "composer":
      return { files: [], rows: rowsOf(ref.path, id) };
    case "store":
      return { files: [], folders: [dirname(ref.path)] };
    case "transcript": {
      const folder = dirname(ref.path);
      return basename(folder) === id ? { files: [], folders: [folder] } : { files: [ref.path] };
    }
    case "page":
      return { files: [ref.path] };
    default:
      throw new RepriseError(
        "unsupported",
        "Cursor keeps this with what belongs to others; it cannot be deleted from here.",
        {
          hint: "Delete it in Cursor.",
        },
      );
  }
}

function rowsOf(database: string, id: string): readonly RowChoice[] {
  const at = { database, table: "cursorDiskKV", column: "key" };
  return [
    { ...at, value: `composerData:${id}` },
    ...prefixes.map((prefix) => ({ ...at, value: `${prefix}:${id}:`, beginsWith: true as const })),
  ];
}

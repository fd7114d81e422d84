import { basename, dirname } from "node:path";
import type { Environment } from "../../base/env.ts";
import { RepriseError } from "../../base/errors.ts";
import type { Belongings, RowChoice } from "../belongings-contract.ts";
import type { SessionRef } from "../contract.ts";
import { transcriptRefs } from "./locate/command-line.ts";
import { meant } from "./part.ts";

/** What the desktop program keeps of one conversation, by the beginnings of its keys. */
const prefixes = [
  "bubbleId",
  "checkpointId",
  "messageRequestContext",
  "codeBlockDiff",
  "codeBlockPartialInlineDiffFates",
];

/**
 * The rows of a conversation of the desktop program, the folder of one of the command line, both with their transcripts;
 * or a transcript or page alone.
 */
export async function belongings(ref: SessionRef, env: Environment): Promise<Belongings> {
  const { kind, id } = meant(ref);
  switch (kind) {
    case "composer":
      return { ...transcriptsOf(id, env), rows: rowsOf(ref.path, id) };
    case "store": {
      const { files, folders = [] } = transcriptsOf(id, env);
      return { files, folders: [dirname(ref.path), ...folders] };
    }
    case "transcript":
      return transcriptAt(ref.path, id);
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

/** What the agent writes of a conversation beside its store: the session would be listed again by it. */
function transcriptsOf(id: string, env: Environment): Belongings {
  const isAnother = (session: string): boolean => session !== id;
  const found = [...transcriptRefs(env, { projects: [], isListed: isAnother })];
  const all = found.map(({ path }) => transcriptAt(path, id));
  return {
    files: all.flatMap(({ files }) => files),
    folders: all.flatMap(({ folders = [] }) => folders),
  };
}

function transcriptAt(path: string, id: string): Belongings {
  const folder = dirname(path);
  return basename(folder) === id ? { files: [], folders: [folder] } : { files: [path] };
}

function rowsOf(database: string, id: string): readonly RowChoice[] {
  const at = { database, table: "cursorDiskKV", column: "key" };
  return [
    { ...at, value: `composerData:${id}` },
    ...prefixes.map((prefix) => ({ ...at, value: `${prefix}:${id}:`, beginsWith: true as const })),
  ];
}

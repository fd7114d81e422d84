import { dirname, join } from "node:path";
import { entriesOf } from "../../base/folders.ts";
import { see } from "../../base/look.ts";
import type { SessionRef } from "../contract.ts";
import { isAlone } from "./locate.ts";
import { isChildFile } from "./subagents.ts";

// All sessions of a folder ask for the transcripts of subagents beside them.
let asked: { readonly folder: string; readonly files: readonly string[] } | undefined;

/** A session's transcript with every file its text may lie in: subagents' transcripts and spilled outputs. */
export function withSideFiles(ref: SessionRef): readonly string[] {
  const folder = dirname(ref.path);
  if (asked?.folder !== folder) {
    const children = entriesOf(folder).filter(({ name }) => isChildFile(name));
    asked = { folder, files: children.map(({ name }) => join(folder, name)) };
  }
  const sides = isAlone(ref) ? [] : filesBelow(ref.path.slice(0, -".jsonl".length), 0);
  return [ref.path, ...sides, ...asked.files];
}

const deepest = 4;

function filesBelow(folder: string, depth: number): readonly string[] {
  // Most sessions have no such folder, and to ask for it takes less than to try to list it.
  if (depth > deepest || see(folder) === undefined) return [];
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path, depth + 1) : [path];
  });
}

import { basename, dirname, join } from "node:path";
import { uptimeMs } from "../../base/clock.ts";
import { entriesOf } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import type { SessionRef } from "../contract.ts";
import { isChildFile } from "./subagents.ts";

// All sessions of a folder ask for what lies beside them: it is listed once, as it was at most a moment ago.
let listed:
  | {
      readonly folder: string;
      readonly atMs: number;
      readonly children: readonly string[];
      readonly folders: ReadonlySet<string>;
    }
  | undefined;

/** A session's transcript with every file its text may lie in: subagents' transcripts and spilled outputs. */
export function withSideFiles({ path }: SessionRef): readonly string[] {
  const folder = dirname(path);
  const nowMs = uptimeMs();
  if (listed?.folder !== folder || nowMs - listed.atMs > limits.folderMemoryMs) {
    const entries = entriesOf(folder);
    const children = entries.filter(({ name }) => isChildFile(name));
    listed = {
      folder,
      atMs: nowMs,
      children: children.map(({ name }) => join(folder, name)),
      folders: new Set(entries.filter((entry) => !entry.isFile()).map(({ name }) => name)),
    };
  }
  const { children, folders } = listed;
  const own = path.slice(0, -".jsonl".length);
  const sides = folders.has(basename(own)) ? filesBelow(own, 0) : [];
  return [path, ...sides, ...children];
}

const deepest = 4;

function filesBelow(folder: string, depth: number): readonly string[] {
  if (depth > deepest) return [];
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path, depth + 1) : [path];
  });
}

import { relative, sep } from "node:path";
import { exists } from "../../base/disk.ts";
import type { Environment } from "../../base/env.ts";
import { fileStat } from "../../base/folders.ts";
import type { SessionRef } from "../contract.ts";
import { compareAge, type RolloutFile, rolloutFiles } from "./rollout-files.ts";
import { codexHome } from "./roots.ts";
import { rememberNames } from "./session-names.ts";

/**
 * The threads of this machine, by listing and stat only. A thread that was rewound has several files
 * and is one session: its path is the newest, `part` names the older ones below the root.
 */
export function* locate(env: Environment): Generator<SessionRef> {
  const root = codexHome(env);
  if (!exists(root)) return;
  rememberNames(root);
  const threads = new Map<string, RolloutFile | RolloutFile[]>();
  for (const file of rolloutFiles(root)) {
    const known = threads.get(file.name.thread);
    if (known === undefined) threads.set(file.name.thread, file);
    else threads.set(file.name.thread, Array.isArray(known) ? [...known, file] : [known, file]);
  }
  for (const [thread, found] of threads) {
    const ref = Array.isArray(found)
      ? segmentedRef(root, thread, found)
      : refOf(root, thread, found);
    if (ref !== undefined) yield ref;
  }
}

function refOf(
  root: string,
  thread: string,
  file: RolloutFile,
  part?: string,
): SessionRef | undefined {
  const stat = fileStat(file.path);
  if (stat === undefined) return undefined;
  return {
    agent: "codex",
    session: thread,
    path: file.path,
    ...stat,
    root,
    ...(part !== undefined && part !== "" && { part }),
  };
}

function segmentedRef(
  root: string,
  thread: string,
  files: readonly RolloutFile[],
): SessionRef | undefined {
  const plain = new Set(files.filter((file) => !file.name.compressed).map((f) => f.name.rollout));
  const kept = files
    .filter((file) => !file.name.compressed || !plain.has(file.name.rollout))
    .sort((a, b) => compareAge(a.name, b.name));
  const newest = kept.at(-1);
  if (newest === undefined) return undefined;
  const older = kept.slice(0, -1).map((file) => relative(root, file.path).split(sep).join("/"));
  return refOf(root, thread, newest, older.join("\n"));
}

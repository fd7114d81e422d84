import { realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { timeOf } from "../../base/clock.ts";
import type { Environment } from "../../base/env.ts";
import { fileStat } from "../../base/folders.ts";
import type { LocateOptions, SessionRef } from "../contract.ts";
import { projectFolders } from "../project-folders.ts";
import { chosenHistory, historyName } from "./roots.ts";
import { runsOf } from "./runs.ts";
import { momentOf } from "./start-line.ts";

/**
 * The runs in the histories of the current folder, its git root and the given projects. A history says only in
 * its text where a run begins, so a changed one is looked through once.
 */
export function* locate(env: Environment, options: LocateOptions = {}): Generator<SessionRef> {
  const seen = new Set<string>();
  for (const path of historyFiles(env, options)) {
    const real = realFile(path);
    if (real === undefined || seen.has(real)) continue;
    seen.add(real);
    yield* runRefs(real);
  }
}

function* historyFiles(env: Environment, options: LocateOptions): Generator<string> {
  const chosen = chosenHistory(env);
  if (chosen !== undefined) yield chosen;
  for (const folder of projectFolders(env, options)) yield join(folder, historyName);
}

function* runRefs(path: string): Generator<SessionRef> {
  try {
    const runs = runsOf(path);
    const fileMs = statSync(path).mtimeMs;
    for (const [index, run] of runs.entries()) {
      const next = runs[index + 1]?.started;
      // Nothing is added to a run after the next one began: it must not look changed.
      const endedMs = timeOf(next === undefined ? undefined : momentOf(next));
      yield {
        agent: "aider",
        session: run.session,
        path,
        sizeBytes: run.end - run.offset,
        modifiedMs: Math.min(fileMs, endedMs ?? fileMs),
        part: `${run.ordinal}`,
        root: dirname(path),
      };
    }
  } catch {
    // The file was taken away or may not be read: nothing can be reported it.
  }
}

function realFile(path: string): string | undefined {
  try {
    return fileStat(path) === undefined ? undefined : realpathSync(path);
  } catch {
    return undefined;
  }
}

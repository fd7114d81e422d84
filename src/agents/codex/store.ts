import { join, sep } from "node:path";
import { entriesOf } from "../../base/folders.ts";
import { parseRolloutName, type RolloutName } from "./rollout-name.ts";

/** A rollout file of the store; nothing of it was read. */
export interface RolloutFile {
  readonly path: string;
  readonly name: RolloutName;
}

/** Every rollout file of the store, archived ones too, by listing folders alone. */
export function* rolloutFiles(root: string): Generator<RolloutFile> {
  yield* filesBelow(join(root, "sessions"), 0);
  yield* filesBelow(join(root, "archived_sessions"), 0);
}

/** Year, month, day, and room for one more: deeper folders are not Codex's. */
const depthMax = 4;

function* filesBelow(folder: string, depth: number): Generator<RolloutFile> {
  for (const entry of entriesOf(folder)) {
    if (entry.isDirectory()) {
      if (depth < depthMax) yield* filesBelow(`${folder}${sep}${entry.name}`, depth + 1);
      continue;
    }
    const name = parseRolloutName(entry.name);
    if (name !== undefined) yield { path: `${folder}${sep}${entry.name}`, name };
  }
}

/** The files of a store by rollout id; where a file exists plain and compressed, the plain one. */
export function indexOfRollouts(root: string): ReadonlyMap<string, RolloutFile> {
  const index = new Map<string, RolloutFile>();
  for (const file of rolloutFiles(root)) {
    const known = index.get(file.name.rollout);
    if (known === undefined || (known.name.compressed && !file.name.compressed)) {
      index.set(file.name.rollout, file);
    }
  }
  return index;
}

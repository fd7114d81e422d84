import { dirname, join } from "node:path";
import { namesIn } from "../../base/folders.ts";
import type { Belongings, RowChoice } from "../belongings-contract.ts";
import type { SessionRef } from "../contract.ts";
import { parseRolloutName, plainPath } from "./rollout-files.ts";

/** The rollouts of a thread, compressed or not, and its rows in the program's own index; names of threads stay. */
export async function belongings(ref: SessionRef): Promise<Belongings> {
  const { path, part = "", root = "", session } = ref;
  const older = part.split("\n").filter(Boolean);
  const rollouts = [path, ...older.map((name) => join(root, ...name.split("/")))];
  const files = rollouts.flatMap((rollout) => [plainPath(rollout), `${plainPath(rollout)}.zst`]);
  const beside = namesIn(dirname(path))
    .filter((name) => parseRolloutName(name)?.thread === session.toLowerCase())
    .map((name) => join(dirname(path), name));
  const rows = namesIn(root)
    .filter((name) => /^state_\d+\.sqlite$/.test(name))
    .flatMap((name) => rowsOf(join(root, name), session));
  return { files: [...new Set([...files, ...beside])], rows };
}

function rowsOf(database: string, session: string): readonly RowChoice[] {
  const at = { database, value: session };
  return [
    { ...at, table: "threads", column: "id" },
    { ...at, table: "thread_dynamic_tools", column: "thread_id" },
    { ...at, table: "thread_spawn_edges", column: "parent_thread_id" },
    { ...at, table: "thread_spawn_edges", column: "child_thread_id" },
  ];
}

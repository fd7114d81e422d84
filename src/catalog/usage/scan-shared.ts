import { UsageTable } from "../../model/usage-table.ts";
import type { CountedAgents } from "./counted-agents.ts";
import { type ProvenEnd, type ScanTask, scanLineFile } from "./scan.ts";

/** Files shared by two threads: each takes the next one nobody has taken. */
export interface SharedTasks {
  /** Each agent's, the longest first, so that no thread is left with a long one at the end. */
  readonly groups: readonly (readonly ScanTask[])[];
  /** For each group, how many of its tasks are taken. */
  readonly taken: SharedArrayBuffer;
}

/** What became of one task: its place in its group, its rows in the table. */
export interface TaskEnd {
  readonly group: number;
  readonly task: number;
  readonly end: ProvenEnd;
  readonly first: number;
  readonly count: number;
}

/** What one thread found. */
export interface ThreadResult {
  readonly table: UsageTable;
  readonly ends: readonly TaskEnd[];
}

/** Groups of tasks, none of them taken. */
export function shareTasks(groups: SharedTasks["groups"]): SharedTasks {
  const taken = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * groups.length);
  return { groups, taken };
}

/**
 * Takes tasks until none is left; a file that cannot be read has no end. Of two threads one begins at the last
 * group: half of the time of a scan goes into code that has not run often yet, and so each has less of it.
 */
export function scanShared(
  { groups, taken }: SharedTasks,
  agents: CountedAgents,
  options: {
    readonly lastFirst?: boolean;
    readonly onTask?: (task: ScanTask) => void;
  } = {},
): ThreadResult {
  const counters = new Int32Array(taken);
  const table = new UsageTable();
  const ends: TaskEnd[] = [];
  const order = [...groups.entries()];
  if (options.lastFirst) order.reverse();
  for (const [group, tasks] of order) {
    if (!agents.has(tasks[0]?.file.agent ?? "")) continue;
    for (;;) {
      const task = Atomics.add(counters, group, 1);
      const next = tasks[task];
      if (next === undefined) break;
      const first = table.length;
      try {
        const end = scanLineFile(next, table, agents);
        ends.push({ group, task, end, first, count: table.length - first });
      } catch {
        table.drop(table.length - first);
      }
      options.onTask?.(next);
    }
  }
  return { table, ends };
}

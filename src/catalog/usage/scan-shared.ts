import { type ProvenEnd, type ScanTask, scanLineFile } from "./scan.ts";
import { UsageTable } from "./table.ts";

/** Files shared by two threads: each takes the next one nobody has taken. */
export interface SharedTasks {
  readonly tasks: readonly ScanTask[];
  /** One number: how many tasks are taken. */
  readonly taken: SharedArrayBuffer;
}

/** What became of one task: its place in the list, its rows in the table. */
export interface TaskEnd {
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

/** Takes tasks until none is left; a file that cannot be read has no end. */
export function scanShared(
  shared: SharedTasks,
  onTask: (task: ScanTask) => void = () => {},
): ThreadResult {
  const counter = new Int32Array(shared.taken);
  const table = new UsageTable();
  const ends: TaskEnd[] = [];
  for (;;) {
    const task = Atomics.add(counter, 0, 1);
    const next = shared.tasks[task];
    if (next === undefined) return { table, ends };
    const first = table.length;
    try {
      const end = scanLineFile(next, table);
      ends.push({ task, end, first, count: table.length - first });
    } catch {
      table.drop(table.length - first);
    }
    onTask(next);
  }
}

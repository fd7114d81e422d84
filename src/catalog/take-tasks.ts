import { mayHold, type Needle, type ScanTask } from "./byte-scan.ts";

/** What a scanning thread is given: every task, and a counter that all threads take the next one from. */
export interface ScanOrder {
  readonly tasks: readonly ScanTask[];
  readonly needle: Needle;
  readonly counter: SharedArrayBuffer;
}

/** Takes tasks until none is left; tells the numbers of those whose files may hold the needle. */
export function takeTasks({ tasks, needle, counter }: ScanOrder): readonly number[] {
  const next = new Int32Array(counter);
  const found: number[] = [];
  for (let at = Atomics.add(next, 0, 1); at < tasks.length; at = Atomics.add(next, 0, 1)) {
    if (mayHold(tasks[at]!, needle)) found.push(at);
  }
  return found;
}

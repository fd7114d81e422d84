import { mayHold, type ScanTask } from "./byte-scan.ts";
import type { Needle } from "./needle.ts";

/** What a scanning thread is given: every task, and the memory all threads share. */
export interface ScanOrder {
  readonly tasks: readonly ScanTask[];
  readonly needle: Needle;
  /** The number of the next task, then the state of each. */
  readonly shared: SharedArrayBuffer;
}

/** How a task stands: nobody looked yet, somebody looks, and what was seen. */
export const taskState = { open: 0, taken: 1, without: 2, mayHold: 3 } as const;

/** Takes the next task and looks through its files; false if none is left. */
export function takeTask({ tasks, needle, shared }: ScanOrder): boolean {
  const states = new Int32Array(shared);
  const number = Atomics.add(states, 0, 1);
  if (number >= tasks.length) return false;
  const place = 1 + number;
  Atomics.store(states, place, taskState.taken);
  const found = mayHold(tasks[number]!, needle);
  Atomics.store(states, place, found ? taskState.mayHold : taskState.without);
  Atomics.notify(states, place);
  return true;
}

import { limits } from "./limits.ts";

/*
 * Work that many may want done in the same moment: the lease of an idle session, taken or given back, costs some calls
 * of the system, and a thousand of them at once would keep everything else in the process waiting.
 */
const queue: (() => void)[] = [];
let spentMs = 0;
let isTurnCounted = false;

/** Does work at once, or after other events of the loop where this turn of it was long enough already. */
export function inSlice<T>(work: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const task = () => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    };
    if (queue.length === 0 && spentMs < limits.sliceMs) timed(task);
    else queue.push(task);
    countTurn();
  });
}

function timed(task: () => void): void {
  const began = performance.now();
  task();
  spentMs += performance.now() - began;
}

function countTurn(): void {
  if (isTurnCounted) return;
  isTurnCounted = true;
  setImmediate(nextTurn);
}

function nextTurn(): void {
  isTurnCounted = false;
  spentMs = 0;
  let done = 0;
  for (; done < queue.length && spentMs < limits.sliceMs; done += 1) timed(queue[done]!);
  queue.splice(0, done);
  if (queue.length > 0) countTurn();
}

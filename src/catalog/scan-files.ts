import { availableParallelism } from "node:os";
import { limits } from "../base/limits.ts";
import { mayHold, type Needle, type ScanTask } from "./byte-scan.ts";
import { takeTasks } from "./take-tasks.ts";

/** Files that one thread looks through before another is worth starting, in bytes. */
const worthThread = 16 * 1024 * 1024;

/** Tells which tasks' files may hold a needle; with a worker's file, in as many threads as are worth it. */
export async function scanFiles(
  tasks: readonly ScanTask[],
  needle: Needle,
  options: { readonly worker?: string | undefined; readonly bytes: number },
): Promise<ReadonlySet<number>> {
  const threads = Math.min(
    limits.catalogThreads,
    availableParallelism(),
    1 + Math.floor(options.bytes / worthThread),
  );
  if (options.worker === undefined || threads < 2) {
    return new Set(tasks.flatMap((task, at) => (mayHold(task, needle) ? [at] : [])));
  }
  const { Worker } = await import("node:worker_threads");
  const order = { tasks, needle, counter: new SharedArrayBuffer(4) };
  const workers = Array.from({ length: threads - 1 }, () => {
    const worker = new Worker(options.worker!, { workerData: order });
    return new Promise<readonly number[]>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
  });
  // This thread takes its share before it waits for the others.
  await new Promise((resolve) => setImmediate(resolve));
  const own = takeTasks(order);
  const others = await Promise.all(workers);
  return new Set([...own, ...others.flat()]);
}

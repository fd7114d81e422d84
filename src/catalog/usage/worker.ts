import { Worker } from "node:worker_threads";
import { threadFile } from "../../base/thread-file.ts";
import type { SharedTasks, TaskEnd, ThreadResult } from "./scan-shared.ts";
import { UsageTable } from "./table.ts";

/** What the second thread answers. */
export interface WorkerMessage {
  readonly bytes: Uint8Array;
  readonly models: readonly string[];
  readonly ends: readonly TaskEnd[];
}

/** Scans in a second thread, next to this one; undefined where no thread could do it. */
export function scanInWorker(shared: SharedTasks): Promise<ThreadResult | undefined> {
  const file = threadFile(import.meta.dirname, "usage");
  if (file === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const worker = new Worker(file, { workerData: shared });
    worker.once("message", (found: WorkerMessage) => {
      const table = UsageTable.fromBytes(found.bytes, found.models);
      resolve(table === undefined ? undefined : { table, ends: found.ends });
    });
    worker.once("error", () => resolve(undefined));
    worker.once("exit", () => resolve(undefined));
  });
}

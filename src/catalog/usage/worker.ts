import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type SharedTasks, scanShared, type TaskEnd, type ThreadResult } from "./scan-shared.ts";
import { UsageTable } from "./table.ts";

const mark = "reprise usage";

/** Scans in a second thread, next to this one; undefined where no thread could do it. */
export function scanInWorker(shared: SharedTasks): Promise<ThreadResult | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { mark, shared } });
    worker.once("message", (found: WorkerMessage) => {
      const table = UsageTable.fromBytes(found.bytes, found.models);
      resolve(table === undefined ? undefined : { table, ends: found.ends });
    });
    worker.once("error", () => resolve(undefined));
    worker.once("exit", () => resolve(undefined));
  });
}

interface WorkerMessage {
  readonly bytes: Uint8Array;
  readonly models: readonly string[];
  readonly ends: readonly TaskEnd[];
}

// This file is also what the second thread runs.
const job = workerData as { readonly mark?: string; readonly shared: SharedTasks } | null;
if (!isMainThread && job?.mark === mark) {
  const { table, ends } = scanShared(job.shared);
  const bytes = table.toBytes();
  const message: WorkerMessage = { bytes, models: table.models, ends };
  parentPort?.postMessage(message, [bytes.buffer as ArrayBuffer]);
}

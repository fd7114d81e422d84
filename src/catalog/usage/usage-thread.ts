import { parentPort } from "node:worker_threads";
import { type SharedTasks, scanShared } from "./scan-shared.ts";
import type { WorkerMessage } from "./worker.ts";

/** A thread that scans what it is sent, once. */
const port = parentPort!;
port.once("message", (shared: SharedTasks) => {
  const { table, ends } = scanShared(shared, { lastFirst: true });
  const bytes = table.toBytes();
  const message: WorkerMessage = { bytes, models: table.models, ends };
  port.postMessage(message, [bytes.buffer as ArrayBuffer]);
});

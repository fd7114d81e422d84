import { parentPort, workerData } from "node:worker_threads";
import { type SharedTasks, scanShared } from "./scan-shared.ts";
import type { WorkerMessage } from "./worker.ts";

const { table, ends } = scanShared(workerData as SharedTasks);
const bytes = table.toBytes();
const message: WorkerMessage = { bytes, models: table.models, ends };
parentPort?.postMessage(message, [bytes.buffer as ArrayBuffer]);

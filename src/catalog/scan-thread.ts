import { parentPort, workerData } from "node:worker_threads";
import { type ScanOrder, takeTasks } from "./take-tasks.ts";

/** A thread that looks through files; it ends when none is left. */
parentPort?.postMessage(takeTasks(workerData as ScanOrder));

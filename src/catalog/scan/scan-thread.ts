import { workerData } from "node:worker_threads";
import { type ScanOrder, takeTask } from "./take-tasks.ts";

/** A thread that looks through files; it ends when none is left. */
while (takeTask(workerData as ScanOrder));

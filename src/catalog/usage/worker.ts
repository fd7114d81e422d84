import { Worker } from "node:worker_threads";
import type { AgentModule } from "../../agents/agent-module.ts";
import { registeredAgents } from "../../agents/registry.ts";
import { threadFile } from "../../base/thread-file.ts";
import { UsageTable } from "../../model/usage-table.ts";
import type { SharedTasks, TaskEnd, ThreadResult } from "./scan-shared.ts";

/** What the second thread is reported. */
export interface ThreadTask {
  readonly shared: SharedTasks;
  /** Agents that are not ours. */
  readonly others: readonly AgentModule[];
}

/** What the second thread answers. */
export interface WorkerMessage {
  readonly bytes: Uint8Array;
  readonly models: readonly string[];
  readonly ends: readonly TaskEnd[];
}

/** A second thread that can scan, once. */
export interface Helper {
  /** Scans next to this thread; undefined if that could not be done. */
  scan(shared: SharedTasks): Promise<ThreadResult | undefined>;
  /** Ends it where there is nothing for it to do. */
  dismiss(): void;
}

/** Starts a second thread; undefined if there is no program for it. */
export function startHelper(): Helper | undefined {
  const file = threadFile(import.meta.dirname, "usage");
  if (file === undefined) return undefined;
  const worker = new Worker(file);
  // As long as it has nothing to do the process does not wait for it.
  worker.unref();
  let isGone = false;
  const gone = new Promise<undefined>((resolve) => {
    const leave = (): void => {
      isGone = true;
      resolve(undefined);
    };
    worker.once("error", leave);
    worker.once("exit", leave);
  });
  return {
    scan: (shared) => {
      const answered = new Promise<ThreadResult | undefined>((resolve) => {
        worker.once("message", (found: WorkerMessage) => {
          const table = UsageTable.fromBytes(found.bytes, found.models);
          resolve(table === undefined ? undefined : { table, ends: found.ends });
        });
      });
      if (!isGone) {
        worker.ref();
        worker.postMessage({ shared, others: registeredAgents() } satisfies ThreadTask);
      }
      return Promise.race([answered, gone]);
    },
    dismiss: () => void worker.terminate(),
  };
}

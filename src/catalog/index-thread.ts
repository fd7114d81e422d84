import { parentPort, workerData } from "node:worker_threads";
import { loadAgent } from "../agents/load.ts";
import { limits } from "../base/limits.ts";
import type { AheadMessage, AheadOrder } from "./read-ahead.ts";
import { readRows } from "./read-rows.ts";

/*
 * A thread that reads sessions for the one who writes the index, in the order given, a few batches ahead.
 */

const port = parentPort;
let allowed = limits.waitingBatches;
let wake: (() => void) | undefined;
port?.on("message", () => {
  allowed += 1;
  wake?.();
});

async function send(message: AheadMessage): Promise<void> {
  while (allowed <= 0) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  allowed -= 1;
  port?.postMessage(message);
}

async function run({ sessions }: AheadOrder): Promise<void> {
  for (const [index, { ref, from }] of sessions.entries()) {
    const agent = await loadAgent(ref.agent);
    try {
      if (agent !== undefined) {
        for await (const batch of readRows(agent, ref, from)) await send({ index, batch });
      }
      await send({ index, end: true });
    } catch (error) {
      await send({ index, failed: error instanceof Error ? error.message : String(error) });
    }
  }
  port?.close();
}

void run(workerData as AheadOrder);

import { parentPort } from "node:worker_threads";
import { loadAgent, registerAgent } from "../../agents/registry.ts";
import { countedAgent } from "./counted-agents.ts";
import { scanShared } from "./scan-shared.ts";
import type { ThreadTask, WorkerMessage } from "./worker.ts";

/** A thread that scans what it is sent, once. */
const port = parentPort!;
port.once("message", async ({ shared, others }: ThreadTask) => {
  for (const other of others) registerAgent(other);
  const names = shared.groups.flatMap(([first]) => first?.file.agent ?? []);
  // What cannot be loaded here is left to the thread that can.
  const agents = await Promise.all(names.map((name) => loadAgent(name).catch(() => undefined)));
  const known = agents.filter((agent) => agent !== undefined);
  const counted = await Promise.all(known.map(countedAgent));
  const { table, ends } = scanShared(shared, new Map(counted), { lastFirst: true });
  const bytes = table.toBytes();
  const message: WorkerMessage = { bytes, models: table.models, ends };
  port.postMessage(message, [bytes.buffer as ArrayBuffer]);
});

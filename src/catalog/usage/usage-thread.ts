import { parentPort } from "node:worker_threads";
import { loadAgent } from "../../agents/registry.ts";
import { countedAgent } from "./counted-agents.ts";
import { type SharedTasks, scanShared } from "./scan-shared.ts";
import type { WorkerMessage } from "./worker.ts";

/** A thread that scans what it is sent, once. */
const port = parentPort!;
port.once("message", async (shared: SharedTasks) => {
  const names = shared.groups.flatMap(([first]) => first?.file.agent ?? []);
  const agents = await Promise.all(names.map(loadAgent));
  const known = agents.filter((agent) => agent !== undefined);
  const counted = await Promise.all(known.map(countedAgent));
  const { table, ends } = scanShared(shared, new Map(counted), { lastFirst: true });
  const bytes = table.toBytes();
  const message: WorkerMessage = { bytes, models: table.models, ends };
  port.postMessage(message, [bytes.buffer as ArrayBuffer]);
});

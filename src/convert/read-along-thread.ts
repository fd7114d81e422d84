import {
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  workerData,
} from "node:worker_threads";
import type { Cursor } from "../agents/contract.ts";
import { loadAgent } from "../agents/load.ts";
import { atomsOf } from "./atoms.ts";
import { Marks } from "./marks.ts";
import type { Growth, ReadAloud } from "./read-along.ts";
import { plainNormaliser } from "./verify.ts";

if (parentPort !== null) void answer(parentPort, workerData as string);

async function answer(port: MessagePort, name: string): Promise<void> {
  const read: ReadAloud = await readAlong(port, name).catch(() => undefined);
  port.postMessage(read);
}

/** Reads what is there, then what was added since, until all is there; undefined where a step begins anew. */
async function readAlong(port: MessagePort, name: string): Promise<ReadAloud> {
  const agent = await loadAgent(name);
  if (agent === undefined) return undefined;
  const marks = new Marks(agent.writer);
  const normaliser = plainNormaliser();
  const unmarked = agent.writer?.unmarked;
  let cursor: Cursor | undefined;
  for (;;) {
    const { path, sizeBytes, whole } = await newest(port);
    const ref = { agent: name, session: "", path, sizeBytes, modifiedMs: 0 };
    const begun = cursor !== undefined;
    const options = { lazyTexts: true, ...(cursor !== undefined && { from: cursor }) };
    for await (const batch of agent.read(ref, options)) {
      if (batch.restart && begun) return undefined;
      for (const { at, body, live, sidechain } of batch.events) {
        if (!live || sidechain !== undefined) continue;
        for (const message of normaliser.next({ at, body })) {
          for (const atom of atomsOf(message, unmarked)) marks.add(atom);
        }
      }
      ({ cursor } = batch);
    }
    if (!whole) continue;
    for (const message of normaliser.end()) {
      for (const atom of atomsOf(message, unmarked)) marks.add(atom);
    }
    return marks.numbers();
  }
}

/** The last that was told; where nothing new was, the next. */
async function newest(port: MessagePort): Promise<Growth> {
  let told: Growth | undefined;
  for (
    let next = receiveMessageOnPort(port);
    next !== undefined;
    next = receiveMessageOnPort(port)
  ) {
    told = next.message as Growth;
  }
  return told ?? new Promise((resolve) => port.once("message", resolve));
}

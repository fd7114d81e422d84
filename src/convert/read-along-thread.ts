import { createHash, type Hash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import {
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  workerData,
} from "node:worker_threads";
import type { Cursor } from "../agents/contract.ts";
import { loadAgent, registerAgent } from "../agents/registry.ts";
import { limits } from "../base/limits.ts";
import { readRoom } from "../base/read-room.ts";
import { atomsOf } from "./atoms.ts";
import { Marks } from "./marks.ts";
import type { Growth, ReadAloud, ReadBy } from "./read-along.ts";
import { plainNormaliser } from "./verify.ts";

if (parentPort !== null) void answer(parentPort, workerData as ReadBy);

async function answer(port: MessagePort, by: ReadBy): Promise<void> {
  const read: ReadAloud = await readAlong(port, by).catch(() => undefined);
  port.postMessage(read);
}

/** Reads what is there, then what was added since, until all is there; undefined where a step begins anew. */
async function readAlong(port: MessagePort, { agent: name, others }: ReadBy): Promise<ReadAloud> {
  for (const other of others) registerAgent(other);
  const agent = await loadAgent(name);
  const writer = await agent?.writer?.();
  if (agent === undefined || writer === undefined) return undefined;
  const normaliser = plainNormaliser();
  const marks = new Marks(writer);
  const { unmarked } = writer;
  const hash = createHash("sha256");
  let hashedBytes = 0;
  let cursor: Cursor | undefined;
  for (;;) {
    const { path, sizeBytes, whole } = await newest(port);
    hashedBytes = addBytes(hash, path, { from: hashedBytes, end: sizeBytes });
    const ref = { agent: agent.name, session: "", path, sizeBytes, modifiedMs: 0 };
    const begun = cursor !== undefined;
    const options = { ...(cursor !== undefined && { from: cursor }) };
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
    return hashedBytes === sizeBytes
      ? { numbers: marks.numbers(), sha256: hash.digest("hex") }
      : undefined;
  }
}

const buffer = readRoom(limits.writeBytes);

/** Adds bytes of a file to a sum; returns how far that went. */
function addBytes(
  hash: Hash,
  path: string,
  range: { readonly from: number; readonly end: number },
): number {
  const fd = openSync(path, "r");
  try {
    let at = range.from;
    while (at < range.end) {
      const taken = readSync(fd, buffer, 0, Math.min(buffer.length, range.end - at), at);
      if (taken === 0) break;
      hash.update(buffer.subarray(0, taken));
      at += taken;
    }
    return at;
  } finally {
    closeSync(fd);
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

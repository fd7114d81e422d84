import { Worker } from "node:worker_threads";
import type { Follower } from "../additions/added-file.ts";
import type { AgentModule } from "../agents/agent-module.ts";
import { registeredAgents } from "../agents/registry.ts";
import { limits } from "../base/limits.ts";
import { threadFile } from "../base/thread-file.ts";
import type { Marks } from "./marks.ts";

/** What the thread is told: how far the staged file has grown, and at the end that this is all. */
export interface Growth {
  readonly path: string;
  readonly sizeBytes: number;
  readonly whole: boolean;
}

/** Whose sessions the thread reads. */
export interface ReadBy {
  readonly agent: string;
  /** Agents that are not ours. */
  readonly others: readonly AgentModule[];
}

/** What the thread answers: the marks of what it read and a sum of all bytes; nothing where it could not read along. */
export type ReadAloud = { readonly numbers: Uint32Array; readonly sha256: string } | undefined;

/**
 * Reads a new session back, with the target's own reader, while it is still being written: in a thread of
 * its own, from cursor to cursor. Whatever goes wrong there only means that it has to be read back
 * afterwards; a difference is told by that reading too.
 */
export class ReadAlong implements Follower {
  readonly #agent: string;
  readonly #expected: Marks;
  #worker: Worker | undefined;
  #answer: Promise<ReadAloud> | undefined;
  #path = "";
  #sizeBytes = 0;
  #toldBytes = 0;
  #agrees = false;

  constructor(agent: string, expected: Marks) {
    this.#agent = agent;
    this.#expected = expected;
  }

  /** Whether the whole session was read and is what was meant. */
  get agrees(): boolean {
    return this.#agrees;
  }

  grew(path: string, sizeBytes: number): void {
    this.#path = path;
    this.#sizeBytes = sizeBytes;
    if (this.#toldBytes === 0) {
      // A thread takes longer to start than a small session takes to read.
      if (sizeBytes < limits.readAlongBytes) return;
      this.#start();
    } else if (sizeBytes < this.#toldBytes + limits.readAlongStepBytes) return;
    this.#tell(false);
  }

  async whole(): Promise<string | undefined> {
    if (this.#answer === undefined) return undefined;
    this.#tell(true);
    const read = await this.#answer;
    await this.stop();
    this.#agrees = read !== undefined && this.#expected.equals(read.numbers);
    return read?.sha256;
  }

  /** Ends the thread, if there is one. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #tell(whole: boolean): void {
    this.#toldBytes = this.#sizeBytes;
    const growth: Growth = { path: this.#path, sizeBytes: this.#sizeBytes, whole };
    this.#worker?.postMessage(growth);
  }

  #start(): void {
    const file = threadFile(import.meta.dirname, "read-along");
    if (file === undefined) return;
    const worker = new Worker(file, {
      workerData: { agent: this.#agent, others: registeredAgents() } satisfies ReadBy,
    });
    this.#worker = worker;
    this.#answer = new Promise((resolve) => {
      worker.once("message", resolve);
      worker.once("error", () => resolve(undefined));
      worker.once("exit", () => resolve(undefined));
    });
  }
}

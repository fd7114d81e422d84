import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { registeredAgents } from "../../../agents/registry.ts";
import { RepriseError } from "../../../base/errors.ts";
import { threadFile } from "../../../base/thread-file.ts";
import type { CommandContext } from "../run/command.ts";
import type { Answers, Command, Opening, Question, Told } from "./thread-messages.ts";

/** Reads and searches for the home screen in a thread of its own, so that a key never waits for it. */
export interface Reader {
  /** Says that a key was pressed: what nobody asked for waits until nothing is typed. */
  typed(): void;
  /** Looks again at what there is, because something was changed; what is asked from now on knows it. */
  look(): void;
  ask<K extends Question["kind"]>(question: Extract<Question, { kind: K }>): Promise<Answers[K]>;
  close(): Promise<void>;
}

/** What the thread says without being asked. */
export interface ReaderNews {
  building(text: string): void;
  firstPrompts(prompts: ReadonlyMap<string, string>): void;
}

/** How long the thread may take to end by itself. */
const closeMs = 5_000;

/** Starts the thread that reads. */
export function startReader({ env, nowMs }: CommandContext, news: ReaderNews): Reader {
  const file = threadFile(import.meta.dirname, "home");
  if (file === undefined) throw new RepriseError("failed", "The home screen is not built.");
  const worker = new Worker(file);
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const fail = (why: string): void => {
    for (const { reject } of waiting.values()) reject(new Error(why));
    waiting.clear();
  };
  worker.on("error", (error) => fail(error.message));
  worker.on("exit", () => fail("Reading was ended."));
  worker.on("message", (told: Told) => {
    if (told.kind === "building") return news.building(told.text);
    if (told.kind === "firstPrompts") return news.firstPrompts(told.prompts);
    const asked = waiting.get(told.id);
    waiting.delete(told.id);
    if (told.kind === "answer") asked?.resolve(told.value);
    else asked?.reject(new Error(told.why));
  });
  // What is not plain data, such as the process's own variables, becomes so.
  const plain = { ...env, variables: { ...env.variables } };
  const keys = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const typed = (): void => void Atomics.add(keys, 0, 1);
  const opening: Opening = { kind: "open", env: plain, others: registeredAgents(), nowMs, keys };
  worker.postMessage(opening);
  let last = 0;
  return {
    typed,
    look: () => worker.postMessage({ kind: "look" } satisfies Command),
    ask: <K extends Question["kind"]>(question: Extract<Question, { kind: K }>) => {
      last += 1;
      const id = last;
      const answer = new Promise<unknown>((resolve, reject) =>
        waiting.set(id, { resolve, reject }),
      );
      worker.postMessage({ ...question, id });
      return answer as Promise<Answers[K]>;
    },
    close: async () => {
      const ended = once(worker, "exit").catch(() => undefined);
      typed();
      worker.postMessage({ kind: "close" } satisfies Command);
      // The terminal is given back by now; what is being read ends within moments.
      const patience = setTimeout(() => void worker.terminate(), closeMs);
      await ended;
      clearTimeout(patience);
    },
  };
}

import { createHash } from "node:crypto";
import type { Agent, Holds, SessionRef } from "../agents/contract.ts";
import type { OutgoingMessage } from "../model/outgoing.ts";
import { atomsOf } from "./atoms.ts";
import { Normaliser } from "./normalise.ts";
import { Losses } from "./report.ts";
import { sourceEvents } from "./source.ts";

/** Remembers what was written, in little memory: a digest and a few words for each atom. */
export class Expectation {
  readonly #digests: string[] = [];
  readonly #words: string[] = [];

  /** Passes messages on and remembers them. */
  async *watch(messages: AsyncIterable<OutgoingMessage>): AsyncGenerator<OutgoingMessage> {
    for await (const message of messages) {
      for (const atom of atomsOf(message)) {
        this.#digests.push(digest(atom));
        this.#words.push(atom.slice(0, 80));
      }
      yield message;
    }
  }

  get size(): number {
    return this.#digests.length;
  }

  /** Whether the atom at this place is the one that was written. */
  matches(index: number, atom: string): boolean {
    return this.#digests[index] === digest(atom);
  }

  wordsAt(index: number): string {
    return this.#words[index] ?? "(the end)";
  }
}

/** A target that holds everything: reading back must drop nothing by itself. */
export const everything: Holds = {
  thinking: "text",
  images: ["*"],
  resultImages: true,
  files: true,
};

/** Reads a written session back with the target's own reader; returns where it differs, if it does. */
export async function difference(
  target: Agent,
  ref: SessionRef,
  expected: Expectation,
): Promise<string | undefined> {
  const normaliser = new Normaliser({
    holds: everything,
    sameAgent: true,
    from: undefined,
    to: undefined,
    mappings: [],
    losses: new Losses(),
  });
  let index = 0;
  for await (const message of normaliser.all(sourceEvents({ agent: target, ref }))) {
    for (const atom of atomsOf(message)) {
      if (!expected.matches(index, atom)) {
        return `at item ${index + 1}: wrote "${expected.wordsAt(index)}", read "${atom.slice(0, 80)}"`;
      }
      index += 1;
    }
  }
  return index === expected.size
    ? undefined
    : `the end is missing after item ${index} of ${expected.size}`;
}

function digest(atom: string): string {
  return createHash("sha256").update(atom).digest("base64url").slice(0, 16);
}

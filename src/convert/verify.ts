import { crc32 } from "node:zlib";
import type { Agent, Holds, SessionRef } from "../agents/contract.ts";
import type { OutgoingMessage } from "../model/outgoing.ts";
import { type Atom, atomsOf } from "./atoms.ts";
import { Normaliser } from "./normalise.ts";
import { Losses } from "./report.ts";
import { sourceEvents } from "./source.ts";

/** Remembers what was written in eight bytes an atom: its length and its checksum. */
export class Expectation {
  readonly #unmarked: ((text: string) => string) | undefined;
  #marks = new Uint32Array(1024);
  #size = 0;
  #messages = 0;

  constructor(unmarked?: (text: string) => string) {
    this.#unmarked = unmarked;
  }

  /** Passes messages on and remembers them. */
  async *watch(messages: AsyncIterable<OutgoingMessage>): AsyncGenerator<OutgoingMessage> {
    for await (const message of messages) {
      this.#messages += 1;
      for (const atom of atomsOf(message, this.#unmarked)) this.#add(atom);
      yield message;
    }
  }

  /** How many messages went by. */
  get messages(): number {
    return this.#messages;
  }

  /** How many atoms were remembered. */
  get size(): number {
    return this.#size;
  }

  /** Whether the atom at this place is the one that was written. */
  matches(index: number, atom: Atom): boolean {
    return (
      index < this.#size &&
      this.#marks[index * 2] === atom.text.length &&
      this.#marks[index * 2 + 1] === markOf(atom)
    );
  }

  #add(atom: Atom): void {
    if (this.#size * 2 === this.#marks.length) {
      const grown = new Uint32Array(this.#marks.length * 2);
      grown.set(this.#marks);
      this.#marks = grown;
    }
    this.#marks[this.#size * 2] = atom.text.length;
    this.#marks[this.#size * 2 + 1] = markOf(atom);
    this.#size += 1;
  }
}

/** A target that holds everything: reading back must drop nothing by itself. */
export const everything: Holds = {
  thinking: "text",
  images: ["*"],
  resultImages: true,
  files: true,
  tools: true,
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
    for (const atom of atomsOf(message, target.writer?.unmarked)) {
      if (!expected.matches(index, atom)) {
        return `item ${index + 1} of ${expected.size} was read as ${atom.label} "${atom.text.slice(0, 80)}"`;
      }
      index += 1;
    }
  }
  return index === expected.size
    ? undefined
    : `the end is missing after item ${index} of ${expected.size}`;
}

function markOf({ label, text }: Atom): number {
  return crc32(text, crc32(label));
}

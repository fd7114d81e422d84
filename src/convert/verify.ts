import type { AgentWriter, Holds } from "../agents/contract.ts";
import { type Source, sourceBatches } from "../agents/source.ts";
import type { OutgoingMessage } from "../model/outgoing.ts";
import { atomsOf } from "./atoms.ts";
import { Marks } from "./marks.ts";
import { Normaliser } from "./normalise.ts";
import { Losses } from "./report.ts";

/** Remembers what was written, so that it can be compared with what is read back. */
export class Expectation {
  readonly #unmarked: ((text: string) => string) | undefined;
  readonly marks: Marks;
  #messages = 0;

  constructor(writer: Pick<AgentWriter, "unmarked" | "replacesHalves">) {
    this.#unmarked = writer.unmarked;
    this.marks = new Marks(writer);
  }

  /** Remembers a message that is about to be written. */
  add(message: OutgoingMessage): void {
    this.#messages += 1;
    for (const atom of atomsOf(message, this.#unmarked)) this.marks.add(atom);
  }

  /** How many messages were remembered. */
  get messages(): number {
    return this.#messages;
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

/** Turns what is read back into a conversation without changing anything in it. */
function plainNormaliser(): Normaliser {
  return new Normaliser({
    holds: everything,
    sameAgent: true,
    from: undefined,
    to: undefined,
    mappings: [],
    losses: new Losses(),
  });
}

/** Reads a written session back with the target's own reader; returns where it differs, if it does. */
export async function difference(
  written: Source,
  { unmarked }: Pick<AgentWriter, "unmarked">,
  { marks }: Expectation,
): Promise<string | undefined> {
  let index = 0;
  for await (const message of plainNormaliser().all(sourceBatches(written))) {
    for (const atom of atomsOf(message, unmarked)) {
      if (!marks.matches(index, atom)) {
        return `item ${index + 1} of ${marks.size} was read as ${atom.label} ${JSON.stringify(atom.said).slice(0, 80)}`;
      }
      index += 1;
    }
  }
  return index === marks.size
    ? undefined
    : `the end is missing after item ${index} of ${marks.size}`;
}

/** A part of a conversation in neutral words. */
export interface Atom {
  readonly kind: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly data?: string;
}

/** The four APIs, in this order: Anthropic Messages, OpenAI Responses, Chat Completions, Gemini. */
export const wires: readonly {
  atoms(body: object): Iterable<Atom>;
}[];

import type { AgentEvent } from "../../agents/contract.ts";
import type { SessionHead } from "../../model/head.ts";
import { createMasker, type Found, type MaskOptions } from "../../redact/mask.ts";
import { maskValueWith } from "../../redact/mask-value.ts";

/** Takes the secrets out of a session on its way out, and counts them. */
export interface Masking {
  head(head: SessionHead): SessionHead;
  events(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent>;
  found(): readonly Found[];
}

/** Begins masking one session: equal secrets get equal masks throughout. */
export function maskSession(options: MaskOptions = {}): Masking {
  const masker = createMasker(options);
  return {
    head: (head) => maskValueWith(masker, head),
    events: async function* (events) {
      // The native record holds the same text again; what is shared is made from the event alone.
      for await (const { native: _native, ...event } of events) yield maskValueWith(masker, event);
    },
    found: () => masker.found(),
  };
}

/** The rule that hides home folders; nothing secret, but nobody's business. */
const homeRule = "home-path";

function times(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

/** What was masked, for people: `2 secrets masked (github-token 1, password 1)`. */
export function maskedSentence(found: readonly Found[]): string {
  const secrets = found.filter(({ rule }) => rule !== homeRule);
  const homes = found.find(({ rule }) => rule === homeRule)?.count ?? 0;
  const hidden = homes === 0 ? "" : ` The home folder is written ~ in ${times(homes, "place")}.`;
  const total = secrets.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return `No secrets found.${hidden}`;
  const kinds = secrets.map(({ rule, count }) => `${rule} ${count}`).join(", ");
  return `${times(total, "secret")} masked (${kinds}).${hidden}`;
}

import type { AgentEvent } from "../../../agents/contract.ts";
import { plainText } from "../../../model/block.ts";
import type { SessionHead } from "../../../model/head.ts";
import { isPrompt } from "../../../model/prompt.ts";
import { titleOfPrompt } from "../../../model/title.ts";
import { createMasker, type Found, type MaskOptions } from "../../../redact/mask.ts";
import { maskValueWith } from "../../../redact/mask-value.ts";
import { ruleCount } from "../../../redact/scan.ts";

/** A session on its way out. */
export interface Outgoing {
  readonly head: SessionHead;
  readonly events: AsyncIterable<AgentEvent>;
}

/** Takes the secrets out of a session on its way out, and counts them. */
export interface Masking {
  session(session: Outgoing): Promise<Outgoing>;
  found(): readonly Found[];
}

/** So many events may come before the first prompt. */
const openingEvents = 256;

/** Begins masking one session: equal secrets get equal masks throughout. */
export function maskSession(options: MaskOptions = {}): Masking {
  const masker = createMasker(options);
  async function* masked(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent> {
    // The native record holds the same text again; what is shared is made from the event alone.
    for await (const { native: _native, ...event } of events) yield maskValueWith(masker, event);
  }
  return {
    session: async ({ head, events }) => {
      const safe = masked(events);
      if (head.titled === true) return { head: maskValueWith(masker, head), events: safe };
      const { title: _title, ...facts } = head;
      const opening = await openingOf(safe);
      const title = opening.map(titleOf).find((text) => text !== "");
      return {
        head: { ...maskValueWith(masker, facts), ...(title !== undefined && { title }) },
        events: joined(opening, safe),
      };
    },
    found: () => masker.found(),
  };
}

/** The events up to the first prompt. */
async function openingOf(events: AsyncGenerator<AgentEvent>): Promise<readonly AgentEvent[]> {
  const opening: AgentEvent[] = [];
  while (opening.length < openingEvents) {
    const { done, value } = await events.next();
    if (done === true) break;
    opening.push(value);
    if (titleOf(value) !== "") break;
  }
  return opening;
}

/** What a prompt gives as a title. Made of what was masked: in one line a secret may no longer look like one. */
function titleOf({ body }: AgentEvent): string {
  if (!isPrompt(body)) return "";
  return titleOfPrompt(plainText(body.content));
}

async function* joined(
  first: readonly AgentEvent[],
  rest: AsyncIterable<AgentEvent>,
): AsyncGenerator<AgentEvent> {
  yield* first;
  yield* rest;
}

/** The rule that hides home folders; nothing secret, but nobody's business. */
const homeRule = "home-path";

function times(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

/** Whether anything was masked but the home folder. */
export function hidesSecrets(found: readonly Found[]): boolean {
  return found.some(({ rule }) => rule !== homeRule);
}

/** What was masked, for people: `2 secrets masked (github-token 1, password 1)`. */
export function maskedSentence(found: readonly Found[]): string {
  const secrets = found.filter(({ rule }) => rule !== homeRule);
  // Not how often: much of what was masked is folded or left out of the page.
  const hidden = found.some(({ rule }) => rule === homeRule)
    ? " Your home folder is shown as ~."
    : "";
  const total = secrets.reduce((sum, { count }) => sum + count, 0);
  if (total === 0)
    return `No secret matched the ${ruleCount} rules; read it before you share it.${hidden}`;
  const kinds = secrets.map(({ rule, count }) => `${rule} ${count}`).join(", ");
  return `${times(total, "secret")} masked (${kinds}).${hidden}`;
}

import { type Source, sourceBatches } from "../../src/agents/source.ts";
import { isObject } from "../../src/base/json.ts";
import { atomsOf } from "../../src/convert/atoms.ts";
import { Normaliser } from "../../src/convert/normalise.ts";
import { Losses } from "../../src/convert/report.ts";
import { everything } from "../../src/convert/verify.ts";
import type { OutgoingMessage } from "../../src/model/outgoing.ts";

/** The live path of a session as messages that lost nothing. */
export async function messagesOf(source: Source): Promise<readonly OutgoingMessage[]> {
  const normaliser = new Normaliser({
    holds: everything,
    sameAgent: true,
    from: undefined,
    to: undefined,
    mappings: [],
    losses: new Losses(),
  });
  const messages: OutgoingMessage[] = [];
  for await (const message of normaliser.all(sourceBatches(source))) messages.push(message);
  return messages;
}

/** What was said and done in a session, one line for each; the order of arguments means nothing. */
export async function saidIn(source: Source): Promise<readonly string[]> {
  const unmarked = (await source.agent.writer?.())?.unmarked;
  return (await messagesOf(source)).flatMap((message) =>
    [...atomsOf(message, unmarked)].map(({ label, said }) =>
      label.startsWith("call ") ? `${label} ${sorted(said)}` : `${label} ${String(said)}`,
    ),
  );
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

import type { Agent, SessionRef } from "../../agents/contract.ts";
import type { EventRules } from "../../agents/usage-contract.ts";
import { hashText } from "../../base/hash.ts";
import { asNumber } from "../../base/json.ts";
import type { Usage } from "../../model/usage.ts";
import { AbsurdCount, costIn, countIn, momentIn } from "../../model/usage-counts.ts";
import type { ScanEnd, Uncounted } from "../../model/usage-scan.ts";
import type { Tokens, UsageTable } from "../../model/usage-table.ts";

/** What an agent's rules, and the head of a session, tell about its events. */
interface ReadRules extends EventRules {
  /** The moment of events that have none. */
  readonly startedAt?: string;
  readonly cwd?: string;
  readonly parent?: string;
}

/** Adds the rows of one session through its agent's own reader, whatever its store looks like. */
export async function scanByReading(
  agent: Pick<Agent, "read">,
  ref: SessionRef,
  rules: ReadRules & { readonly table: UsageTable },
): Promise<ScanEnd> {
  const { table } = rules;
  const uncounted = { damaged: 0, absurd: 0, sealed: 0, unreadable: 0 } satisfies Uncounted;
  let model: string | undefined;
  const first = table.length;
  for await (const batch of agent.read(ref, { allBranches: true })) {
    if (batch.restart) table.drop(table.length - first);
    uncounted.damaged += batch.damage.length;
    for (const { at, uuid, body } of batch.events) {
      if ("model" in body && typeof body.model === "string") model = body.model;
      const usage = "usage" in body ? body.usage : undefined;
      if (usage === undefined) continue;
      try {
        const tokens = tokensOf(usage, rules);
        const atMs = momentIn(at ?? rules.startedAt);
        const message = "message" in body ? (body.message ?? uuid) : uuid;
        const name = model ?? "unknown";
        const numbers = JSON.stringify([atMs, name, tokens]);
        const key = rules.copiesByMoment
          ? numbers
          : message && `${ref.session} ${message} ${numbers}`;
        table.add({
          key: key === undefined ? 0 : hashText(key),
          atMs,
          model: name,
          tokens,
          costUsd: costIn(asNumber(usage.cost)),
          side: false,
        });
      } catch (error) {
        if (!(error instanceof AbsurdCount)) throw error;
        uncounted.absurd += 1;
      }
    }
  }
  const { cwd, parent } = rules;
  const begunMs = momentIn(rules.startedAt);
  return {
    offset: 0,
    tailRows: 0,
    facts: {
      ...(cwd !== undefined && { cwd }),
      ...(parent !== undefined && { parent }),
      ...(!Number.isNaN(begunMs) && { begunMs }),
    },
    uncounted,
  };
}

function tokensOf(usage: Usage, rules: ReadRules): Tokens {
  const fields = { ...usage };
  const reasoning = countIn(fields, "reasoning");
  const output = countIn(fields, "output") + (rules.reasoningApart ? reasoning : 0);
  return {
    input: countIn(fields, "input"),
    output,
    cacheRead: countIn(fields, "cacheRead"),
    cacheWrite: countIn(fields, "cacheWrite"),
    cacheWriteHour: 0,
    reasoning,
  };
}

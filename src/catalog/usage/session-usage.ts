import type { FoundSession } from "../../agents/find-sessions.ts";
import { type Reading, readSession } from "../../agents/reading.ts";
import { type ContextShares, contextShares } from "./context-shares.ts";
import type { Counted } from "./make-report.ts";
import { reportOf, sessionOf, type UsageReport } from "./report.ts";
import { ownSession } from "./source.ts";

/** What one session took, its subagents with it, and what its context is made of. */
export interface MadeSessionUsage {
  readonly report: UsageReport;
  readonly subagents: number;
  readonly shares: ContextShares;
  readonly tally: Reading["tally"];
}

/** Adds up what one session took, and reads it to see what filled its context. */
export async function sessionUsageOf(
  session: FoundSession,
  { usage, prices }: Counted,
): Promise<MadeSessionUsage> {
  const { head } = session;
  const own = usage.files.filter(
    (known) => known.file.agent === head.agent && sessionOf(known) === head.session,
  );
  const kept = new Set(own);
  const report = reportOf(usage, {
    by: "model",
    dayOf: () => "",
    prices,
    keeps: (known) => kept.has(known),
  });
  const subagents = own.filter(
    ({ file, end }) => ownSession(file, end.facts) !== head.session,
  ).length;
  const { events, tally } = readSession(session);
  return { report, subagents, shares: await contextShares(events), tally };
}

import { type OnMachine, sessionGiven } from "../../agents/library.ts";
import type { NamedSession } from "../../agents/reference.ts";
import type { SessionHead } from "../../model/head.ts";
import type { ContextShares } from "./context-shares.ts";
import { type CountOptions, countUsage, makeReport, type UsageOptions } from "./make-report.ts";
import { type PricesUsed, pricesUsed } from "./prices.ts";
import type { UsageGroup, UsageReport } from "./report.ts";
import { sessionUsageOf } from "./session-usage.ts";

/** A report of usage, and the prices it was made at. */
export interface PricedReport extends UsageReport {
  readonly prices: PricesUsed;
}

/** What one session took, and what its context is made of. */
export interface SessionUsage {
  readonly session: SessionHead;
  /** Its own usage and that of its subagents. */
  readonly usage: Omit<UsageGroup, "key" | "cwd">;
  readonly subagents: number;
  readonly prices: PricesUsed;
  readonly context: ContextShares;
}

/**
 * Counts the tokens and the cost of every agent's sessions by day, week, month, session, project, agent or model; each model
 * message counts once, whichever files repeat it. What was counted before is kept: unchanged files cost a stat.
 */
export async function reportUsage(options: UsageOptions = {}): Promise<PricedReport> {
  const { report, prices } = await makeReport(options);
  return { ...report, prices: pricesUsed(prices) };
}

/** Counts what one session took, its subagents included, and estimates what fills its context. */
export async function sessionUsage(
  session: string | NamedSession,
  options: CountOptions & OnMachine = {},
): Promise<SessionUsage> {
  const found = await sessionGiven(session, options);
  const counted = await countUsage(options);
  const { report, subagents, shares } = await sessionUsageOf(found, counted);
  const { cwd: _cwd, ...usage } = report.totals;
  const prices = pricesUsed(counted.prices);
  return { session: found.head, usage, subagents, prices, context: shares };
}

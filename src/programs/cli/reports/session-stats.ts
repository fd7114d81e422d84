import { resolveReference } from "../../../agents/reference.ts";
import { everyAgent } from "../../../agents/user-agents.ts";
import type { ContextShares } from "../../../catalog/usage/context-shares.ts";
import type { Counted } from "../../../catalog/usage/make-report.ts";
import { pricesUsed } from "../../../catalog/usage/prices.ts";
import type { UsageReport } from "../../../catalog/usage/report.ts";
import { sessionUsageOf } from "../../../catalog/usage/session-usage.ts";
import type { SessionHead } from "../../../model/head.ts";
import { costText, countText, noteSentences, priceSentence } from "../render/stats-text.ts";
import { tallySentences } from "../render/tally-text.ts";
import { transcriptHeading } from "../render/transcript.ts";
import type { CommandContext } from "../run/command.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { padded, truncated } from "../terminal/width.ts";
import { type Run, wrappedRuns } from "../terminal/wrap-runs.ts";

/** Prints what one session took, its subagents with it, and what its context is made of. */
export async function sessionStats(
  ref: string,
  { counted, context }: { readonly counted: Counted; readonly context: CommandContext },
): Promise<void> {
  const session = resolveReference(ref, { ...context, agents: await everyAgent(context.out.note) });
  const { head } = session;
  const { report, subagents, shares, tally } = await sessionUsageOf(session, counted);
  if (context.json) {
    const { cwd, ...totals } = report.totals;
    return context.out.writeJson({
      session: head,
      usage: totals,
      subagents,
      prices: pricesUsed(counted.prices),
      context: shares,
    });
  }
  await context.out.write(sessionText(head, { report, shares, subagents, context }));
  const priced = report.totals.costUsd > 0 ? [priceSentence(counted.prices)] : [];
  for (const line of [...priced, ...tallySentences(tally), ...noteSentences(report)]) {
    context.out.note(line);
  }
}

interface SessionText {
  readonly report: UsageReport;
  readonly shares: ContextShares;
  readonly subagents: number;
  readonly context: CommandContext;
}

/** What a line takes without its bar, the longest bar, and how often a tool was called. */
const shareColumns = 34;
const barColumns = 30;
const callsColumns = 14;
const shownTools = 8;

function sessionText(head: SessionHead, text: SessionText): string {
  const { report, shares, subagents, context } = text;
  const { colours } = context;
  const width = context.out.isTerminal ? { columns: context.out.columns } : {};
  const lines = [transcriptHeading(head, colours, { ...width, env: context.env }).trimEnd(), ""];
  const say = (...runs: readonly Run[]): void => {
    lines.push(...wrappedRuns(runs, width.columns ?? Number.POSITIVE_INFINITY));
  };
  for (const { model, messages, tokens, ...cost } of report.totals.models) {
    const priced = costText({
      costUsd: cost.costUsd ?? 0,
      models: [{ model, messages, tokens, ...cost }],
    });
    lines.push(`${colours.bold(safeLine(model))}  ${countText(messages)} messages  ${priced}`);
    const used = `  input ${countText(tokens.input)}, output ${countText(tokens.output)}${
      tokens.reasoning > 0 ? ` (reasoning ${countText(tokens.reasoning)})` : ""
    }, cache write ${countText(tokens.cacheWrite)}, cache read ${countText(tokens.cacheRead)}`;
    say({ text: used });
  }
  if (report.totals.models.length === 0) lines.push("No usage is recorded.");
  if (subagents > 0)
    lines.push(colours.dim(`With ${subagents === 1 ? "1 subagent" : `${subagents} subagents`}.`));
  const estimated = `  about ${countText(shares.estimatedTokens)} tokens, estimated from its text`;
  lines.push("");
  say({ text: "Context", paint: colours.bold }, { text: estimated });
  const most = Math.max(1, ...shares.shares.map(({ tokens }) => tokens));
  for (const { name, tokens } of shares.shares) {
    lines.push(shareLine(name, tokens, { most, all: shares.estimatedTokens, context }));
  }
  const { recordedTokens = 0 } = shares;
  if (recordedTokens > shares.estimatedTokens) {
    const rest = "what is not in the session's text (instructions, tool definitions) is the rest.";
    const text = `  The last message states ${countText(recordedTokens)}: ${rest}`;
    say({ text, paint: colours.dim });
  }
  if (shares.tools.length > 0) {
    lines.push("", colours.bold("Tools"));
    for (const { name, tokens, calls } of shares.tools.slice(0, shownTools)) {
      const line = shareLine(name, tokens, { most, all: shares.estimatedTokens, context });
      const calling = calls === 1 ? "1 call" : `${countText(calls)} calls`;
      const fits = !context.out.isTerminal || context.out.columns >= shareColumns + callsColumns;
      lines.push(fits ? `${line}  ${colours.dim(calling)}` : line);
    }
  }
  return `${lines.join("\n")}\n`;
}

function shareLine(
  name: string,
  tokens: number,
  {
    most,
    all,
    context,
  }: { readonly most: number; readonly all: number; readonly context: CommandContext },
): string {
  const share = all === 0 ? 0 : Math.round((tokens / all) * 100);
  const { out, colours } = context;
  const room = Math.min(barColumns, out.columns - shareColumns - callsColumns);
  const bar = "█".repeat(Math.round((tokens / most) * Math.max(0, room)));
  const shown = out.isTerminal && room >= 4 ? `  ${colours.cyan(padded(bar, room))}` : "";
  return `  ${padded(truncated(safeLine(name), 14), 14)}${countText(tokens).padStart(11)}  ${String(share).padStart(3)}%${shown}`.trimEnd();
}

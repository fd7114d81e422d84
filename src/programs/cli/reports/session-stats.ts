import { type ContextShares, contextShares } from "../../../catalog/usage/context-shares.ts";
import type { GatheredUsage } from "../../../catalog/usage/gather.ts";
import type { Prices } from "../../../catalog/usage/prices.ts";
import { reportOf, sessionOf, type UsageReport } from "../../../catalog/usage/report.ts";
import { ownSession } from "../../../catalog/usage/source.ts";
import type { SessionHead } from "../../../model/head.ts";
import { pricesJson } from "../commands/stats.ts";
import { costText, countText, noteSentences } from "../render/stats-text.ts";
import { transcriptHeading } from "../render/transcript.ts";
import type { CommandContext } from "../run/command.ts";
import { everyAgent } from "../run/every-agent.ts";
import { readSession, tallySentences } from "../sessions/reading.ts";
import { resolveReference } from "../sessions/reference.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { padded } from "../terminal/width.ts";

/** Prints what one session took, its subagents with it, and what its context is made of. */
export async function sessionStats(
  ref: string,
  given: {
    readonly usage: GatheredUsage;
    readonly prices: Prices;
    readonly context: CommandContext;
  },
): Promise<void> {
  const { usage, prices, context } = given;
  const session = resolveReference(ref, { ...context, agents: await everyAgent(context.out.note) });
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
  const reading = readSession(session);
  const shares = await contextShares(reading.events);
  if (context.json) {
    const { cwd, ...totals } = report.totals;
    return context.out.writeJson({
      session: head,
      usage: totals,
      subagents,
      prices: pricesJson(prices),
      context: shares,
    });
  }
  await context.out.write(sessionText(head, { report, shares, subagents, context }));
  for (const line of [...tallySentences(reading.tally), ...noteSentences(report)]) {
    context.out.note(line);
  }
}

interface SessionText {
  readonly report: UsageReport;
  readonly shares: ContextShares;
  readonly subagents: number;
  readonly context: CommandContext;
}

const barColumns = 30;
const shownTools = 8;

function sessionText(head: SessionHead, text: SessionText): string {
  const { report, shares, subagents, context } = text;
  const { colours } = context;
  const lines = [transcriptHeading(head, colours).trimEnd(), ""];
  for (const { model, messages, tokens, ...cost } of report.totals.models) {
    const priced = costText({
      costUsd: cost.costUsd ?? 0,
      models: [{ model, messages, tokens, ...cost }],
    });
    lines.push(
      `${colours.bold(safeLine(model))}  ${countText(messages)} messages  ${priced}`,
      `  input ${countText(tokens.input)}, output ${countText(tokens.output)}${
        tokens.reasoning > 0 ? ` (reasoning ${countText(tokens.reasoning)})` : ""
      }, cache write ${countText(tokens.cacheWrite)}, cache read ${countText(tokens.cacheRead)}`,
    );
  }
  if (report.totals.models.length === 0) lines.push("No usage is recorded.");
  if (subagents > 0)
    lines.push(colours.dim(`With ${subagents === 1 ? "1 subagent" : `${subagents} subagents`}.`));
  lines.push(
    "",
    `${colours.bold("Context")}  about ${countText(shares.estimatedTokens)} tokens, estimated from its text`,
  );
  const most = Math.max(1, ...shares.shares.map(({ tokens }) => tokens));
  for (const { name, tokens } of shares.shares) {
    lines.push(shareLine(name, tokens, { most, all: shares.estimatedTokens, context }));
  }
  if (shares.recordedTokens !== undefined) {
    lines.push(
      colours.dim(
        `  The last message states ${countText(shares.recordedTokens)}: what is not in the session's text (instructions, tool definitions) is the rest.`,
      ),
    );
  }
  if (shares.tools.length > 0) {
    lines.push("", colours.bold("Tools"));
    for (const { name, tokens, calls } of shares.tools.slice(0, shownTools)) {
      const count = calls === 1 ? "1 call" : `${countText(calls)} calls`;
      lines.push(
        `${shareLine(name, tokens, { most, all: shares.estimatedTokens, context })}  ${colours.dim(count)}`,
      );
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
  const bar = "█".repeat(Math.round((tokens / most) * barColumns));
  const shown = context.out.isTerminal ? `  ${context.colours.cyan(padded(bar, barColumns))}` : "";
  return `  ${padded(safeLine(name).slice(0, 24), 14)}${countText(tokens).padStart(11)}  ${String(share).padStart(3)}%${shown}`.trimEnd();
}

import { resolveReference } from "../../../agents/reference.ts";
import { everyAgent } from "../../../agents/user-agents.ts";
import type { ContextShares } from "../../../catalog/usage/context-shares.ts";
import type { Counted } from "../../../catalog/usage/make-report.ts";
import { pricesUsed } from "../../../catalog/usage/prices.ts";
import type { UsageReport } from "../../../catalog/usage/report.ts";
import { sessionUsageOf } from "../../../catalog/usage/session-usage.ts";
import type { SessionHead } from "../../../model/head.ts";
import { costText, countText, noteSentences } from "../render/stats-text.ts";
import { tallySentences } from "../render/tally-text.ts";
import { transcriptHeading } from "../render/transcript.ts";
import type { CommandContext } from "../run/command.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { padded } from "../terminal/width.ts";

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
  for (const line of [...tallySentences(tally), ...noteSentences(report)]) {
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

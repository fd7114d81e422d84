import { parseTime, parseUntil } from "../../../base/parse-time.ts";
import { type Grouping, groupings } from "../../../catalog/usage/grouping.ts";
import {
  countUsage,
  type MadeReport,
  makeReport,
  type UsageOptions,
} from "../../../catalog/usage/make-report.ts";
import { pricesUsed } from "../../../catalog/usage/prices.ts";
import type { UsageGroup } from "../../../catalog/usage/report.ts";
import { homely } from "../render/path-text.ts";
import {
  groupsWithin,
  noteSentences,
  priceSentence,
  statsCsv,
  statsText,
} from "../render/stats-text.ts";
import { spanText } from "../render/time.ts";
import { sessionNames, usageFrom } from "../reports/usage-report.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { limitFrom } from "../run/limit.ts";
import { isFiltered, otherTimes } from "../run/nothing-found.ts";
import { wrapped } from "../terminal/width.ts";

const shownGroups = 30;

/** `reprise stats`: tokens and cost of every agent's sessions. */
export const stats: Command = {
  name: "stats",
  summary: "report tokens and cost by day, session, project, agent or model",
  details: `Every model message counts once, even if forks, resumed sessions or subagents repeat it. Cost is what the program
recorded, else list prices (a bundled, dated table, or your own file); a model without a price counts in tokens only, and a
sum with one has a +. Except by day, the highest cost comes first. See docs/stats.md.`,
  withoutAgents: true,
  args: [],
  flags: [
    {
      flags: "--by <group>",
      says: `one of ${groupings.join(", ")} (day)`,
      kind: "text",
      choices: groupings,
    },
    {
      flags: "--session <ref>",
      says: "report one session: its usage, and what filled its context",
      kind: "text",
    },
    { flags: "--agent <name>", says: "only this agent's sessions", kind: "text" },
    { flags: "--project <words>", says: "only projects whose name or path has this", kind: "text" },
    { flags: "--here", says: "only the project of the current folder", kind: "switch" },
    { flags: "--model <words>", says: "only models whose name has this", kind: "text" },
    {
      flags: "--since <time>",
      says: "from this day or moment: 2026-11-01, 2026-11, last week, 7d",
      kind: "text",
    },
    {
      flags: "--until <time>",
      says: "until this day or moment; a day, week or month is included",
      kind: "text",
    },
    {
      flags: "--timezone <name>",
      says: "count days in this time zone: Europe/Paris, UTC (default: this machine's)",
      kind: "text",
    },
    {
      flags: "--prices <file>",
      says: "use these prices before the bundled ones (default ~/.reprise/prices.json)",
      kind: "text",
    },
    { flags: "--csv", says: "print comma-separated values", kind: "switch" },
    {
      flags: "-n, --limit <count>",
      says: `maximum lines, 0 for all (default ${shownGroups}; --csv and --json: all)`,
      kind: "count",
    },
    { flags: "--rebuild", says: "read every session again", kind: "switch" },
  ],
  examples: [
    { line: "reprise stats", says: "tokens and cost of every day" },
    { line: "reprise stats --by model --since 30d", says: "a month, model by model" },
    {
      line: "reprise stats --by project --since 'last month' --until 'last month'",
      says: "the last calendar month, by project",
    },
    {
      line: "reprise stats --session @last",
      says: "what the last session cost, and what filled it",
    },
    { line: "reprise stats --by project --csv", says: "for a spreadsheet" },
  ],
  json: `{ by: string, timezone?: string, prices: { dated: string, file?: string },
  groups: { key: string, name?: string, agents: string[], messages: number,
    tokens: { input, output, cacheRead, cacheWrite, reasoning, total: number },
    costUsd: number, days?: number,
    models: { model: string, messages: number, tokens, costUsd?: number, computedUsd?: number }[] }[],
  totals: same without key, notes: { undated, damaged, absurd, sealed, unreadable: number,
    unpriced: string[], files: number, readBytes: number } }
days: how many of a week or a month are in the span, where not all are
With --session: { session: SessionHead, usage: totals, subagents: number, prices,
  context: { estimatedTokens: number, recordedTokens?: number,
    shares: { name, tokens, events }[], tools: { name, tokens, calls }[] } }`,
  run: async (invocation, context) => {
    const { options, end } = usageFrom(invocation, context);
    const ref = invocation.flags.text("session");
    if (ref !== undefined) {
      const { sessionStats } = await import("../reports/session-stats.ts");
      return sessionStats(ref, { counted: await countUsage(options).finally(end), context });
    }
    const { by = "day" } = options;
    await print(await makeReport(options).finally(end), { by, invocation, context, options });
  },
};

interface Printing {
  readonly by: Grouping;
  readonly invocation: Invocation;
  readonly context: CommandContext;
  readonly options: UsageOptions;
}

async function print(made: MadeReport, printing: Printing): Promise<void> {
  const { by, invocation, context, options } = printing;
  const { report, prices } = made;
  const { flags } = invocation;
  // What a program reads is whole unless it asks for less.
  const isForPeople = !context.json && !flags.isSet("csv");
  const limit = limitFrom(flags, isForPeople ? shownGroups : 0);
  const nameOf = by === "session" ? await sessionNames(made, context, limit) : undefined;
  if (context.json) {
    const zone = flags.text("timezone");
    const groups = groupsWithin(report, { by, limit }).map((group) => ({
      ...group,
      ...(nameOf !== undefined && { name: nameOf(group) }),
    }));
    const { cwd, ...totals } = report.totals;
    return context.out.writeJson({
      by,
      ...(zone !== undefined && { timezone: zone }),
      prices: pricesUsed(prices),
      groups,
      totals,
      notes: report.notes,
    });
  }
  const named = { by, ...(nameOf !== undefined && { nameOf }) };
  if (flags.isSet("csv")) {
    await context.out.write(statsCsv(report, { ...named, limit }));
  } else {
    const path = ({ key }: UsageGroup): string => homely(key, context.env);
    const short = by === "project" ? { ...named, nameOf: path } : named;
    await context.out.write(statsText(report, { ...short, ...context, limit }));
    if (report.totals.costUsd > 0) remark(priceSentence(prices), context);
  }
  for (const sentence of noteSentences(report)) remark(sentence, context);
  if (report.groups.length === 0 && isFiltered(invocation)) {
    remark(await whyNone(options, context), context);
  }
  if (made.usage.files.length === 0) {
    context.out.note("No agent's session was found. Try the sample: `reprise --sample stats`.");
  }
}

/** Why a report is empty: where a time was asked for, of which days there is usage. */
async function whyNone(
  { since, until, ...rest }: UsageOptions,
  { nowMs }: CommandContext,
): Promise<string> {
  if (since === undefined && until === undefined)
    return "No usage matches the filters; leave some out.";
  const { report } = await makeReport({ ...rest, fresh: false, by: "day" });
  const span = spanText(
    since === undefined ? undefined : parseTime(String(since), nowMs),
    until === undefined ? undefined : parseUntil(String(until), nowMs),
  );
  const days = report.groups.map(({ key }) => key).toSorted();
  return otherTimes("There is usage", span, days);
}

/** A sentence for the person, its words whole. */
function remark(sentence: string, { out }: CommandContext): void {
  out.note(out.isTerminal ? wrapped(sentence, out.columns).join("\n") : sentence);
}

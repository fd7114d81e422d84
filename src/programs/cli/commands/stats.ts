import { resolve } from "node:path";
import { parseTime } from "../../../base/parse-time.ts";
import type { KnownFile } from "../../../catalog/usage/cache-file.ts";
import { calendarOf, type DayOf } from "../../../catalog/usage/calendar.ts";
import { type GatheredUsage, gatherUsage } from "../../../catalog/usage/gather.ts";
import { pricesFor } from "../../../catalog/usage/price-file.ts";
import { costsOf, type Prices } from "../../../catalog/usage/prices.ts";
import {
  type Grouping,
  groupings,
  type ReportOptions,
  reportOf,
  sessionOf,
  type UsageGroup,
  type UsageReport,
} from "../../../catalog/usage/report.ts";
import { scanVersions } from "../../../catalog/usage/source.ts";
import { userHome } from "../../../store/home.ts";
import type { Command, CommandContext, Invocation } from "../command.ts";
import { knownAgent } from "../known-agent.ts";
import { isTerminal } from "../output.ts";
import { noteSentences, statsCsv, statsText } from "../render/stats-text.ts";

const shownGroups = 30;

/** `reprise stats`: tokens and cost of every agent's sessions. */
export const stats: Command = {
  name: "stats",
  summary: "tokens and cost by day, session, project, agent or model",
  details: `Every model message counts once, whatever repeats it: forks, resumed sessions, subagents,
records written while a message grew. Cost is what the program recorded, else list prices (a bundled, dated
table; a file of yours over it); a model without a price counts in tokens only. docs/stats.md has the rules.`,
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
      says: "one session: its usage, and where its context went",
      kind: "text",
    },
    { flags: "--agent <name>", says: "only this agent's sessions", kind: "text" },
    { flags: "--project <words>", says: "only projects whose name or path has this", kind: "text" },
    { flags: "--here", says: "only the project of the current folder", kind: "switch" },
    { flags: "--model <words>", says: "only models whose name has this", kind: "text" },
    {
      flags: "--since <time>",
      says: "from this day or moment: 2026-11-01, yesterday, 7d",
      kind: "text",
    },
    { flags: "--until <time>", says: "until this day or moment, the day included", kind: "text" },
    {
      flags: "--timezone <name>",
      says: "whose days: Europe/Paris, UTC (this machine's)",
      kind: "text",
    },
    {
      flags: "--prices <file>",
      says: "prices over the bundled ones (~/.reprise/prices.json)",
      kind: "text",
    },
    { flags: "--csv", says: "print comma-separated values", kind: "switch" },
    {
      flags: "--limit <count>",
      says: `at most so many lines, 0 for all (${shownGroups})`,
      kind: "count",
    },
    { flags: "--rebuild", says: "read every session anew", kind: "switch" },
  ],
  examples: [
    { line: "reprise stats", says: "tokens and cost of every day" },
    { line: "reprise stats --by model --since 30d", says: "a month, model by model" },
    {
      line: "reprise stats --session @last",
      says: "what the last session cost, and what filled it",
    },
    { line: "reprise stats --by project --csv", says: "for a spreadsheet" },
  ],
  json: `{ by: string, timezone?: string, prices: { dated: string, file?: string },
  groups: { key: string, name?: string, agents: string[], messages: number,
    tokens: { input, output, cacheRead, cacheWrite, reasoning, total: number },
    costUsd: number, models: { model: string, messages: number, tokens, costUsd?: number }[] }[],
  totals: same without key, notes: { undated, damaged, absurd, sealed, unreadable: number,
    unpriced: string[], files: number, readBytes: number } }
With --session: { session: SessionHead, usage: totals, subagents: number, prices,
  context: { estimatedTokens: number, recordedTokens?: number,
    shares: { name, tokens, events }[], tools: { name, tokens, calls }[] } }`,
  run: async (invocation, context) => {
    const { flags } = invocation;
    const prices = pricesFor(
      userHome(context.env),
      flags.text("prices") === undefined
        ? undefined
        : resolve(context.folder, flags.text("prices")!),
    );
    const dayOf = calendarOf(flags.text("timezone"));
    const agent = knownAgent(flags.text("agent"), Object.keys(scanVersions));
    const within = spanOf(invocation, { dayOf, nowMs: context.nowMs });
    const progress = progressOn(context);
    const usage = await gatherUsage({
      env: context.env,
      fresh: flags.isSet("rebuild"),
      onProgress: progress.tell,
    });
    progress.end();
    const ref = flags.text("session");
    if (ref !== undefined) {
      const { sessionStats } = await import("../session-stats.ts");
      return sessionStats(ref, { usage, prices, context });
    }
    const by = (flags.text("by") ?? "day") as Grouping;
    const choice = await projectChoice(usage, invocation, { by, context });
    const options: ReportOptions = {
      by,
      dayOf,
      costOf: costsOf(usage.table, prices),
      keeps: (known) => (agent === undefined || known.file.agent === agent) && choice.keeps(known),
      ...(flags.text("model") !== undefined && { model: flags.text("model")! }),
      ...(within !== undefined && { within }),
      ...(choice.projectOf !== undefined && { projectOf: choice.projectOf }),
    };
    await print(reportOf(usage, options), { by, usage, prices, invocation, context });
  },
};

interface Printing {
  readonly by: Grouping;
  readonly usage: GatheredUsage;
  readonly prices: Prices;
  readonly invocation: Invocation;
  readonly context: CommandContext;
}

async function print(report: UsageReport, printing: Printing): Promise<void> {
  const { by, prices, context } = printing;
  const { flags } = printing.invocation;
  const asked = flags.number("limit") ?? shownGroups;
  const limit = asked === 0 ? Number.POSITIVE_INFINITY : asked;
  if (context.json) {
    const zone = flags.text("timezone");
    const nameOf = by === "session" ? await titles(report, printing, limit) : undefined;
    const groups = report.groups.map(({ firstMs, lastMs, ...group }) => ({
      ...group,
      ...(nameOf !== undefined && { name: nameOf(group) }),
    }));
    const { firstMs, lastMs, cwd, ...totals } = report.totals;
    return context.out.writeJson({
      by,
      ...(zone !== undefined && { timezone: zone }),
      prices: pricesJson(prices),
      groups,
      totals,
      notes: report.notes,
    });
  }
  const nameOf = by === "session" ? await titles(report, printing, limit) : undefined;
  const named = { by, ...(nameOf !== undefined && { nameOf }) };
  if (flags.isSet("csv")) {
    await context.out.write(statsCsv(report, named));
  } else {
    await context.out.write(statsText(report, { ...named, ...context, limit }));
    if (report.totals.costUsd > 0) context.out.note(priceSentence(prices));
  }
  for (const sentence of noteSentences(report)) context.out.note(sentence);
  if (report.notes.files === 0) {
    context.out.note("No agent's session was found. Try the sample: `reprise --sample stats`.");
  }
}

/** Which prices a cost was computed at, for people. */
function priceSentence({ dated, file }: Prices): string {
  const own = file === undefined ? "" : `, ${file} over them`;
  return `Cost as recorded, else at list prices of ${dated}${own}.`;
}

/** The same for programs. */
export function pricesJson({ dated, file }: Prices): {
  readonly dated: string;
  readonly file?: string;
} {
  return { dated, ...(file !== undefined && { file }) };
}

/** Sessions as people know them; heads are read only for those that are shown. */
async function titles(
  report: UsageReport,
  { usage, context }: Printing,
  limit: number,
): Promise<(group: UsageGroup) => string> {
  const { agents } = await import("../../../agents/registry.ts");
  const { shortId } = await import("../reference.ts");
  const files = new Map<string, KnownFile>();
  for (const known of usage.files) {
    const { agent, session } = known.file;
    if (sessionOf(known) === session) files.set(`${agent}:${session}`, known);
  }
  const names = new Map<string, string>();
  for (const { key } of report.groups.slice(0, limit)) {
    const file = files.get(key)?.file;
    const agent = agents.find(({ name }) => name === file?.agent);
    const head = file === undefined ? undefined : agent?.head(file, context.env);
    const [name = "", id = ""] = [key.slice(0, key.indexOf(":")), key.slice(key.indexOf(":") + 1)];
    names.set(key, `${name}:${shortId(id)}${head?.title === undefined ? "" : `  ${head.title}`}`);
  }
  return ({ key }) => names.get(key) ?? key;
}

const dayShape = /^\d{4}-\d{2}-\d{2}$/;

/** The span that was asked for: days are days of the report's own time zone, both included. */
function spanOf(
  { flags }: Invocation,
  { dayOf, nowMs }: { readonly dayOf: DayOf; readonly nowMs: number },
): ((atMs: number) => boolean) | undefined {
  const tests: ((atMs: number) => boolean)[] = [];
  const today = dayOf(nowMs);
  for (const name of ["since", "until"] as const) {
    const text = flags.text(name);
    if (text === undefined) continue;
    const day = text === "today" ? today : dayShape.test(text) ? text : undefined;
    // Also where it is a day: one that is none, such as 2026-02-31, is refused.
    const ms = parseTime(text, nowMs);
    if (name === "since") {
      tests.push(day === undefined ? (atMs) => atMs >= ms : (atMs) => dayOf(atMs) >= day);
    } else tests.push(day === undefined ? (atMs) => atMs <= ms : (atMs) => dayOf(atMs) <= day);
  }
  return tests.length === 0 ? undefined : (atMs) => tests.every((test) => test(atMs));
}

interface ProjectChoice {
  keeps(known: KnownFile): boolean;
  readonly projectOf?: (known: KnownFile) => string;
}

/** Projects are looked up only where a report asks for them: each folder costs a look at its repository. */
async function projectChoice(
  usage: GatheredUsage,
  { flags }: Invocation,
  { by, context }: { readonly by: Grouping; readonly context: CommandContext },
): Promise<ProjectChoice> {
  const words = flags.text("project")?.toLowerCase();
  const isHere = flags.isSet("here");
  if (by !== "project" && words === undefined && !isHere) return { keeps: () => true };
  const { projectsByFolder } = await import("../../../catalog/usage/projects.ts");
  const { cwd } = context.env;
  const projects = projectsByFolder(usage.files, isHere ? [cwd] : []);
  const here = isHere ? projects.get(cwd) : undefined;
  return {
    keeps: ({ end }) => {
      const folder = end.facts.cwd;
      const project = folder === undefined ? undefined : projects.get(folder);
      if (isHere && (project === undefined || project !== here)) return false;
      if (words === undefined) return true;
      const names = [project?.name, project?.path, folder];
      return names.some((name) => name?.toLowerCase().includes(words) === true);
    },
    projectOf: ({ end }) => {
      const project = end.facts.cwd === undefined ? undefined : projects.get(end.facts.cwd);
      return project === undefined ? "(no project)" : (project.path ?? project.name);
    },
  };
}

const quietMs = 500;
const betweenMs = 100;

/** Tells on a terminal how far reading is, once it takes longer than half a second. */
function progressOn(context: CommandContext): {
  tell(doneBytes: number, totalBytes: number): void;
  end(): void;
} {
  const isSeen = isTerminal(2) && !context.json;
  let nextMs = Date.now() + quietMs;
  let isShown = false;
  const mb = (bytes: number): number => Math.round(bytes / 1e6);
  return {
    tell: (doneBytes, totalBytes) => {
      if (!isSeen || Date.now() < nextMs) return;
      nextMs = Date.now() + betweenMs;
      isShown = true;
      process.stderr.write(`\rReading ${mb(doneBytes)} of ${mb(totalBytes)} MB…\u001b[K`);
    },
    end: () => {
      if (isShown) process.stderr.write("\r\u001b[K");
    },
  };
}

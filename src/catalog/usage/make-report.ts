import { knownAgent } from "../../agents/known-agent.ts";
import { agentNames } from "../../agents/registry.ts";
import { everyAgent } from "../../agents/user-agents.ts";
import { type Days, daysNamed, daysOfMonth, daysOfWeek, sharedDays } from "../../base/days.ts";
import { type Environment, processEnvironment } from "../../base/env.ts";
import { parseTime } from "../../base/parse-time.ts";
import { userHome } from "../../store/home.ts";
import type { KnownFile } from "./cache-file.ts";
import { calendarOf, type DayOf } from "./calendar.ts";
import { type GatheredUsage, type GatherOptions, gatherUsage } from "./gather.ts";
import type { Grouping } from "./grouping.ts";
import { pricesFor } from "./price-file.ts";
import type { Prices } from "./prices.ts";
import { reportOf, type UsageGroup, type UsageReport } from "./report.ts";
import { folderOf } from "./source.ts";

/** How usage is counted, and at which prices. */
export interface CountOptions extends Pick<GatherOptions, "fresh" | "onProgress"> {
  readonly env?: Environment;
  /** A file of prices over the bundled ones; `prices.json` of the home folder if absent. */
  readonly pricesFile?: string;
  /** Hears what the user should know, such as an agent that cannot be loaded. */
  onNote?(sentence: string): void;
}

/** Which usage a report has, and what it distinguishes. */
export interface UsageOptions extends CountOptions {
  /** What the report distinguishes; days if absent. */
  readonly by?: Grouping;
  readonly agent?: string;
  /** Part of the project's name or path. */
  readonly project?: string;
  /** Only the project this folder belongs to. */
  readonly here?: string;
  /** Part of the model's name. */
  readonly model?: string;
  /** From this day or moment: a Date, `2026-11-01`, an ISO time, `yesterday`, an age such as `7d`. */
  readonly since?: string | Date;
  /** Until this day or moment, the day included. */
  readonly until?: string | Date;
  /** Whose days: `Europe/Paris`, `UTC`; this machine's if absent. */
  readonly timezone?: string;
  /** What ages count from; now unless given. */
  readonly nowMs?: number;
}

/** The usage of the machine, and the prices it is counted at. */
export interface Counted {
  readonly usage: GatheredUsage;
  readonly prices: Prices;
}

/** A report with what it was made of. */
export interface MadeReport extends Counted {
  readonly report: UsageReport;
}

/** Counts what every agent's sessions recorded. */
export async function countUsage(options: CountOptions): Promise<Counted> {
  const { env = processEnvironment(), pricesFile, fresh, onProgress, onNote } = options;
  const prices = pricesFor(userHome(env), pricesFile);
  const usage = await gatherUsage({
    env,
    agents: () => everyAgent(onNote),
    ...(fresh !== undefined && { fresh }),
    ...(onProgress !== undefined && { onProgress }),
  });
  return { usage, prices };
}

/** The report that is asked for. */
export async function makeReport(options: UsageOptions): Promise<MadeReport> {
  const { by = "day", model } = options;
  const dayOf = calendarOf(options.timezone);
  const agent = knownAgent(options.agent, agentNames());
  const within = spanOf(options, dayOf);
  const { usage, prices } = await countUsage(options);
  const choice = await projectChoice(usage, { ...options, by });
  const report = reportOf(usage, {
    by,
    dayOf,
    prices,
    keeps: (known) => (agent === undefined || known.file.agent === agent) && choice.keeps(known),
    ...(model !== undefined && { model }),
    ...(within !== undefined && { within }),
    ...(choice.projectOf !== undefined && { projectOf: choice.projectOf }),
  });
  const span = daysAskedFor(options, dayOf);
  const groups = report.groups.map((group) => withCutDays(group, by, span));
  return { report: { ...report, groups }, usage, prices };
}

/** A week or a month with how many of its days are in a span, unless all are. */
function withCutDays(group: UsageGroup, by: Grouping, span: Days): UsageGroup {
  if ((by !== "week" && by !== "month") || group.key === "undated") return group;
  const all = by === "week" ? daysOfWeek(group.key) : daysOfMonth(group.key);
  const days = sharedDays(all, span);
  return days === sharedDays(all, all) ? group : { ...group, days };
}

/** The first and the last day of the span that was asked for. */
function daysAskedFor({ since, until, nowMs = Date.now() }: UsageOptions, dayOf: DayOf): Days {
  const daysOf = (given: string | Date): Days => {
    const text = given instanceof Date ? given.toISOString() : given;
    const day = (): string => dayOf(parseTime(text, nowMs));
    return daysNamed(text, dayOf(nowMs)) ?? { first: day(), last: day() };
  };
  return {
    first: since === undefined ? "0000-01-01" : daysOf(since).first,
    last: until === undefined ? "9999-12-31" : daysOf(until).last,
  };
}

/** The span that was asked for: days are days of the report's own time zone, both included. */
function spanOf(options: UsageOptions, dayOf: DayOf): ((atMs: number) => boolean) | undefined {
  const { nowMs = Date.now() } = options;
  const tests: ((atMs: number) => boolean)[] = [];
  for (const name of ["since", "until"] as const) {
    const given = options[name];
    if (given === undefined) continue;
    const text = given instanceof Date ? given.toISOString() : given;
    const days = daysNamed(text, dayOf(nowMs));
    // Also where it is days: those no calendar has, such as 2026-02-31, are refused.
    const ms = parseTime(text, nowMs);
    if (name === "since") {
      tests.push(days ? (atMs) => dayOf(atMs) >= days.first : (atMs) => atMs >= ms);
    } else tests.push(days ? (atMs) => dayOf(atMs) <= days.last : (atMs) => atMs <= ms);
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
  { by, project: words, here: folder }: UsageOptions,
): Promise<ProjectChoice> {
  if (by !== "project" && words === undefined && folder === undefined) return { keeps: () => true };
  const { projectsByFolder } = await import("./projects.ts");
  const projects = projectsByFolder(usage.files, folder === undefined ? [] : [folder]);
  const here = folder === undefined ? undefined : projects.get(folder);
  return {
    keeps: (known) => {
      const cwd = folderOf(known);
      const project = cwd === undefined ? undefined : projects.get(cwd);
      if (folder !== undefined && (project === undefined || project !== here)) return false;
      if (words === undefined) return true;
      const part = words.toLowerCase();
      const names = [project?.name, project?.path, cwd];
      return names.some((name) => name?.toLowerCase().includes(part) === true);
    },
    projectOf: (known) => {
      const project = projects.get(folderOf(known) ?? "");
      return project === undefined ? "(no project)" : (project.path ?? project.name);
    },
  };
}

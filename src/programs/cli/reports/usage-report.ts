import { resolve } from "node:path";
import { agentNames } from "../../../agents/registry.ts";
import { parseTime } from "../../../base/parse-time.ts";
import type { KnownFile } from "../../../catalog/usage/cache-file.ts";
import { calendarOf, type DayOf, dayBefore } from "../../../catalog/usage/calendar.ts";
import { type GatheredUsage, gatherUsage } from "../../../catalog/usage/gather.ts";
import type { Grouping } from "../../../catalog/usage/grouping.ts";
import { pricesFor } from "../../../catalog/usage/price-file.ts";
import type { Prices } from "../../../catalog/usage/prices.ts";
import {
  type ReportOptions,
  reportOf,
  sessionOf,
  type UsageGroup,
  type UsageReport,
} from "../../../catalog/usage/report.ts";
import { folderOf, ownSession } from "../../../catalog/usage/source.ts";
import { userHome } from "../../../store/home.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { everyAgent } from "../run/every-agent.ts";
import { knownAgent } from "../run/known-agent.ts";
import { isScreen } from "../terminal/output.ts";
import { tellStatus, wipeStatus } from "../terminal/status-line.ts";

/** The usage of the machine, at the prices a command line names. */
export interface Counted {
  readonly usage: GatheredUsage;
  readonly prices: Prices;
}

/** A report with what it was made of. */
export interface MadeReport extends Counted {
  readonly report: UsageReport;
}

/** Counts what every agent's sessions recorded. */
export async function countUsage({ flags }: Invocation, context: CommandContext): Promise<Counted> {
  const { env } = context;
  const named = flags.text("prices");
  const path = named === undefined ? undefined : resolve(context.folder, named);
  const prices = pricesFor(userHome(env), path);
  const progress = progressOn(context);
  const usage = await gatherUsage({
    env,
    agents: () => everyAgent(context.out.note),
    fresh: flags.isSet("rebuild"),
    onProgress: progress.tell,
  });
  progress.end();
  return { usage, prices };
}

/** The report a command line asks for. */
export async function makeReport(
  invocation: Invocation,
  context: CommandContext,
  by: Grouping,
): Promise<MadeReport> {
  const { flags } = invocation;
  const dayOf = calendarOf(flags.text("timezone"));
  const agent = knownAgent(flags.text("agent"), agentNames());
  const within = spanOf(invocation, { dayOf, nowMs: context.nowMs });
  const { usage, prices } = await countUsage(invocation, context);
  const choice = await projectChoice(usage, invocation, { by, context });
  const options: ReportOptions = {
    by,
    dayOf,
    prices,
    keeps: (known) => (agent === undefined || known.file.agent === agent) && choice.keeps(known),
    ...(flags.text("model") !== undefined && { model: flags.text("model")! }),
    ...(within !== undefined && { within }),
    ...(choice.projectOf !== undefined && { projectOf: choice.projectOf }),
  };
  return { report: reportOf(usage, options), usage, prices };
}

/** Sessions as people know them; heads are read only for those that are shown. */
export async function sessionNames(
  { report, usage }: MadeReport,
  context: CommandContext,
  limit: number,
): Promise<(group: UsageGroup) => string> {
  const agents = await everyAgent(context.out.note);
  const { shortId } = await import("../sessions/reference.ts");
  const files = new Map<string, KnownFile>();
  for (const known of usage.files) {
    const session = ownSession(known.file, known.end.facts);
    if (sessionOf(known) === session) files.set(`${known.file.agent}:${session}`, known);
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
  for (const name of ["since", "until"] as const) {
    const text = flags.text(name);
    if (text === undefined) continue;
    const day = dayNamed(text.trim().toLowerCase(), dayOf(nowMs));
    // Also where it is a day: one that is none, such as 2026-02-31, is refused.
    const ms = parseTime(text, nowMs);
    if (name === "since") {
      tests.push(day === undefined ? (atMs) => atMs >= ms : (atMs) => dayOf(atMs) >= day);
    } else tests.push(day === undefined ? (atMs) => atMs <= ms : (atMs) => dayOf(atMs) <= day);
  }
  return tests.length === 0 ? undefined : (atMs) => tests.every((test) => test(atMs));
}

/** The day a text means, if it means a whole one. */
function dayNamed(text: string, today: string): string | undefined {
  if (text === "today") return today;
  if (text === "yesterday") return dayBefore(today);
  return dayShape.test(text) ? text : undefined;
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
    keeps: (known) => {
      const folder = folderOf(known);
      const project = folder === undefined ? undefined : projects.get(folder);
      if (isHere && (project === undefined || project !== here)) return false;
      if (words === undefined) return true;
      const names = [project?.name, project?.path, folder];
      return names.some((name) => name?.toLowerCase().includes(words) === true);
    },
    projectOf: (known) => {
      const project = projects.get(folderOf(known) ?? "");
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
  const isSeen = isScreen(2) && !context.json;
  let nextMs = Date.now() + quietMs;
  let isShown = false;
  const mb = (bytes: number): number => Math.round(bytes / 1e6);
  return {
    tell: (doneBytes, totalBytes) => {
      if (!isSeen || Date.now() < nextMs) return;
      nextMs = Date.now() + betweenMs;
      isShown = true;
      tellStatus(`Reading ${mb(doneBytes)} of ${mb(totalBytes)} MB…`);
    },
    end: () => {
      if (isShown) wipeStatus();
    },
  };
}

import { resolve } from "node:path";
import { everyAgent } from "../../../agents/user-agents.ts";
import type { KnownFile } from "../../../catalog/usage/cache-file.ts";
import type { Grouping } from "../../../catalog/usage/grouping.ts";
import type { MadeReport, UsageOptions } from "../../../catalog/usage/make-report.ts";
import { sessionOf, type UsageGroup } from "../../../catalog/usage/report.ts";
import { ownSession } from "../../../catalog/usage/source.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { isScreen } from "../terminal/output.ts";
import { tellStatus, wipeStatus } from "../terminal/status-line.ts";

/** The usage a command line asks for; progress is shown until `end` is called. */
export function usageFrom(
  { flags }: Invocation,
  context: CommandContext,
): { readonly options: UsageOptions; end(): void } {
  const progress = progressOn(context);
  const named = flags.text("prices");
  const given = (name: "agent" | "project" | "model" | "since" | "until" | "timezone"): object =>
    flags.text(name) === undefined ? {} : { [name]: flags.text(name) };
  const options: UsageOptions = {
    env: context.env,
    nowMs: context.nowMs,
    onNote: context.out.note,
    onProgress: progress.tell,
    by: (flags.text("by") ?? "day") as Grouping,
    fresh: flags.isSet("rebuild"),
    ...(named !== undefined && { pricesFile: resolve(context.folder, named) }),
    ...(flags.isSet("here") && { here: context.env.cwd }),
    ...given("agent"),
    ...given("project"),
    ...given("model"),
    ...given("since"),
    ...given("until"),
    ...given("timezone"),
  };
  return { options, end: progress.end };
}

/** Sessions as people know them; heads are read only for those that are shown. */
export async function sessionNames(
  { report, usage }: MadeReport,
  context: CommandContext,
  limit: number,
): Promise<(group: UsageGroup) => string> {
  const agents = await everyAgent(context.out.note);
  const { shortId } = await import("../../../agents/reference.ts");
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

const quietMs = 500;
const betweenMs = 100;

/** Says on a terminal how far reading is, once it takes longer than half a second. */
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

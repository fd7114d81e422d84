import type { HookRuns, InstalledHooks } from "../../../bridge/install/status.ts";
import type { CommandContext } from "../run/command.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { count } from "./count.ts";
import { homely } from "./path-text.ts";
import { scopeText } from "./scope-text.ts";
import { relativeTime } from "./time.ts";

/** The hooks of every agent and how they run, for people. */
export function hooksReport(
  agents: readonly (HookRuns & {
    readonly agent: string;
    readonly installed: readonly InstalledHooks[];
  })[],
  context: CommandContext,
): string {
  return agents
    .map(({ agent, installed, ...runs }) => {
      const places = installed.flatMap((found) => placeLines(found, context));
      const isThere = installed.some(({ events }) => events.length > 0);
      const ran = isThere && runs.lastAt === undefined ? ["  none has run yet"] : [];
      const lines = places.length === 0 ? ["  not installed"] : places;
      const all = [...lines, ...ran, ...runLines(runs, context)];
      return `${context.colours.bold(agent)}\n${all.join("\n")}\n`;
    })
    .join("");
}

function placeLines(found: InstalledHooks, { colours, env }: CommandContext): readonly string[] {
  const { scope, file, events, missing, dead, outdated, remark } = found;
  const place = `${scopeText(scope)} in ${safeLine(homely(file, env))}`;
  const lines =
    events.length === 0
      ? [`  ${place}:`]
      : [`  installed ${place}: ${count(events.length, "event")} (${safeLine(events.join(", "))})`];
  if (missing.length > 0)
    lines.push(colours.yellow(`    missing: ${missing.join(", ")}; install again`));
  if (outdated) lines.push(colours.yellow("    an older version installed this; install again"));
  for (const path of dead)
    lines.push(
      colours.red(`    not there any more: ${safeLine(homely(path, env))}; install again`),
    );
  if (remark !== undefined) lines.push(colours.yellow(`    ${remark}`));
  return lines;
}

function runLines(runs: HookRuns, { nowMs, colours }: CommandContext): readonly string[] {
  const { runs: times, lastAt, p50Ms, p95Ms, ownP95Ms, errors, lastError } = runs;
  const lines: string[] = [];
  if (lastAt !== undefined)
    lines.push(
      `  ${count(times, "run")}, last ${relativeTime(Date.parse(lastAt), nowMs)}; p50 ${p50Ms} ms, p95 ${p95Ms} ms, of these ours ${ownP95Ms} ms`,
    );
  if (lastError !== undefined)
    lines.push(colours.yellow(`  ${errors} failed; last: ${safeLine(lastError)}`));
  return lines;
}

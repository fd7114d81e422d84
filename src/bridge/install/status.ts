import { isAbsolute, join } from "node:path";
import type { HookScope } from "../../agents/hooks-contract.ts";
import type { Environment } from "../../base/env.ts";
import { fileStat, namesIn, smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { tailLines } from "../../jsonl/tail-lines.ts";
import { decodeLine } from "../state/line.ts";
import { filesIn } from "./hook-command.ts";
import { isOurPlugin, textOf } from "./install.ts";
import type { Installable } from "./installable.ts";
import { isNewestLauncher, programOf } from "./launcher.ts";
import { foundHooks } from "./settings-file/hook-entries.ts";

/** What is installed for one agent in one scope. */
export interface InstalledHooks {
  readonly scope: HookScope;
  readonly file: string;
  /** Events that call us. */
  readonly events: readonly string[];
  /** Events of the recipe that do not. */
  readonly missing: readonly string[];
  /** Files that are not there any more: what is called, and the Node and the package that the launcher knows. */
  readonly dead: readonly string[];
  /** Whether an older version installed it. */
  readonly outdated: boolean;
  /** What the user must still do, or what is wrong with the file. */
  readonly remark?: string;
}

/** How the hooks of one agent have run. */
export interface HookRuns {
  readonly runs: number;
  readonly lastAt?: string;
  /** Milliseconds of whole processes, and of our own work in them. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly ownP95Ms?: number;
  readonly errors: number;
  readonly lastError?: string;
}

const nothingCalled = { events: [], missing: [], dead: [], outdated: false };

/** Runs that timing is reported. */
const timedRuns = 1_000;
const timedLogs = 50;

/** What is installed for an agent in a scope; undefined where nothing is. */
export function installedHooks(
  { install: { recipe, remark: remarkOn } }: Installable,
  scope: HookScope,
  env: Environment,
): InstalledHooks | undefined {
  const file = recipe.file(scope, env);
  const text = fileStat(file) === undefined ? undefined : textOf(file);
  if (text === undefined) return undefined;
  if (recipe.form === "plugin") return installedPlugin(text, { scope, file, env, recipe });
  let found: ReturnType<typeof foundHooks>;
  try {
    found = foundHooks(text);
  } catch {
    return { scope, file, ...nothingCalled, remark: "The file is not JSON." };
  }
  if (found.length === 0) return undefined;
  const events = [...new Set(found.map(({ event }) => event))];
  const missing = recipe.entries
    .map(({ event }) => event)
    .filter((event) => !events.includes(event));
  const lines = [...new Set(found.map(({ command }) => command))];
  const remark = remarkOn?.(file, found.length, env);
  return {
    scope,
    file,
    events,
    missing,
    ...stalenessOf(lines.map(filesIn), env),
    ...(remark !== undefined && { remark }),
  };
}

function installedPlugin(
  text: string,
  given: {
    readonly scope: HookScope;
    readonly file: string;
    readonly env: Environment;
    readonly recipe: { text(argv: readonly string[]): string };
  },
): InstalledHooks | undefined {
  if (!isOurPlugin(text)) return undefined;
  const argv = /^const \[program, \.\.\.args\] = (\[.*\]);$/m.exec(text)?.[1] ?? "[]";
  const words = [...argv.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(
    (match) => JSON.parse(match[0]) as string,
  );
  const called = words.filter((word) => isAbsolute(word));
  const { scope, file, env, recipe } = given;
  const stale = stalenessOf([called], env);
  const outdated = stale.outdated || recipe.text(words) !== text;
  return { scope, file, events: ["plugin"], missing: [], ...stale, outdated };
}

/** What is wrong with what is called, by the files that each line or plugin names. */
function stalenessOf(
  calls: readonly (readonly string[])[],
  { platform }: Environment,
): Pick<InstalledHooks, "dead" | "outdated"> {
  const called = [...new Set(calls.flat())];
  const texts = called.map((file) => smallFile(file, limits.settingsBytes) ?? "");
  const known = texts.flatMap((text) => Object.values(programOf(text) ?? {}));
  return {
    dead: [...new Set([...called, ...known])].filter((file) => fileStat(file) === undefined),
    // Other forms name Node and the package, which may lie elsewhere tomorrow.
    outdated:
      platform !== "win32" &&
      (calls.some((files) => files.length > 1) ||
        texts.some((text) => text !== "" && !isNewestLauncher(text))),
  };
}

/** How the hooks of an agent ran lately, by what they wrote down. */
export function hookRuns(root: string, agent: string): HookRuns {
  const folder = join(root, agent);
  const logs = namesIn(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name))
    .sort((a, b) => (fileStat(b)?.modifiedMs ?? 0) - (fileStat(a)?.modifiedMs ?? 0))
    .slice(0, timedLogs);
  const whole: number[] = [];
  const own: number[] = [];
  let lastAt: string | undefined;
  for (const log of logs) {
    for (const bytes of tailLines(log, limits.bridgeRestBytes)) {
      if (whole.length >= timedRuns) break;
      const line = decodeLine(bytes.toString("utf8"));
      if (typeof line?.ms !== "number") continue;
      whole.push(line.ms);
      if (typeof line.ownMs === "number") own.push(line.ownMs);
      if (lastAt === undefined || line.at > lastAt) lastAt = line.at;
    }
  }
  return { runs: whole.length, ...timing(whole, own, lastAt), ...errorsOf(root, agent) };
}

function timing(
  whole: readonly number[],
  own: readonly number[],
  lastAt: string | undefined,
): Partial<HookRuns> {
  if (whole.length === 0 || lastAt === undefined) return {};
  return {
    lastAt,
    p50Ms: quantile(whole, 0.5),
    p95Ms: quantile(whole, 0.95),
    ownP95Ms: quantile(own, 0.95),
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function errorsOf(
  root: string,
  agent: string,
): { readonly errors: number; readonly lastError?: string } {
  const text = smallFile(join(root, "errors.log"), limits.bridgeErrorsBytes * 2) ?? "";
  const lines = text.split("\n").filter((line) => line.split(" ", 2)[1] === agent);
  const lastError = lines.at(-1);
  return { errors: lines.length, ...(lastError !== undefined && { lastError }) };
}

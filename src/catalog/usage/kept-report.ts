import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atomicWrite } from "../../base/atomic-write.ts";
import { disk } from "../../base/disk.ts";
import type { Environment } from "../../base/env.ts";
import { beginLook, endLook, isStill, joined, type Look, sees } from "../../base/look.ts";
import { type AskedVariables, answersAlike, watchedEnvironment } from "../../base/watched-env.ts";
import { userHome } from "../../store/home.ts";
import { cachePath } from "./cache-path.ts";
import type { UsageReport } from "./report.ts";

/*
 * Reports as they were made last, with everything that was looked at for them: as long as the machine is the
 * same, so are they. May be deleted at any time (P11).
 */

/** A report, and the prices it was made at. */
export interface KeptReport {
  readonly report: UsageReport;
  readonly prices: { readonly dated: string; readonly file?: string };
}

interface Kept {
  readonly format: number;
  readonly place: string;
  readonly variables: AskedVariables;
  readonly paths: readonly string[];
  readonly stamps: readonly number[];
  readonly reports: Readonly<Record<string, KeptReport>>;
}

const format = 1;
const mostReports = 8;
/** Where a machine says which time zone it is in, where no variable does. */
const zoneFile = "/etc/localtime";

/** What was made for these words before, if it would be made so again. */
export function keptReport(env: Environment, words: string): KeptReport | undefined {
  return stillKept(env)?.reports[words];
}

/** Makes a report, and keeps it where all that it rests on has not changed for a while. */
export async function makeAndKeep<T extends KeptReport>(
  env: Environment,
  words: string,
  make: (env: Environment) => Promise<T>,
): Promise<T> {
  const watched = watchedEnvironment(env);
  const begunMs = Date.now();
  let look: Look | undefined;
  let made: T;
  beginLook();
  try {
    // A new program may count otherwise.
    for (const path of [import.meta.dirname, zoneFile, cachePath(userHome(watched.env))])
      sees(path);
    void watched.env.variables["TZ"];
    made = await make(watched.env);
  } finally {
    look = endLook(begunMs);
  }
  const { report } = made;
  const { dated, file } = made.prices;
  const prices = { dated, ...(file !== undefined && { file }) };
  // What had to be read was not as it was before; what could not be read may be readable any time.
  const { readBytes, unreadable } = report.notes;
  if (look !== undefined && readBytes === 0 && unreadable === 0) {
    const kept = stillKept(env);
    const before = Object.entries(kept?.reports ?? {}).slice(1 - mostReports);
    const reports = { ...Object.fromEntries(before), [words]: { report, prices } };
    // Each report may rest on prices of its own: together they rest on all that was looked at.
    const both = kept === undefined ? look : joined(look, lookOf(kept));
    keep(env, { look: both, variables: watched.asked(), reports });
  }
  return made;
}

/** What was kept, if all that it rests on is as it was. */
function stillKept(env: Environment): Kept | undefined {
  try {
    const kept = JSON.parse(readFileSync(reportsPath(env), "utf8")) as Kept;
    if (kept.format !== format || kept.place !== placeOf(env)) return undefined;
    if (!answersAlike(env, kept.variables)) return undefined;
    return isStill(lookOf(kept)) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function lookOf({ paths, stamps }: Kept): Look {
  return { paths, stamps: Float64Array.from(stamps) };
}

/** What cannot be kept costs time, not an answer. */
function keep(
  env: Environment,
  facts: {
    readonly look: Look;
    readonly variables: AskedVariables;
    readonly reports: Kept["reports"];
  },
): void {
  const { look, variables, reports } = facts;
  const { paths } = look;
  const kept: Kept = {
    format,
    place: placeOf(env),
    variables,
    paths,
    stamps: [...look.stamps],
    reports,
  };
  try {
    disk.makeDirectory(userHome(env).derived);
    atomicWrite(reportsPath(env), JSON.stringify(kept), { sync: false });
  } catch {
    return;
  }
}

function reportsPath(env: Environment): string {
  return join(userHome(env).derived, "reports.json");
}

function placeOf({ home, cwd }: Environment): string {
  return `${home}\n${cwd}`;
}

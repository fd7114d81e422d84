import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atomicWrite } from "../../base/atomic-write.ts";
import { disk } from "../../base/disk.ts";
import type { Environment } from "../../base/env.ts";
import { beginLook, endLook, isStill, type Look, sees } from "../../base/look.ts";
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
  return keptReports(env)[words];
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
  // What had to be read was not as it was before.
  if (look !== undefined && report.notes.readBytes === 0) {
    const before = Object.entries(keptReports(env)).slice(1 - mostReports);
    const reports = { ...Object.fromEntries(before), [words]: { report, prices } };
    keep(env, { look, variables: watched.asked(), reports });
  }
  return made;
}

function keptReports(env: Environment): Kept["reports"] {
  try {
    const kept = JSON.parse(readFileSync(reportsPath(env), "utf8")) as Kept;
    if (kept.format !== format || kept.place !== placeOf(env)) return {};
    if (!answersAlike(env, kept.variables)) return {};
    const stamps = Float64Array.from(kept.stamps);
    return isStill({ paths: kept.paths, stamps }) ? kept.reports : {};
  } catch {
    return {};
  }
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

import type { Agent } from "../../agents/contract.ts";
import { exists } from "../../base/disk.ts";
import type { Environment } from "../../base/env.ts";
import { checkReadable } from "../../base/open-file.ts";
import type { UsageTable } from "../../model/usage-table.ts";
import { userHome } from "../../store/home.ts";
import { type KnownFile, readUsageCache, type UsageCache } from "./cache-file.ts";
import { cachePath } from "./cache-path.ts";
import { countedAgents } from "./counted-agents.ts";
import { folderOf, type UsageFile } from "./source.ts";
import { sweep } from "./sweep.ts";

/** How usage is gathered. */
export interface GatherOptions {
  readonly env: Environment;
  /** Whose usage; loaded while a second thread may start. */
  agents(): Promise<readonly Agent[]>;
  /** Read every file anew. */
  readonly fresh?: boolean;
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void;
}

/** The usage of the machine: a row for each model message, told once. */
export interface GatheredUsage {
  readonly table: UsageTable;
  readonly files: readonly KnownFile[];
  /** Bytes that were read for this; 0 where nothing had changed. */
  readonly readBytes: number;
}

/** Brings the rows of every agent's sessions up to date: unchanged files cost a stat, grown ones their growth. */
export async function gatherUsage(options: GatherOptions): Promise<GatheredUsage> {
  const { env } = options;
  const home = userHome(env);
  const mayKnow = !options.fresh && exists(cachePath(home));
  // Where nothing is known there will be much to read: a second thread starts while this one lists.
  let helper = mayKnow ? undefined : (await import("./worker.ts")).startHelper();
  const agents = await countedAgents(await options.agents(), env);
  let cache = mayKnow ? readUsageCache(home, agents) : undefined;
  let readBytes = 0;
  for (let round = 0; ; round += 1) {
    const projects = projectsOf(cache);
    const files = sweep(agents, env, { projects });
    if (cache !== undefined && isCurrent(cache, files)) {
      return { table: cache.table, files: cache.files, readBytes };
    }
    const { bringUp } = await import("./bring-up.ts");
    const { copiedFiles } = await import("./copied-files.ts");
    const copies = copiedFiles(home);
    const found = await bringUp(files, { ...options, agents, home, cache, copies, helper });
    helper = undefined;
    readBytes += found.readBytes;
    // Some agents keep sessions in the projects themselves: new projects are looked at once more.
    const learnt = projectsOf(found);
    if (round > 0 || [...learnt].every((project) => projects.has(project))) {
      return { ...found, readBytes };
    }
    const known = new Map(files.map((file) => [placeOf(file), file.cwd]));
    const inProjects = sweep(agents, env, { projects: learnt, onlyProjects: true });
    const isKnown = (file: UsageFile): boolean =>
      known.has(placeOf(file)) && known.get(placeOf(file)) === file.cwd;
    if (inProjects.every(isKnown)) return { ...found, readBytes };
    cache = readUsageCache(home, agents);
    if (cache === undefined) return { ...found, readBytes };
  }
}

function projectsOf(known: Pick<UsageCache, "files"> | undefined): ReadonlySet<string> {
  const projects = new Set<string>();
  for (const file of known?.files ?? []) {
    const folder = folderOf(file);
    if (folder !== undefined) projects.add(folder);
  }
  return projects;
}

function isCurrent(cache: UsageCache, files: readonly UsageFile[]): boolean {
  if (cache.files.length !== files.length) return false;
  const known = new Map(cache.files.map((entry) => [placeOf(entry.file), entry]));
  for (const file of files) {
    const { file: before, end } = known.get(placeOf(file)) ?? {};
    if (end !== undefined && end.uncounted.unreadable > 0 && isReadable(file)) return false;
    if (
      before === undefined ||
      before.agent !== file.agent ||
      before.sizeBytes !== file.sizeBytes ||
      before.modifiedMs !== file.modifiedMs ||
      before.inode !== file.inode ||
      before.cwd !== file.cwd
    ) {
      return false;
    }
  }
  return true;
}

/** Whether a file that could not be read is worth another try. */
function isReadable({ path }: UsageFile): boolean {
  try {
    checkReadable(path);
    return true;
  } catch {
    return false;
  }
}

function placeOf({ path, part }: UsageFile): string {
  return part === undefined ? path : `${path}\n${part}`;
}

import { join } from "node:path";
import {
  type FoundSession,
  findSessions,
  type Search,
  sessionsOfFolder,
} from "../../agents/find-sessions.ts";
import { buildName } from "../../base/version.ts";
import { isWithin } from "../../base/within.ts";
import { userHome } from "../../store/home.ts";
import { type Blame, blame } from "./blame.ts";
import { keptActs } from "./kept-acts.ts";
import { type Target, targetAt } from "./places.ts";

/** Who wrote a file, and the ids of the sessions that were looked at. */
export interface BlamedFile {
  readonly blame: Blame;
  readonly ids: readonly string[];
}

/** Finds who wrote each line of a file: by the sessions of its project, or by those of all. */
export async function blameFile(
  path: string,
  options: Search & {
    readonly all: boolean;
    /** Hears how many events were read more. */
    onEvents?(count: number): void;
  },
): Promise<BlamedFile> {
  const { env, agents, onEvents } = options;
  const target = targetAt(path);
  const every = findSessions({ env, agents }, { subagents: true });
  const sessions = options.all ? every : sessionsOf(target, every);
  const kept = keptActs(join(userHome(env).derived, "blame"), { program: buildName, agents });
  const told = await blame(target, {
    sessions,
    kept,
    agents,
    ...(onEvents !== undefined && { onEvents }),
  });
  kept.forgetOthers(every);
  return { blame: told, ids: sessions.map(({ head }) => head.session) };
}

/** Sessions of the file's project, and those begun in a folder above it. */
function sessionsOf(target: Target, all: readonly FoundSession[]): readonly FoundSession[] {
  const wanted = new Set(sessionsOfFolder(all, target.project.path));
  for (const session of all) {
    const { cwd } = session.head;
    if (cwd !== undefined && isWithin(target.path, cwd)) wanted.add(session);
  }
  return [...wanted];
}

import { join, resolve } from "node:path";
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
import { sessionsTouching } from "./touching.ts";

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

/**
 * The files elsewhere that sessions wrote and whose paths end like this, written last first. Only what a blame of all
 * sessions has learned is looked at: sessions are not read again.
 */
export function filesEnding(end: string, { env, agents }: Search): readonly string[] {
  const kept = keptActs(join(userHome(env).derived, "blame"), { program: buildName, agents });
  const written = new Map<string, number>();
  for (const session of sessionsTouching(
    [end],
    findSessions({ env, agents }, { subagents: true }),
  )) {
    for (const act of kept.of(session)?.acts ?? []) {
      if (act.action === "read" || act.outcome === "failed") continue;
      const path = resolve(act.cwd ?? session.head.cwd ?? "/", act.folder ?? "", act.path);
      if (!path.endsWith(`/${end}`)) continue;
      written.set(path, Math.max(written.get(path) ?? 0, act.atMs ?? 0));
    }
  }
  return [...written].sort(([, one], [, two]) => two - one).map(([path]) => path);
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

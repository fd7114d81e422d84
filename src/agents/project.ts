import { basename, resolve } from "node:path";
import { folderExists } from "../base/folders.ts";
import type { ProjectIdentity } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";
import { identifyProject, normaliseRemote } from "../store/project.ts";

/** Sessions that belong to one project, wherever its folder was. */
export interface ProjectGroup {
  readonly name: string;
  /** The project's folder that still exists, else the one its newest session ran in. */
  readonly path?: string;
  readonly heads: readonly SessionHead[];
}

/** What the folder of a session says about its project today; undefined if it is gone. */
type Identify = (folder: string) => ProjectIdentity | undefined;

/**
 * Puts sessions of one repository together: those that share a folder, a remote or a root commit. One
 * session that names both the old folder and the remote joins a project that was moved. Groups keep
 * the order of their first session.
 */
export function groupByProject(heads: readonly SessionHead[]): readonly ProjectGroup[] {
  const identify = remembered();
  const leaders = new Map<string, string>();
  const keys = heads.map((head) => {
    const aliases = aliasesOf(head, identify);
    const first = aliases[0] ?? "nowhere";
    for (const alias of aliases) leaders.set(leaderOf(leaders, alias), leaderOf(leaders, first));
    return first;
  });
  const groups = new Map<string, SessionHead[]>();
  for (const [index, head] of heads.entries()) {
    const leader = leaderOf(leaders, keys[index]!);
    const group = groups.get(leader);
    if (group === undefined) groups.set(leader, [head]);
    else group.push(head);
  }
  return [...groups.values()].map((members) => ({ ...placeOf(members, identify), heads: members }));
}

function leaderOf(leaders: Map<string, string>, alias: string): string {
  let at = alias;
  for (let above = leaders.get(at); above !== undefined && above !== at; above = leaders.get(at)) {
    at = above;
  }
  return at;
}

/** Looks at each folder once, and only at those that exist: a gone folder's parent never held it. */
function remembered(): Identify {
  const known = new Map<string, ProjectIdentity | undefined>();
  return (folder) => {
    if (!known.has(folder)) {
      known.set(folder, folderExists(folder) ? identifyProject(folder).identity : undefined);
    }
    return known.get(folder);
  };
}

function folderOf(head: SessionHead): string | undefined {
  return head.cwd ?? head.project?.path;
}

function aliasesOf(head: SessionHead, identify: Identify): readonly string[] {
  const folder = folderOf(head);
  const today = folder === undefined ? undefined : identify(folder);
  const aliases = new Set<string>();
  if (folder !== undefined) aliases.add(`path:${today?.path ?? resolve(folder)}`);
  for (const identity of [today, head.project]) {
    if (identity?.path !== undefined) aliases.add(`path:${identity.path}`);
    if (identity?.remote !== undefined) aliases.add(`remote:${identity.remote}`);
    if (identity?.rootCommit !== undefined) aliases.add(`root:${identity.rootCommit}`);
  }
  if (head.git?.remote !== undefined) aliases.add(`remote:${normaliseRemote(head.git.remote)}`);
  return [...aliases];
}

function placeOf(
  members: readonly SessionHead[],
  identify: Identify,
): { readonly name: string; readonly path?: string } {
  const folders = members.flatMap((head) => folderOf(head) ?? []);
  for (const folder of folders) {
    const identity = identify(folder);
    if (identity !== undefined) return { name: identity.name, path: identity.path };
  }
  const gone = folders[0];
  if (gone === undefined) return { name: "(no project)" };
  const named = members.find(({ project }) => project !== undefined)?.project?.name;
  return { name: named ?? (basename(gone) || gone), path: gone };
}

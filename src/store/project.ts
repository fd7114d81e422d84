import { createHash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { GitState, ProjectIdentity } from "../model/event.ts";

/** What `.git` says about a folder, read from its files; git itself is never started. */
export interface GitFacts extends GitState {
  /** The top of the working tree. */
  readonly top: string;
  readonly rootCommit?: string;
}

/** The project a folder belongs to: the git working tree around it, else the folder itself. */
export function identifyProject(cwd: string): {
  readonly identity: ProjectIdentity;
  readonly git: GitState | undefined;
} {
  const real = realPathOf(cwd);
  const facts = readGit(real);
  const path = facts?.top ?? real;
  const identity: ProjectIdentity = {
    name: basename(path) || "root",
    path,
    ...(facts?.remote !== undefined && { remote: facts.remote }),
    ...(facts?.rootCommit !== undefined && { rootCommit: facts.rootCommit }),
  };
  if (facts === undefined) return { identity, git: undefined };
  const { branch, commit, remote } = facts;
  const git: GitState = {
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit }),
    ...(remote !== undefined && { remote }),
  };
  return { identity, git };
}

/** Whether two identities name one project: any alias they share says so. */
export function sameProject(a: ProjectIdentity, b: ProjectIdentity): boolean {
  if (a.path === b.path) return true;
  if (a.remote !== undefined && a.remote === b.remote) return true;
  return a.rootCommit !== undefined && a.rootCommit === b.rootCommit;
}

/** The folder name of a project: readable, then eight digits of what identifies it. */
export function projectFolderName(identity: ProjectIdentity): string {
  const slug = identity.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 48);
  const alias = identity.remote ?? identity.rootCommit ?? identity.path;
  return `${slug || "project"}-${createHash("sha256").update(alias).digest("hex").slice(0, 8)}`;
}

/** A remote's address without what differs between clones: `git@host:a/b.git` is `host/a/b`. */
export function normaliseRemote(url: string): string {
  const scp = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/.exec(url);
  const bare = scp
    ? `${scp[1]}/${scp[2]}`
    : url.replace(/^[a-z+]+:\/\//i, "").replace(/^[^@/]*@/, "");
  const [host = "", ...rest] = bare.split("/");
  const path = rest
    .join("/")
    .replace(/\.git\/?$/, "")
    .replace(/\/+$/, "");
  return `${host.toLowerCase().replace(/:\d+$/, "")}/${path}`;
}

/** Reads what a working tree's `.git` says; undefined outside one. */
export function readGit(cwd: string): GitFacts | undefined {
  for (let top = cwd; ; top = dirname(top)) {
    const found = gitFolderOf(join(top, ".git"), top);
    if (found !== undefined) return { top, ...factsOf(found) };
    if (dirname(top) === top) return undefined;
  }
}

/** The folder in which the repository of a working tree keeps what its trees share; undefined if there is none. */
export function gitCommonFolder(top: string): string | undefined {
  return gitFolderOf(join(top, ".git"), top)?.common;
}

interface GitFolder {
  readonly own: string;
  /** Where a linked working tree keeps what it shares: config, refs, the first log. */
  readonly common: string;
}

function gitFolderOf(path: string, top: string): GitFolder | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isDirectory()) return { own: path, common: path };
  const target = /^gitdir: (.+)$/m.exec(textOf(path) ?? "")?.[1]?.trim();
  if (target === undefined) return undefined;
  const own = isAbsolute(target) ? target : resolve(top, target);
  const common = textOf(join(own, "commondir"))?.trim();
  return { own, common: common === undefined ? own : resolve(own, common) };
}

function factsOf(git: GitFolder): Omit<GitFacts, "top"> {
  const head = textOf(join(git.own, "HEAD"))?.trim() ?? "";
  const ref = /^ref: (.+)$/.exec(head)?.[1];
  const branch = ref?.replace(/^refs\/heads\//, "");
  const commit =
    ref === undefined
      ? hexOf(head)
      : (hexOf(textOf(join(git.common, ref))) ?? packedRef(git.common, ref));
  const url = remoteUrl(textOf(join(git.common, "config")) ?? "");
  const rootCommit = firstCommit(git.common);
  return {
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit }),
    ...(url !== undefined && { remote: normaliseRemote(url) }),
    ...(rootCommit !== undefined && { rootCommit }),
  };
}

/** A repository begun here names its first commit in the first line of its log; a clone has a remote instead. */
function firstCommit(common: string): string | undefined {
  const first = textOf(join(common, "logs", "HEAD"))?.split("\n", 1)[0] ?? "";
  return /^0{40,64} ([0-9a-f]{40,64}) .*\tcommit \(initial\)/.exec(first)?.[1];
}

function remoteUrl(config: string): string | undefined {
  const section = /\[remote "origin"\]([^[]*)/.exec(config)?.[1];
  return section === undefined ? undefined : /^\s*url\s*=\s*(.+?)\s*$/m.exec(section)?.[1];
}

function packedRef(common: string, ref: string): string | undefined {
  const line = textOf(join(common, "packed-refs"))
    ?.split("\n")
    .find((entry) => entry.endsWith(` ${ref}`));
  return hexOf(line?.split(" ", 1)[0]);
}

function hexOf(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? "";
  return /^[0-9a-f]{40,64}$/.test(trimmed) ? trimmed : undefined;
}

function textOf(path: string): string | undefined {
  try {
    const stat = statSync(path);
    // Config and logs are small; anything else is not what it claims to be.
    return stat.isFile() && stat.size < 16 * 1024 * 1024 ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** The path with every link followed; as given where it leads nowhere. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readRegular } from "../../../base/open-file.ts";

/** A project as the program counts them. */
export interface ProjectRow {
  readonly id: string;
  readonly worktree: string;
  readonly vcs: "git" | null;
}

/** The project of a folder: by the remote, by the id the program left in `.git`, else the common one. */
export function projectOf(cwd: string): ProjectRow {
  for (let top = cwd; ; top = dirname(top)) {
    const git = join(top, ".git");
    if (statSync(git, { throwIfNoEntry: false })?.isDirectory()) {
      const id = remoteId(git) ?? cachedId(git) ?? firstCommit(git);
      return id === undefined
        ? { id: "global", worktree: "/", vcs: null }
        : { id, worktree: top, vcs: "git" };
    }
    if (dirname(top) === top) return { id: "global", worktree: "/", vcs: null };
  }
}

function remoteId(git: string): string | undefined {
  const origin = /\[remote "origin"\]([^[]*)/.exec(textOf(join(git, "config")))?.[1] ?? "";
  const url = /^\s*url\s*=\s*(.+?)\s*$/m.exec(origin)?.[1];
  if (url === undefined) return undefined;
  const scp = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/.exec(url);
  const bare = scp
    ? `${scp[1]}/${scp[2]}`
    : url.replace(/^[a-z+]+:\/\//i, "").replace(/^[^@/]*@/, "");
  const [host = "", ...path] = bare.replace(/\.git\/?$/, "").split("/");
  return createHash("sha1")
    .update(`git-remote:${host.toLowerCase()}/${path.join("/")}`)
    .digest("hex");
}

function cachedId(git: string): string | undefined {
  const id = textOf(join(git, "opencode")).trim();
  return /^[0-9a-f]{40}$/.test(id) ? id : undefined;
}

function firstCommit(git: string): string | undefined {
  const first = textOf(join(git, "logs", "HEAD")).split("\n", 1)[0] ?? "";
  return /^0{40} ([0-9a-f]{40}) .*\tcommit \(initial\)/.exec(first)?.[1];
}

function textOf(path: string): string {
  try {
    return readRegular(path).toString("utf8");
  } catch {
    return "";
  }
}

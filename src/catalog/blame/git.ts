import { execFile } from "node:child_process";
import { limits } from "../../base/limits.ts";
import { linesOf } from "./lines.ts";
import { matchLines } from "./match-lines.ts";

/** The commit a line came with. */
export interface Commit {
  readonly hash: string;
  readonly author: string;
  readonly atMs: number;
  readonly summary: string;
}

/** What git knows about a file. */
export interface GitKnowledge {
  /** For each line of the present file the commit it came with; undefined if it is in none. */
  readonly commits: readonly (Commit | undefined)[];
  /** Names the file had in earlier commits, from the top of the working tree. */
  readonly formerNames: readonly string[];
}

/** Asks git about a file of a working tree; undefined if there is none, or git does not know the file. */
export async function askGit(
  place: { readonly top: string; readonly name: string },
  lines: readonly string[],
): Promise<GitKnowledge | undefined> {
  // The commit is blamed, not the working tree: looking at that would run the repository's filters.
  const [blame, committed] = await Promise.all([
    git(place.top, ["blame", "--porcelain", "--no-textconv", "HEAD", "--", place.name]),
    git(place.top, ["cat-file", "blob", `HEAD:${place.name}`]),
  ]);
  if (blame === undefined || committed === undefined) return undefined;
  const known = parseBlame(blame);
  const matched = matchLines(linesOf(committed), lines);
  return {
    commits: Array.from(matched, (at) => (at < 0 ? undefined : known.commits[at])),
    formerNames: known.names.filter((name) => name !== place.name),
  };
}

/** The file as it was committed last before a time. */
export async function committedBefore(
  place: { readonly top: string; readonly name: string },
  atMs: number,
): Promise<readonly string[] | undefined> {
  const until = `--until=${Math.floor(atMs / 1000)}`;
  const found = await git(place.top, ["rev-list", "-1", until, "HEAD", "--", place.name]);
  const hash = found?.trim() ?? "";
  if (!/^[0-9a-f]{40,64}$/.test(hash)) return undefined;
  const text = await git(place.top, ["cat-file", "blob", `${hash}:${place.name}`]);
  return text === undefined ? undefined : linesOf(text);
}

/** Git's `--porcelain` notation: who each line of the blamed file came from, in order. */
function parseBlame(text: string): {
  readonly commits: readonly Commit[];
  readonly names: readonly string[];
} {
  const known = new Map<string, { author: string; atMs: number; summary: string }>();
  const names = new Set<string>();
  const hashes: string[] = [];
  let hash = "";
  for (const line of text.split("\n")) {
    const head = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(line);
    if (head !== null) {
      hash = head[1]!;
      if (!known.has(hash)) known.set(hash, { author: "", atMs: 0, summary: "" });
      continue;
    }
    const facts = known.get(hash);
    if (line.startsWith("\t")) hashes.push(hash);
    else if (facts === undefined) continue;
    else if (line.startsWith("author ")) facts.author = line.slice("author ".length);
    else if (line.startsWith("summary ")) facts.summary = line.slice("summary ".length);
    else if (line.startsWith("committer-time ")) facts.atMs = Number(line.slice(15)) * 1000;
    else if (line.startsWith("filename ")) names.add(line.slice("filename ".length));
  }
  return { commits: hashes.map((one) => ({ hash: one, ...known.get(one)! })), names: [...names] };
}

/** Settings a repository could use to start other programs, or to answer differently, are switched off. */
const settings = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.quotePath", "false"],
  ["blame.ignoreRevsFile", ""],
  ["diff.external", ""],
  ["log.showSignature", "false"],
  ["protocol.allow", "never"],
].flatMap(([key, value]) => ["-c", `${key}=${value}`]);

function git(top: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((done) => {
    const child = execFile(
      "git",
      ["--no-pager", "--no-optional-locks", "--literal-pathspecs", ...settings, ...args],
      {
        cwd: top,
        timeout: limits.gitMs,
        maxBuffer: limits.gitOutputBytes,
        encoding: "utf8",
        windowsHide: true,
        env: {
          PATH: process.env["PATH"],
          LC_ALL: "C.UTF-8",
          GIT_CONFIG_NOSYSTEM: "1",
          GIT_CONFIG_GLOBAL: "/dev/null",
          GIT_TERMINAL_PROMPT: "0",
          GIT_OPTIONAL_LOCKS: "0",
          GIT_NO_LAZY_FETCH: "1",
        },
      },
      (error, stdout) => done(error === null ? stdout : undefined),
    );
    child.stdin?.end();
  });
}

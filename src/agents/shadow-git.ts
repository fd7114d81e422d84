import { execFileSync } from "node:child_process";
import { isAbsolute, join } from "node:path";
import { errnoOf, RepriseError } from "../base/errors.ts";
import { smallFile } from "../base/folders.ts";
import { limits } from "../base/limits.ts";
import type { AgentCheckpointFile } from "./checkpoints-contract.ts";

/*
 * Some agents keep the files of a project in a git repository of their own. It is read with git, which anyone who has such
 * a repository has. What its settings say is not trusted: nothing is fetched, and no program of theirs is started.
 */
const trusted = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_SSH_COMMAND: "false",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
};

/** Whether a text is the name of an object. */
export function isObjectName(text: unknown): text is string {
  return typeof text === "string" && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);
}

/** Whether a repository has an object. */
export function hasObject(gitDir: string, name: string): boolean {
  try {
    git(gitDir, ["cat-file", "-e", name]);
    return true;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") throw noGit();
    return false;
  }
}

/** The folder a repository's files belong in, as its settings say; undefined where they do not. */
export function workTreeOf(gitDir: string): string | undefined {
  const text = smallFile(join(gitDir, "config"), limits.headBytesMax) ?? "";
  const found = /^\s*worktree\s*=\s*"?(.+?)"?\s*$/m.exec(text)?.[1];
  return found !== undefined && isAbsolute(found) ? found : undefined;
}

interface TreeFile {
  readonly path: string;
  readonly mode: string;
  readonly blob: string;
  readonly bytes: number;
}

/** The files of a commit or a tree, below the folder they belong in. */
export function* shadowFiles(
  gitDir: string,
  tree: string,
  folder: string,
): Generator<AgentCheckpointFile> {
  let some: TreeFile[] = [];
  let bytes = 0;
  for (const file of filesOf(gitDir, tree)) {
    const path = join(folder, file.path);
    if (file.bytes > limits.includedFileBytes) {
      yield { path, lost: "it is too large" };
      continue;
    }
    some.push(file);
    bytes += file.bytes;
    if (bytes < limits.shadowBatchBytes && some.length < limits.shadowBatchFiles) continue;
    yield* read(gitDir, some, folder);
    [some, bytes] = [[], 0];
  }
  yield* read(gitDir, some, folder);
}

function filesOf(gitDir: string, tree: string): readonly TreeFile[] {
  const listed = git(gitDir, ["ls-tree", "-r", "-l", "-z", "--full-tree", tree]).toString("utf8");
  return listed.split("\0").flatMap((line) => {
    const found = /^(\d{6}) blob ([0-9a-f]+) +(\d+)\t([\s\S]+)$/.exec(line);
    if (found === null) return [];
    const [, mode = "", blob = "", bytes, path = ""] = found;
    const isSafe = path.split("/").every((name) => name !== ".." && name !== ".git");
    return isSafe ? [{ path, mode, blob, bytes: Number(bytes) }] : [];
  });
}

/** `--batch` says of each object its name, kind and size, then its bytes and a newline. */
function* read(
  gitDir: string,
  files: readonly TreeFile[],
  folder: string,
): Generator<AgentCheckpointFile> {
  if (files.length === 0) return;
  const input = files.map(({ blob }) => `${blob}\n`).join("");
  const out = git(gitDir, ["cat-file", "--batch"], input);
  let at = 0;
  for (const { path, mode } of files) {
    const lineEnd = out.indexOf("\n", at);
    const said = /^[0-9a-f]+ blob (\d+)$/.exec(out.toString("latin1", at, lineEnd));
    const place = join(folder, path);
    at = lineEnd + 1;
    if (said === null) {
      yield { path: place, lost: "the agent's own repository does not have it any more" };
      continue;
    }
    const content = out.subarray(at, at + Number(said[1]));
    at += content.length + 1;
    if (mode === "120000") yield { path: place, target: content.toString("utf8") };
    else yield { path: place, content, mode: mode === "100755" ? 0o755 : 0o644 };
  }
}

function git(gitDir: string, args: readonly string[], input = ""): Buffer {
  try {
    return execFileSync("git", [`--git-dir=${gitDir}`, ...args], {
      cwd: gitDir,
      env: { PATH: process.env["PATH"], ...trusted },
      input,
      stdio: ["pipe", "pipe", "ignore"],
      maxBuffer: limits.shadowBatchBytes * 2 + limits.includedFileBytes,
    });
  } catch (error) {
    if (errnoOf(error) === "ENOENT") throw noGit();
    throw error;
  }
}

function noGit(): RepriseError {
  return new RepriseError(
    "unsupported",
    "This agent keeps its checkpoints with git, which is not here.",
    {
      hint: "Install git, then try again.",
    },
  );
}

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { groupByProject } from "../../src/agents/project.ts";
import type { SessionHead } from "../../src/model/head.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

let root = "";
beforeEach(() => {
  root = temporaryFolder();
});

function head(session: string, more: Partial<SessionHead>): SessionHead {
  const base = { agent: "pi", path: "", sizeBytes: 1, updatedAt: "2026-11-10T10:00:00.000Z" };
  return { ...base, session, state: "waiting", ...more };
}

function repository(name: string, remote?: string): string {
  const folder = join(root, name);
  mkdirSync(join(folder, ".git"), { recursive: true });
  writeFileSync(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
  const section = remote === undefined ? "" : `[remote "origin"]\n\turl = ${remote}\n`;
  writeFileSync(join(folder, ".git", "config"), section);
  return folder;
}

function groups(heads: readonly SessionHead[]): readonly (readonly string[])[] {
  return groupByProject(heads).map((group) => group.heads.map(({ session }) => session));
}

test("sessions in a repository's subfolders belong together", () => {
  const api = repository("api");
  mkdirSync(join(api, "src"));
  expect(groups([head("1", { cwd: api }), head("2", { cwd: join(api, "src") })])).toEqual([
    ["1", "2"],
  ]);
});

test("two clones of one remote belong together, however its address is written", () => {
  const one = repository("one", "git@example.com:acme/api.git");
  const two = repository("two", "https://user@example.com/acme/api");
  expect(groups([head("1", { cwd: one }), head("2", { cwd: two })])).toEqual([["1", "2"]]);
});

test("a worktree belongs to its repository", () => {
  const api = repository("api", "https://example.com/acme/api.git");
  const worktree = join(root, "api-fix");
  mkdirSync(worktree);
  mkdirSync(join(api, ".git", "worktrees", "fix"), { recursive: true });
  writeFileSync(join(api, ".git", "worktrees", "fix", "commondir"), "../..\n");
  writeFileSync(join(api, ".git", "worktrees", "fix", "HEAD"), "ref: refs/heads/fix\n");
  writeFileSync(join(worktree, ".git"), `gitdir: ${join(api, ".git", "worktrees", "fix")}\n`);
  expect(groups([head("1", { cwd: api }), head("2", { cwd: worktree })])).toEqual([["1", "2"]]);
});

test("a session that names the old folder and the remote joins a moved project", () => {
  const remote = "https://example.com/acme/api.git";
  const moved = repository("new-place", remote);
  const gone = join(root, "old-place");
  const heads = [
    head("new", { cwd: moved }),
    head("old", { cwd: gone }),
    head("link", { cwd: gone, git: { remote } }),
  ];
  expect(groups(heads)).toEqual([["new", "old", "link"]]);
  expect(groupByProject(heads)[0]).toMatchObject({ name: "new-place", path: moved });
});

test("a folder that is gone is not taken for part of its parent's repository", () => {
  const api = repository("api");
  const heads = [head("1", { cwd: api }), head("2", { cwd: join(api, "gone") })];
  expect(groups(heads)).toEqual([["1"], ["2"]]);
});

test("different projects stay apart, and a session without a folder is kept", () => {
  const heads = [
    head("1", { cwd: repository("a") }),
    head("2", { cwd: repository("b") }),
    head("3", {}),
  ];
  expect(groups(heads)).toEqual([["1"], ["2"], ["3"]]);
  expect(groupByProject(heads)[2]?.name).toBe("(no project)");
});

test("a folder that the system refuses to look at hides no other session", () => {
  const loop = join(root, "loop");
  symlinkSync(loop, loop);
  const long = `/${"a".repeat(5_000)}`;
  const refused = [loop, long].map((cwd) => head(cwd.slice(0, 9), { cwd }));
  expect(groups([...refused, head("1", { cwd: repository("api") })])).toHaveLength(3);
});

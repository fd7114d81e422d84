import { appendFileSync, cpSync, mkdirSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aider } from "../../../src/agents/aider/index.ts";
import { environment, fixtureRoot, project, readAll, told } from "./histories.ts";

const start = (time: string) => `\n# aider chat started at ${time}\n\n`;
const two =
  `${start("2026-01-01 10:00:00")}> Aider v0.86.3  \n> Main model: gpt-x with diff edit format  \n\n#### /help  \n\n#### first  \n\none\n\n> Tokens: 2k sent, 1k cache write, 3k cache hit, 5 received. Cost: $0.01 message, $0.02 session.  \n` +
  `${start("2026-01-02 10:00:00")}#### second  \n`;

test("each run is a session of its own, found from the folder, its git root and known projects", () => {
  const { folder } = project(two);
  mkdirSync(join(folder, ".git"));
  mkdirSync(join(folder, "src/deep"), { recursive: true });
  const from = (cwd: string, projects: string[] = []) =>
    [...aider.locate(environment(cwd), { projects })].map((ref) => ref.part);
  expect(from(folder)).toEqual(["1", "2"]);
  expect(from(join(folder, "src/deep"))).toEqual(["1", "2"]);
  expect(from("/nowhere", [folder, folder])).toEqual(["1", "2"]);
  expect(from("/nowhere")).toEqual([]);
});

test("the history's name may be chosen by the environment, and a link to it is the same file", () => {
  const { folder, path } = project(two);
  const link = join(folder, "link.md");
  symlinkSync(path, link);
  const env = environment(folder, { AIDER_CHAT_HISTORY_FILE: "link.md" });
  expect([...aider.locate(env)].map((ref) => ref.path)).toEqual([path, path]);
});

test.each(["darwin", "win32"] as const)("on %s histories lie at the same place", (platform) => {
  const { folder } = project(two);
  expect([...aider.locate({ ...environment(folder), platform })]).toHaveLength(2);
});

test("a run keeps its id, size and time when later runs are added", () => {
  const { folder, path } = project(two);
  const refs = () => [...aider.locate(environment(folder))];
  const before = refs();
  appendFileSync(path, `#### more  \n${start("2026-01-02 10:00:00")}#### third  \n`);
  const after = refs();
  expect(after).toHaveLength(3);
  expect(after[0]).toEqual(before[0]);
  expect(after[1]?.session).toBe(before[1]?.session);
  expect(new Set(after.map((ref) => ref.session)).size).toBe(3);
  expect(after[0]?.modifiedMs).toBe(Date.parse("2026-01-02T15:00:00.000Z"));
});

test("a head tells what its run tells", () => {
  const { folder, path } = project(two);
  utimesSync(path, 1_800_000_000, 1_800_000_000);
  const env = environment(folder);
  const heads = [...aider.locate(env)].map((ref) => aider.head(ref, env));
  expect(heads[0]).toEqual({
    agent: "aider",
    session: expect.stringMatching(/^[0-9a-f]{16}$/),
    path,
    sizeBytes: expect.any(Number),
    createdAt: "2026-01-01T15:00:00.000Z",
    updatedAt: "2026-01-02T15:00:00.000Z",
    title: "first",
    titled: false,
    project: { name: expect.any(String), path: folder },
    cwd: folder,
    cwdExists: true,
    model: "gpt-x",
    version: "0.86.3",
    state: "waiting",
    usage: { input: 2000, output: 5, cacheRead: 3000, cacheWrite: 1000, cost: 0.01 },
  });
  expect(heads[1]).toMatchObject({ title: "second", state: "interrupted" });
  expect(heads[1]?.updatedAt).toBe(new Date(statSync(path).mtimeMs).toISOString());
});

test("a run in which nobody said anything is no session", () => {
  const { folder } = project(`${start("2026-01-01 10:00:00")}> Aider v0.86.3  \n`);
  const env = environment(folder);
  expect([...aider.locate(env)].map((ref) => aider.head(ref, env))).toEqual([undefined]);
});

test("text before the first start line is run 0, and a false start line starts nothing", async () => {
  const { folder } = project(`#### old  \n\nanswer\n# aider chat started at noon\n${two}`);
  const refs = [...aider.locate(environment(folder))];
  expect(refs.map((ref) => ref.part)).toEqual(["0", "1", "2"]);
  expect(told((await readAll(refs[0]!)).events)).toEqual(["1 user old", "3 assistant answer"]);
});

test("the lines of a run are numbered from its start line", async () => {
  const { folder } = project(two);
  const [, second] = [...aider.locate(environment(folder))];
  expect(told((await readAll(second!)).events)).toEqual(["1 session_start", "3 user second"]);
});

test("a start line across the edge of what is read at once is found", () => {
  for (const shift of [0, 1, 10, 23, 24, 40, 45, 60, 100]) {
    const filler = `${"x".repeat(1024 * 1024 - 60 - shift)}\n`;
    const { folder } = project(filler + two);
    expect([...aider.locate(environment(folder))].map((ref) => ref.part)).toEqual(["0", "1", "2"]);
  }
});

test("a run that is gone is told as damage and has no head", async () => {
  const { folder } = project(two);
  const [ref] = [...aider.locate(environment(folder))];
  const gone = { ...ref!, part: "9" };
  expect(aider.head(gone, environment(folder))).toBeUndefined();
  expect((await readAll(gone)).damage).toMatchObject([{ kind: "missing_file" }]);
  expect((await readAll({ ...ref!, path: join(folder, "none") })).damage).toHaveLength(1);
});

test("resume restores in the project's folder", () => {
  const { folder } = project(two);
  const env = environment(folder);
  const [ref] = [...aider.locate(env)];
  expect(aider.resume?.(ref!, aider.head(ref!, env)!)).toEqual({
    argv: ["aider", "--restore-chat-history"],
    cwd: folder,
  });
});

test("reading leaves a project as it was", async () => {
  const { folder } = project("");
  cpSync(join(fixtureRoot, "real-io"), folder, { recursive: true });
  const state = () => statSync(join(folder, ".aider.chat.history.md"), { bigint: true });
  const before = state();
  const env = environment(folder);
  for (const ref of aider.locate(env)) {
    aider.head(ref, env);
    await readAll(ref, { allBranches: true });
  }
  expect([state().mtimeNs, state().ctimeNs, state().size]).toEqual([
    before.mtimeNs,
    before.ctimeNs,
    before.size,
  ]);
});

import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { opencode } from "../../../src/agents/opencode/index.ts";
import type { Environment } from "../../../src/base/env.ts";
import { stateOf } from "../../sqlite/folder.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { copyOf, environment, fixture, readAll, refsOf } from "./fixtures.ts";
import { MadeStore } from "./made-store.ts";

const locate = (env: Environment): string[] => [...opencode.locate(env)].map((ref) => ref.session);

test("without OpenCode there is nothing, and nothing is made", () => {
  const folder = temporaryFolder();
  const before = stateOf(folder);
  expect(locate(environment(folder))).toEqual([]);
  expect(stateOf(folder)).toEqual(before);
});

test("the data folder follows XDG_DATA_HOME, and the home folder alike on every platform", () => {
  const home = copyOf("1.18.33/plain");
  const found = locate(environment(home));
  expect(found).toHaveLength(1);
  for (const platform of ["linux", "darwin", "win32"] as const) {
    expect(locate({ ...environment(home), platform })).toEqual(found);
  }
  const elsewhere = { ...environment(temporaryFolder()), cwd: home };
  for (const data of [join(home, ".local", "share"), ".local/share"]) {
    expect(locate({ ...elsewhere, variables: { XDG_DATA_HOME: data } })).toEqual(found);
  }
  expect(locate(environment(home, { XDG_DATA_HOME: "" }))).toEqual(found);
});

test("databases of other release channels are found, others are not", () => {
  const home = copyOf("1.18.33/forked");
  const root = join(home, ".local", "share", "opencode");
  renameSync(join(root, "opencode.db"), join(root, "opencode-dev.x-1.db"));
  writeFileSync(join(root, "other.db"), "");
  writeFileSync(join(root, "opencode-a b.db"), "");
  const refs = [...opencode.locate(environment(home))];
  expect(refs).toHaveLength(2);
  const head = opencode.head(refs[0]!, environment(home))!;
  expect(opencode.resume?.(refs[0]!, head)).toEqual({
    argv: ["opencode", "--session", refs[0]!.session],
    cwd: "/home/dev/acme-api-o",
    env: { OPENCODE_DB: join(root, "opencode-dev.x-1.db") },
  });
});

test("OPENCODE_DB names one more database, absolute or in the data folder", () => {
  const home = copyOf("1.18.33/forked");
  const root = join(home, ".local", "share", "opencode");
  const away = join(temporaryFolder(), "mine.sqlite");
  cpSync(join(root, "opencode.db"), away);
  renameSync(join(root, "opencode.db"), join(root, "mine.sqlite"));
  expect(locate(environment(home))).toEqual([]);
  expect(locate(environment(home, { OPENCODE_DB: "mine.sqlite" }))).toHaveLength(2);
  expect(locate(environment(temporaryFolder(), { OPENCODE_DB: away }))).toHaveLength(2);
  for (const nothing of ["", ":memory:", "/no/such/file"]) {
    expect(locate(environment(home, { OPENCODE_DB: nothing }))).toEqual([]);
  }
});

test("a session that was migrated from the JSON tree is listed once, from the database", () => {
  const home = copyOf("1.1.65/resumed-and-subagent");
  const store = new MadeStore();
  store.session("ses_e1f574d54ffeAdqe3TWChJl5F0");
  const root = join(home, ".local", "share", "opencode");
  cpSync(store.path, join(root, "opencode.db"));
  const refs = [...opencode.locate(environment(home))];
  expect(refs.map((ref) => [ref.session, ref.part !== undefined]).sort()).toEqual([
    ["ses_e1f573f0effeGJ70SM8K7LGGTK", false],
    ["ses_e1f574003ffeHEvjzv4LTZJZf2", false],
    ["ses_e1f574d54ffeAdqe3TWChJl5F0", true],
    ["ses_made", true],
  ]);
});

test("a ref's time moves when a message, a part or the session itself changes", () => {
  const store = new MadeStore();
  const times = [store.ref().modifiedMs];
  const message = store.user("one");
  times.push(store.ref().modifiedMs);
  const part = store.part(message, { type: "text", text: "more" });
  store.changePart(part, { type: "text", text: "changed" });
  times.push(store.ref().modifiedMs);
  store.run("update session set time_updated = 1894768000000");
  times.push(store.ref().modifiedMs);
  expect([...times].sort()).toEqual(times);
  expect(new Set(times).size).toBe(times.length);
});

test("names that are no ids are left out, and links lead to no endless walk", () => {
  const home = copyOf("1.1.65/resumed-and-subagent");
  const sessions = join(home, ".local", "share", "opencode", "storage", "session");
  const project = "150e15cf75956cfa296a66e918e22a2f542c0339";
  mkdirSync(join(sessions, project, "folder.json"));
  for (const name of ["..json", "a b.json", `${"x".repeat(200)}.json`]) {
    writeFileSync(join(sessions, project, name), "{}");
  }
  symlinkSync(sessions, join(sessions, "loop"));
  expect(locate(environment(home))).toHaveLength(3);
});

test("a database that is no database is named, and its head and read say what is wrong", async () => {
  const home = temporaryFolder();
  const root = join(home, ".local", "share", "opencode");
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "opencode.db"), "nothing of the kind ".repeat(500));
  const [ref] = refsOf(home).values();
  expect(opencode.head(ref!, environment(home))).toMatchObject({
    state: "unknown",
    problem: expect.stringContaining("cannot be read") as string,
  });
  const told = await readAll(ref!);
  expect(told.events).toEqual([]);
  expect(told.damage.map(({ kind }) => kind)).toContain("database");
});

test("an empty database and one of another program hold no sessions", () => {
  const home = temporaryFolder();
  const root = join(home, ".local", "share", "opencode");
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "opencode.db"), "");
  expect(locate(environment(home))).toEqual([]);
});

test("a session that is gone since it was listed gives no head, and a read that says so", async () => {
  const store = new MadeStore();
  store.user("one");
  const ref = store.ref();
  store.run("delete from session");
  store.run("delete from message");
  store.run("delete from part");
  expect(opencode.head(ref, environment(store.home))).toBeUndefined();
  expect((await readAll(ref)).damage).toMatchObject([{ kind: "missing_file" }]);
  rmSync(store.path);
  expect((await readAll(ref)).damage).toMatchObject([{ kind: "missing_file" }]);
});

test("the state of a session is how its last turn was left", () => {
  const cases: [string, (store: MadeStore) => void][] = [
    ["waiting", () => {}],
    ["interrupted", (store) => store.user("no answer")],
    ["waiting", (store) => store.assistant("done")],
    ["interrupted", (store) => store.assistant("calls", { finish: "tool-calls" })],
    ["interrupted", (store) => store.assistant("failed", { error: { name: "APIError" } })],
    ["interrupted", (store) => store.message({ role: "assistant" })],
    ["unknown", (store) => store.message({})],
  ];
  for (const [state, prepare] of cases) {
    const store = new MadeStore();
    prepare(store);
    expect(opencode.head(store.ref(), environment(store.home))?.state).toBe(state);
  }
});

test("a session without a title of its own is named by its first prompt; a fork has no origin", () => {
  const store = new MadeStore();
  store.session("ses_new", { title: "New session - 2026-11-15T19:21:45.621Z" });
  store.message({ role: "user" }, [{ type: "text", text: "  Add\na test " }], "ses_new");
  store.session("ses_fork", { title: "A made session (fork #1)" });
  const env = environment(store.home);
  expect(opencode.head(store.ref("ses_new"), env)).toMatchObject({
    title: "Add a test",
    titled: false,
  });
  const fork = opencode.head(store.ref("ses_fork"), env);
  expect(fork).toMatchObject({ title: "A made session (fork #1)", titled: true });
  expect(fork?.relation).toBeUndefined();
});

test("the first generation of the table, which lacks most columns, is read", () => {
  const store = new MadeStore();
  store.run("alter table session drop column model");
  store.run("alter table session drop column revert");
  store.run("drop table project");
  store.run("drop table todo");
  store.assistant("done");
  const head = opencode.head(store.ref(), environment(store.home));
  expect(head).toMatchObject({ model: "m", title: "A made session", state: "waiting" });
});

test("every fixture's folder is a home folder with an OpenCode store", () => {
  expect(refsOf(fixture("0.5.29/resumed-and-subagent")).size).toBe(3);
});

test("a file from elsewhere is not copied and searched as if it were a damaged database", () => {
  const folder = temporaryFolder();
  const path = join(folder, "other.jsonl");
  writeFileSync(path, '{"type":"user"}\n'.repeat(1000));
  const copies = process.env["REPRISE_HOME"] ?? "";
  const before = stateOf(copies);
  const ref = { agent: "opencode", session: "other", path, sizeBytes: 16_000, modifiedMs: 0 };
  expect(opencode.head(ref, environment(folder))).toBeUndefined();
  expect(stateOf(copies)).toEqual(before);
});

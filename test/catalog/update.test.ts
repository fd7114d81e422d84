import { spawnSync } from "node:child_process";
import fs, {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadAgents } from "../../src/agents/registry.ts";
import type { Environment } from "../../src/base/env.ts";
import { tryLease } from "../../src/base/lease.ts";
import { limits } from "../../src/base/limits.ts";
import { storeLease } from "../../src/base/store-leases.ts";
import { freshen } from "../../src/catalog/index/freshen.ts";
import { type Catalog, openCatalog } from "../../src/catalog/index/open.ts";
import { journalEntries } from "../../src/log/read-journal.ts";
import { Connection } from "../../src/sqlite/connection.ts";
import { userHome } from "../../src/store/home.ts";
import { markSession } from "../../src/store/mark-session.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { claudeLine, claudeSession, id } from "./claude.ts";
import { emptyHome, find, options, places } from "./home.ts";

function catalogOf(env: Environment): Catalog {
  const opened = openCatalog(userHome(env).derived);
  if ("why" in opened) throw new Error(opened.why);
  return opened;
}

test("what is appended is found, and only that and the ends of the file are read", async () => {
  const env = emptyHome();
  const long = "an ordinary sentence of a long conversation ".repeat(20);
  const file = claudeSession(
    env,
    1,
    Array.from({ length: 500 }, (_, at) => `${long} ${at}`),
  );
  claudeSession(env, 2, ["another session"]);
  expect(places(await find(env, "xylophone"))).toEqual([]);
  const line = `${claudeLine(env, 1, 500, "the xylophone arrived")}\n`;
  appendFileSync(file, line);
  const read = countReads();
  const catalog = catalogOf(env);
  const done = await freshen(catalog, options(env));
  catalog.close();
  const bytes = read.end();
  expect(done).toMatchObject({ read: 1, pending: [] });
  // The appended line twice (what is on it, then its events), hashes that prove the file is the same, and the head.
  expect(bytes).toBeLessThan(2 * line.length + 4096);
  expect(places(await find(env, "xylophone"))).toEqual([`claude-code:${id(1)}@501`]);
});

test("a title that lies far from both ends of a session is kept when it grows", async () => {
  const env = emptyHome();
  const file = claudeSession(env, 1, ["the first prompt"]);
  await find(env, "prompt");
  const title = { type: "custom-title", customTitle: "Marzipan affair", sessionId: id(1) };
  appendFileSync(file, `${JSON.stringify(title)}\n`);
  expect(places(await find(env, "marzipan"))).toHaveLength(1);
  const far = "far from it ".repeat(limits.tailBytes / 6);
  for (const at of [1, 2]) appendFileSync(file, `${claudeLine(env, 1, at, far)}\n`);
  expect(places(await find(env, "marzipan"))).toHaveLength(1);
});

test("of a native session a bounded part is read, however long it is", async () => {
  const env = emptyHome();
  const session = SessionManager.create(env.cwd, undefined, { env });
  const long = "an ordinary sentence of a long conversation ".repeat(20);
  for (let at = 0; at < 600; at += 1)
    session.appendSync({ type: "user", content: `${long} ${at}` });
  await find(env, "ordinary");
  session.appendSync({ type: "user", content: "the bassoon plays" });
  await session.close();
  const read = countReads();
  const catalog = catalogOf(env);
  await freshen(catalog, options(env));
  catalog.close();
  // The place to go on from is found by halving: a few pieces of 64 KB.
  expect(read.end()).toBeLessThan(1_000_000);
  expect(places(await find(env, "bassoon"))).toHaveLength(1);
});

/** Counts the bytes this process reads from files. */
function countReads(): { end(): number } {
  let bytes = 0;
  const original = fs.readSync;
  const readFile = fs.readFileSync;
  const counting = (...args: Parameters<typeof original>): number => {
    const taken = original(...args);
    bytes += taken;
    return taken;
  };
  fs.readSync = counting as typeof original;
  fs.readFileSync = ((...args: Parameters<typeof readFile>) => {
    const content = readFile(...args);
    bytes += content.length;
    return content;
  }) as typeof readFile;
  syncBuiltinESMExports();
  const end = (): number => {
    fs.readSync = original;
    fs.readFileSync = readFile;
    syncBuiltinESMExports();
    return bytes;
  };
  onTestFinished(() => void end());
  return { end };
}

test("a session that is unchanged is not opened again", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["hello there"]);
  await find(env, "hello");
  const catalog = catalogOf(env);
  const read = countReads();
  expect(await freshen(catalog, options(env))).toMatchObject({ read: 0, pending: [], gone: 0 });
  expect(read.end()).toBe(0);
  catalog.close();
});

test("a rewritten session is read anew, and what it no longer says is not found", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["first marmalade", "second"]);
  expect(places(await find(env, "marmalade"))).toHaveLength(1);
  claudeSession(env, 1, ["something else entirely, and longer than before", "tangerine"]);
  expect(places(await find(env, "marmalade"))).toEqual([]);
  expect(places(await find(env, "tangerine"))).toHaveLength(1);
});

test("a vanished session stays findable, the journal remembers it, and a rebuild still knows its title", async () => {
  const env = emptyHome();
  const file = claudeSession(env, 1, ["please sharpen the quokka"]);
  appendFileSync(
    file,
    `${JSON.stringify({ type: "custom-title", customTitle: "Quokka work", sessionId: id(1) })}\n`,
  );
  claudeSession(env, 2, ["stays"]);
  await find(env, "quokka");
  rmSync(file);
  const found = await find(env, "sharpen");
  expect(found.sessions.map(({ gone }) => gone)).toEqual([true]);
  expect([...journalEntries(userHome(env).journal)].map(({ kind }) => kind)).toEqual(["sighting"]);
  await find(env, "sharpen");
  expect([...journalEntries(userHome(env).journal)]).toHaveLength(1);
  rmSync(userHome(env).derived, { recursive: true });
  const rebuilt = await find(env, "quokka");
  expect(rebuilt.sessions.map(({ gone, facts }) => [gone, facts.title])).toEqual([
    [true, "Quokka work"],
  ]);
});

test("a vanished session comes behind those that can still be opened, however well it fits", async () => {
  const env = emptyHome();
  const file = claudeSession(env, 1, ["quokka quokka quokka"]);
  claudeSession(env, 2, ["much else is said here, and then once something about a quokka"]);
  await find(env, "quokka");
  rmSync(file);
  const found = await find(env, "quokka");
  expect(found.sessions.map(({ gone }) => gone)).toEqual([false, true]);
});

test("a session that moved is the same session, not a gone one and a new one", async () => {
  const env = emptyHome();
  const file = claudeSession(env, 1, ["the walrus moves"]);
  await find(env, "walrus");
  const folder = join(env.home, ".claude", "projects", "-elsewhere");
  mkdirSync(folder);
  renameSync(file, join(folder, `${id(1)}.jsonl`));
  const found = await find(env, "walrus");
  expect(found.sessions.map(({ gone, ref }) => [gone, ref.path])).toEqual([
    [false, join(folder, `${id(1)}.jsonl`)],
  ]);
});

test("a title the user gave to another agent's session is found, and so are its tags", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["an ordinary prompt"]);
  await find(env, "ordinary");
  const session = { agent: "claude-code", session: id(1) };
  markSession(userHome(env), session, { title: "Flamingo affair", tags: ["pink"] });
  expect(places(await find(env, "flamingo"))).toEqual([`claude-code:${id(1)}@`]);
  expect(places(await find(env, "ordinary tag:pink"))).toHaveLength(1);
  markSession(userHome(env), session, { title: "Pelican affair", tags: [] });
  expect(places(await find(env, "flamingo"))).toEqual([]);
  expect(places(await find(env, "tag:pink ordinary"))).toEqual([]);
});

test("what a fork shares with its base is found once, wherever it is", async () => {
  const env = emptyHome();
  const base = SessionManager.create(env.cwd, undefined, { env });
  base.appendSync({ type: "user", content: "the heron stands still" });
  base.appendSync({ type: "assistant", content: "so it does" });
  const fork = base.fork();
  fork.appendSync({ type: "user", content: "and the heron flies" });
  await fork.close();
  await base.close();
  const found = await find(env, "heron");
  expect(found.sessions.map(({ total }) => total)).toEqual([1, 1]);
  expect(new Set(places(found)).size).toBe(2);
});

test("a changed reader has only its own agent's sessions read again", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["one"]);
  const native = SessionManager.create(env.cwd, undefined, { env });
  native.appendSync({ type: "user", content: "two" });
  await native.close();
  await find(env, "one");
  const changed = (await loadAgents()).map((agent) =>
    agent.name === "claude-code" ? { ...agent, revision: agent.revision + 1 } : agent,
  );
  const raised = { ...options(env), agents: async () => changed };
  const catalog = catalogOf(env);
  const done = await freshen(catalog, raised);
  expect(done.read).toBe(1);
  expect((await freshen(catalog, raised)).read).toBe(0);
  catalog.close();
});

test("a second indexer does not wait: it answers by reading what the first has not done", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["the ibex climbs"]);
  const held = tryLease(storeLease(userHome(env).leases, "catalog"));
  if (!held.taken) throw new Error("the lease is taken");
  const found = await find(env, "ibex");
  expect(places(found)).toHaveLength(1);
  expect(found.freshness).toMatchObject({ indexed: 0, streamed: 1 });
  expect(found.notes.join()).toContain("is indexing");
  held.lease.release();
  expect((await find(env, "ibex")).freshness).toMatchObject({ indexed: 1, streamed: 0 });
});

test("what does not fit into the time is read instead, so that the answer is complete", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["the lynx waits"]);
  const found = await find(env, "lynx", { deadlineMs: 0 });
  expect(places(found)).toHaveLength(1);
  expect(found.freshness).toMatchObject({ indexed: 0, streamed: 1 });
});

test("a damaged index is set aside and made anew, and it says so", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["the puffin dives"]);
  await find(env, "puffin");
  const path = join(userHome(env).derived, "catalog.db");
  const overwrite = (bytes: Buffer): void => {
    for (const side of ["-wal", "-shm"]) rmSync(path + side, { force: true });
    writeFileSync(path, bytes);
  };
  overwrite(Buffer.alloc(8192, 7));
  const found = await find(env, "puffin");
  expect(places(found)).toHaveLength(1);
  expect(found.notes.join()).toContain("was damaged");
  expect(statSync(`${path}.damaged`).size).toBe(8192);
});

test("an index of a newer version stays as it is; ours is made beside it", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["the otter floats"]);
  await find(env, "otter");
  const path = join(userHome(env).derived, "catalog.db");
  const newer = new Connection(path);
  newer.exec("pragma user_version = 99; create table future (x); insert into future values (1)");
  newer.close();
  const found = await find(env, "otter");
  expect(places(found)).toHaveLength(1);
  expect(found.notes.join()).toContain("newer version");
  const still = new Connection(path, { readOnly: true });
  expect(still.prepare("select x from future").get()).toEqual({ x: 1 });
  still.close();
});

test("the index is for its owner's eyes only", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["private"]);
  const catalog = catalogOf(env);
  await freshen(catalog, options(env));
  for (const side of ["", "-wal", "-shm"]) {
    expect(statSync(catalog.path + side).mode & 0o777, side).toBe(0o600);
  }
  expect(statSync(userHome(env).derived).mode & 0o777).toBe(0o700);
  catalog.close();
});

test("the text of a sealed session enters the index only if the user says so", async () => {
  const env = emptyHome();
  const key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
  const withKey = { ...env, variables: { ...env.variables, REPRISE_KEY: key } };
  const session = SessionManager.create(env.cwd, undefined, { env: withKey, seal: true });
  session.appendSync({ type: "user", content: "the secret capybara" });
  await session.close();
  const without = await find(env, "capybara");
  expect(places(without)).toEqual([]);
  expect(without.freshness.sealed).toBe(1);
  const strings = spawnSync("grep", ["-c", "capybara", join(userHome(env).derived, "catalog.db")]);
  expect(strings.stdout.toString().trim()).toBe("0");
});

test("what was appended, written anew or said in a title is found letter by letter", async () => {
  const env = emptyHome();
  const file = claudeSession(env, 1, ["the first prompt"]);
  claudeSession(env, 2, ["something else"]);
  const looked = async (text: string): Promise<readonly string[]> =>
    places(await find(env, { text, mode: "substring" }));
  expect(await looked("E0382")).toEqual([]);
  appendFileSync(file, `${claudeLine(env, 1, 1, "and then error e0382 came")}\n`);
  expect(await looked("E0382")).toEqual([`claude-code:${id(1)}@2`]);
  expect(await looked("FIRST prompt")).toHaveLength(1);
  claudeSession(env, 1, ["all is well, said v7"]);
  expect(await looked("E0382")).toEqual([]);
  expect(await looked("said v7")).toEqual([`claude-code:${id(1)}@1`]);
  // A name the user gave stands in no file of the agent.
  const title = "Ticket 4711";
  markSession(userHome(env), { agent: "claude-code", session: id(2) }, { title });
  expect(await looked("ticket 4711")).toEqual([`claude-code:${id(2)}@`]);
});

import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadAgents } from "../../src/agents/registry.ts";
import { exists } from "../../src/base/disk.ts";
import type { Environment } from "../../src/base/env.ts";
import { entriesOf } from "../../src/base/folders.ts";
import { beginLook, endLook, isStill, type Look } from "../../src/base/look.ts";
import { watchedEnvironment } from "../../src/base/watched-env.ts";
import { freshen } from "../../src/catalog/index/freshen.ts";
import { type Catalog, openCatalog } from "../../src/catalog/index/open.ts";
import { sweep } from "../../src/catalog/index/sweep.ts";
import { CatalogWriter } from "../../src/catalog/index/writer.ts";
import { userHome } from "../../src/store/home.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { emptyHome, find, fixtureHome, options, places } from "./home.ts";

const agents = await loadAgents();

/** A home of every agent's sessions, with settings that name further places. */
function everyAgent(): Environment {
  const env = fixtureHome();
  const session = SessionManager.create(env.cwd, undefined, { env });
  session.appendSync({ type: "user", content: "a native one" });
  session.close();
  mkdirSync(join(env.cwd, ".pi"));
  const elsewhere = join(env.home, "pi-sessions");
  writeFileSync(join(env.cwd, ".pi", "settings.json"), JSON.stringify({ sessionDir: elsewhere }));
  const pi = join(env.home, ".pi", "agent", "sessions", "--home-dev-acme--");
  cpSync(pi, elsewhere, { recursive: true });
  return env;
}

function* below(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    yield path;
    if (entry.isDirectory()) yield* below(path);
  }
}

const longAgo = new Date("2026-11-01T00:00:00Z");

/** Makes everything look as if nobody had touched it for long. */
function age(folder: string): void {
  for (const path of below(folder)) utimesSync(path, longAgo, longAgo);
  utimesSync(folder, longAgo, longAgo);
}

function located(env: Environment): string {
  const refs = sweep(undefined, agents, env, [env.cwd]).refs();
  return JSON.stringify(refs.toSorted((a, b) => (a.path + a.part < b.path + b.part ? -1 : 1)));
}

function look(env: Environment): Look {
  beginLook();
  sweep(undefined, agents, env, [env.cwd]);
  const found = endLook(Date.now());
  if (found === undefined) throw new Error("something changed just now");
  return found;
}

const changes: Readonly<Record<string, (path: string) => () => void>> = {
  grows: (path) => {
    if (statSync(path).isDirectory()) return () => undefined;
    appendFileSync(path, "x");
    return () => undefined;
  },
  goes: (path) => {
    renameSync(path, `${path}.away`);
    return () => renameSync(`${path}.away`, path);
  },
  comes: (path) => {
    const beside = join(dirname(path), `0${path.slice(dirname(path).length + 1)}`);
    cpSync(path, beside, { recursive: true });
    return () => rmSync(beside, { recursive: true });
  },
};

test("where a look would see the same, every agent finds the same sessions, whatever changed", () => {
  const env = everyAgent();
  age(env.home);
  const paths = [...below(env.home)].filter((path) => !path.includes("/.reprise/blobs"));
  const step = Math.max(1, Math.floor(paths.length / 90));
  let unseen = 0;
  let tried = 0;
  for (const path of paths.filter((_, at) => at % step === 0)) {
    for (const [name, change] of Object.entries(changes)) {
      const before = located(env);
      const seen = look(env);
      expect(isStill(seen), "untouched").toBe(true);
      const undo = change(path);
      tried += 1;
      if (isStill(seen)) {
        unseen += 1;
        expect(located(env), `${path} ${name}`).toBe(before);
      }
      undo();
      age(env.home);
    }
  }
  // Otherwise a look that is never the same would pass.
  expect(unseen).toBeGreaterThan(0);
  expect(unseen).toBeLessThan(tried);
});

test("a database that comes into a folder which was there before is seen", () => {
  const env = everyAgent();
  const folder = join(env.home, ".local", "share", "opencode");
  age(env.home);
  const before = located(env);
  const seen = look(env);
  // Sessions of the one before lie in its log, which has its name.
  for (const side of ["", "-wal"]) {
    const from = join(folder, `opencode.db${side}`);
    if (existsSync(from)) cpSync(from, join(folder, `opencode-beta.db${side}`));
  }
  expect(located(env)).not.toBe(before);
  expect(isStill(seen)).toBe(false);
});

test("what was asked for only by its name, then listed, is compared as a folder", () => {
  const { home } = emptyHome();
  age(home);
  beginLook();
  exists(home);
  entriesOf(home);
  const seen = endLook(Date.now())!;
  expect(isStill(seen)).toBe(true);
  writeFileSync(join(home, "new"), "");
  expect(isStill(seen)).toBe(false);
});

test("what changed just now may change again unseen, so it is not kept", () => {
  const env = everyAgent();
  age(env.home);
  const [file] = [...below(join(env.home, ".claude", "projects"))].filter((path) =>
    path.endsWith(".jsonl"),
  );
  const now = new Date();
  utimesSync(file!, now, now);
  beginLook();
  sweep(undefined, agents, env, [env.cwd]);
  expect(endLook(Date.now())).toBeUndefined();
});

function opened(env: Environment): Catalog {
  const catalog = openCatalog(userHome(env).derived);
  if ("why" in catalog) throw new Error(catalog.why);
  onTestFinished(() => catalog.close());
  return catalog;
}

function kept({ connection }: Catalog): number {
  const row = connection.prepare("select count(*) as looks from look").get();
  return (row as { readonly looks: number }).looks;
}

/** A home of one session, indexed, with its look kept. */
async function settled(): Promise<{
  env: Environment;
  file: string;
  code: string;
  catalog: Catalog;
}> {
  const env = emptyHome();
  const folder = join(env.home, ".claude", "projects", "-work");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "5a3e1c0f-7b64-4d0e-9c55-000000000001.jsonl");
  writeFileSync(file, line(env, 1, "the first thing"));
  const code = join(env.home, "agents.js");
  writeFileSync(code, "the first code");
  age(env.home);
  const catalog = opened(env);
  await freshen(catalog, { ...options(env), code: [code] });
  // The folder of the index itself is young, and not looked at.
  await freshen(catalog, { ...options(env), code: [code] });
  expect(kept(catalog)).toBe(1);
  return { env, file, code, catalog };
}

function line(env: Environment, at: number, text: string): string {
  const uuid = `5a3e1c0f-7b64-4d0e-9c55-${String(at).padStart(12, "a")}`;
  const session = "5a3e1c0f-7b64-4d0e-9c55-000000000001";
  const record = {
    parentUuid: null,
    isSidechain: false,
    cwd: env.cwd,
    sessionId: session,
    version: "2.1.325",
    type: "user",
    message: { role: "user", content: text },
    uuid,
    timestamp: "2026-11-15T10:00:00.000Z",
  };
  return `${JSON.stringify(record)}\n`;
}

test("a search by a kept look finds the same, and counts the same sessions", async () => {
  const { env, catalog } = await settled();
  const { swept, read } = await freshen(catalog, options(env));
  expect({ sessions: swept.sessions, read, refs: swept.refs().length }).toEqual({
    sessions: 1,
    read: 0,
    refs: 1,
  });
  expect(places(await find(env, "first"))).toHaveLength(1);
  expect(places(await find(env, { text: "rst thi", mode: "substring" }))).toHaveLength(1);
});

test("what was appended or added since is found", async () => {
  const { env, file } = await settled();
  appendFileSync(file, line(env, 2, "a second thing"));
  expect(places(await find(env, "second"))).toHaveLength(1);
  const other = file.replace("000000000001.jsonl", "000000000002.jsonl");
  writeFileSync(other, line(env, 3, "a third thing").replaceAll("000000000001", "000000000002"));
  expect(places(await find(env, "third"))).toHaveLength(1);
  rmSync(other);
  const [gone] = (await find(env, "third")).sessions;
  expect(gone?.gone).toBe(true);
});

test("another folder, another variable, other code: the machine is looked at again", async () => {
  const { env, code, catalog } = await settled();
  const elsewhere = join(env.home, "other");
  mkdirSync(elsewhere);
  const moved = { ...env, variables: { ...env.variables, CLAUDE_CONFIG_DIR: elsewhere } };
  expect((await freshen(catalog, options(moved))).swept.sessions).toBe(0);
  const revised = agents.map((agent) => ({ ...agent, revision: 77 }));
  const raised = { ...options(env), agents: async () => revised };
  expect((await freshen(catalog, raised)).read).toBe(0);
  appendFileSync(code, " is not the last");
  expect((await freshen(catalog, raised)).read).toBe(1);
});

test("whoever writes to the index forgets what was seen", async () => {
  const { catalog } = await settled();
  const writer = new CatalogWriter(catalog.connection);
  writer.begin();
  writer.commit();
  expect(kept(catalog)).toBe(0);
});

test("a look that was damaged counts for nothing", async () => {
  const { env, catalog } = await settled();
  catalog.connection.exec("update look set stamps = x'0102030405060708'");
  expect((await freshen(catalog, options(env))).swept.sessions).toBe(1);
  catalog.connection.exec("update look set stamps = x'01', given = '['");
  expect((await freshen(catalog, options(env))).swept.sessions).toBe(1);
});

test("only variables that were asked for count", () => {
  const { env, asked } = watchedEnvironment({
    variables: { A: "1", B: "2" },
    platform: "linux",
    home: "/",
    cwd: "/",
  });
  expect([env.variables["A"], env.variables["C"]]).toEqual(["1", undefined]);
  expect(asked()).toEqual({ A: "1", C: null });
});

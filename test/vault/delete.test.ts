import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative } from "node:path";
import { expect, test } from "vitest";
import type { Agent, SessionRef } from "../../src/agents/contract.ts";
import type { FoundSession } from "../../src/agents/find-sessions.ts";
import { loadAgents } from "../../src/agents/registry.ts";
import type { Environment } from "../../src/base/env.ts";
import type { SessionHead } from "../../src/model/head.ts";
import { Connection } from "../../src/sqlite/connection.ts";
import { userHome } from "../../src/store/home.ts";
import { undo } from "../../src/store/undo.ts";
import { deleteSession, planDeletion, registerDeletions } from "../../src/vault/delete-session.ts";
import { type Writer, type Written, writerOf } from "../../src/vault/writers.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

registerDeletions();

const fixtures = join(import.meta.dirname, "..", "fixtures");
const every = await loadAgents();
/** Web exports refuse it, which a test below says. */
const agents = every.filter(
  ({ name, belongings }) => belongings !== undefined && name !== "web-export",
);

/** Every scenario of an agent: a home, or a home with a project. */
function scenesOf(agent: string): readonly string[] {
  const versions = readdirSync(join(fixtures, agent), { withFileTypes: true });
  return versions
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const version = join(fixtures, agent, name);
      if (existsSync(join(version, "project"))) return [version];
      return readdirSync(version, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(version, entry.name));
    });
}

interface Place {
  readonly home: string;
  readonly env: Environment;
}

/** Scenes of each agent that are tried; the first ones differ most. */
const scenesTried = 10;

function placed(scene: string): Place {
  const home = temporaryFolder();
  // What is kept of pi are its session files alone.
  const isPi = scene.startsWith(join(fixtures, "pi"));
  cpSync(scene, isPi ? join(home, ".pi", "agent", "sessions", "--p--") : home, { recursive: true });
  const project = join(home, "project");
  const cwd = existsSync(project) ? project : home;
  return { home, env: { variables: {}, platform: "linux", home, cwd } };
}

function located(agent: Agent, { env }: Place): readonly SessionRef[] {
  return [...agent.locate(env)];
}

function found(agent: Agent, ref: SessionRef, { env }: Place): FoundSession | undefined {
  const head = agent.head(ref, env);
  // A file that is no session, or a damaged database, is not what people delete.
  return head === undefined || head.problem !== undefined ? undefined : { agent, ref, head };
}

const database = /\.(?:db|sqlite|vscdb)$/;

/** Everything in a home but our own: bytes, modes and times of files, rows of databases. */
function contentOf(home: string): ReadonlyMap<string, string> {
  const content = new Map<string, string>();
  for (const name of readdirSync(home, { recursive: true, encoding: "utf8" })) {
    const path = join(home, name);
    if (name.startsWith(".reprise") || /-(?:wal|shm)$/.test(name)) continue;
    const stat = statSync(path);
    if (stat.isDirectory()) content.set(name, `folder ${stat.mode}`);
    else if (database.test(name)) content.set(name, rowsOf(path));
    else {
      const sum = createHash("sha256").update(readFileSync(path)).digest("hex");
      content.set(name, `${stat.mode} ${Math.round(stat.mtimeMs)} ${sum}`);
    }
  }
  return content;
}

/** Read in a copy: the package closes files when it collects garbage, and then removes the log beside a database. */
function rowsOf(original: string): string {
  const path = join(temporaryFolder(), "copy.db");
  for (const side of ["", "-wal"])
    if (existsSync(original + side)) copyFileSync(original + side, path + side);
  try {
    const connection = new Connection(path);
    const names = connection
      .prepare("select name from sqlite_master where type = 'table' order by name")
      .all() as { name: string }[];
    const rows = names.map(({ name }) => {
      const all = connection.prepare(`select * from "${name}"`).readBigInts().all();
      return [name, all.map((row) => JSON.stringify(row, bytes)).sort()];
    });
    connection.close();
    return JSON.stringify(rows);
  } catch {
    return createHash("sha256").update(readFileSync(original)).digest("hex");
  }
}

function bytes(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}

test("every agent says what belongs to a session; our own store removes its sessions itself", () => {
  const without = every.filter(({ belongings }) => belongings === undefined);
  expect(without.map(({ name }) => name)).toEqual(["reprise"]);
});

test("an export is the user's own file: nothing of it is deleted, and the hint says what can be done", async () => {
  const agent = every.find(({ name }) => name === "web-export")!;
  const place = placed(join(fixtures, "web-export", "constructed", "chatgpt"));
  const [ref] = agent.at!(join(place.home, "conversations.json"), place.env);
  const session = found(agent, ref!, place)!;
  const before = contentOf(place.home);
  await expect(planDeletion(session, place.env)).rejects.toMatchObject({
    code: "unsupported",
    hint: expect.stringContaining("reprise sources remove"),
  });
  expect(contentOf(place.home)).toEqual(before);
});

test.each(agents.map((agent) => [agent.name, agent] as const))(
  "%s: a deleted session is gone, and undo puts it back byte for byte, rows included",
  async (name, agent) => {
    let deleted = 0;
    for (const scene of scenesOf(name).slice(0, scenesTried)) {
      const place = placed(scene);
      for (const ref of located(agent, place).slice(0, 3)) {
        const session = found(agent, ref, place);
        if (session === undefined) continue;
        const before = contentOf(place.home);
        let plan: Awaited<ReturnType<typeof planDeletion>>;
        try {
          plan = await planDeletion(session, place.env);
        } catch (error) {
          expect(String(error)).toContain("cannot be deleted");
          continue;
        }
        expect(plan.files.length + plan.pieces.length + plan.rowCount, scene).toBeGreaterThan(0);
        const { entry } = await deleteSession(plan, place.env);
        deleted += 1;
        // A database may stay, with what others keep in it; then it has no session any more.
        const left = located(agent, place)
          .filter((other) => agent.head(other, place.env) !== undefined)
          .map(({ session: id }) => id);
        const isPiece = plan.pieces.length > 0;
        if (!isPiece) expect(left, scene).not.toContain(ref.session);
        expect(contentOf(place.home)).not.toEqual(before);
        await undo(userHome(place.env), entry, place.env);
        const after = contentOf(place.home);
        for (const [path, content] of before)
          expect(after.get(path), `${scene} ${path}`).toBe(content);
        expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
      }
    }
    expect(deleted).toBeGreaterThan(0);
  },
  120_000,
);

test("a database's log that goes between the plan and the deletion does not stop it", async () => {
  const agent = agents.find(({ name }) => name === "crewai")!;
  const place = scenesOf("crewai")
    .map(placed)
    .find((one) => located(agent, one).some(({ path }) => basename(path) === lastRun))!;
  const ref = located(agent, place).find(({ path }) => basename(path) === lastRun)!;
  const before = contentOf(place.home);
  writeFileSync(`${ref.path}-wal`, "");
  const plan = await planDeletion(found(agent, ref, place)!, place.env);
  expect(plan.files).toContain(`${ref.path}-wal`);
  rmSync(`${ref.path}-wal`);
  const { entry, copy } = await deleteSession(plan, place.env);
  expect(existsSync(ref.path)).toBe(false);
  expect(readdirSync(copy).filter((name) => name.endsWith(".gz"))).toHaveLength(1);
  await undo(userHome(place.env), entry, place.env);
  expect(contentOf(place.home)).toEqual(before);
});

/** Where CrewAI keeps the tasks of the last run. */
const lastRun = "latest_kickoff_task_outputs.db";

const claudeScene = scenesOf("claude-code")[0]!;

async function claudeSession(): Promise<{ place: Place; session: FoundSession }> {
  const agent = agents.find(({ name }) => name === "claude-code")!;
  const place = placed(claudeScene);
  for (const ref of located(agent, place)) {
    const session = found(agent, ref, place);
    if (session !== undefined) return { place, session };
  }
  throw new Error("no session");
}

test("it is refused while a process has the session's file open", async () => {
  const { place, session } = await claudeSession();
  const file = openSync(session.ref.path, "a");
  const holder = spawn("sleep", ["60"], { stdio: [file, "ignore", "ignore"] });
  try {
    const plan = await planDeletion(session, place.env);
    await expect(deleteSession(plan, place.env)).rejects.toMatchObject({ code: "session_busy" });
    expect(existsSync(session.ref.path)).toBe(true);
  } finally {
    holder.kill("SIGKILL");
    await once(holder, "close");
  }
  const plan = await planDeletion(session, place.env);
  await deleteSession(plan, place.env);
  expect(existsSync(session.ref.path)).toBe(false);
});

test("an agent's program that waits in the folder counts as a writer of the newest session there, and of one it names", async () => {
  const folder = temporaryFolder();
  const program = join(folder, "claude");
  symlinkSync("/bin/sleep", program);
  const head: SessionHead = {
    agent: "claude-code",
    session: "59",
    path: "",
    sizeBytes: 0,
    updatedAt: "",
    state: "unknown",
    cwd: folder,
  };
  const quiet = { files: [], program: "claude", head, modifiedMs: 0 };
  const writer = (changed: Partial<Written>): Writer | undefined =>
    writerOf({ ...quiet, isNewest: () => false, ...changed });
  const waiting = spawn(program, ["59.5"], { cwd: folder, stdio: "ignore" });
  await once(waiting, "spawn");
  try {
    const pid = waiting.pid!;
    expect(writer({})).toBeUndefined();
    expect(writer({ isNewest: () => true })).toMatchObject({ pid });
    expect(writer({ modifiedMs: Date.now() })).toMatchObject({ pid });
    expect(writer({ head: { ...head, session: "59.5", cwd: "/elsewhere" } })).toMatchObject({
      pid,
    });
    expect(writer({ head: { ...head, cwd: "/elsewhere" }, isNewest: () => true })).toBeUndefined();
    expect(writer({ program: "codex", isNewest: () => true })).toBeUndefined();
  } finally {
    waiting.kill("SIGKILL");
    await once(waiting, "close");
  }
  expect(writer({ isNewest: () => true })).toBeUndefined();
});

test("what is there again under the same name is not overwritten by undo", async () => {
  const { place, session } = await claudeSession();
  const { entry } = await deleteSession(await planDeletion(session, place.env), place.env);
  writeFileSync(session.ref.path, "another\n");
  await expect(undo(userHome(place.env), entry, place.env)).rejects.toMatchObject({
    code: "conflict",
  });
  expect(readFileSync(session.ref.path, "utf8")).toBe("another\n");
});

test("a file that grew since it was copied stays, with everything else", async () => {
  const { place, session } = await claudeSession();
  const plan = await planDeletion(session, place.env);
  const files = [...plan.files];
  // Its agent says one more thing once the last file was copied, before the first one goes.
  files.entries = function* grown() {
    yield* [...plan.files].entries();
    appendFileSync(session.ref.path, "{}\n");
  } as typeof files.entries;
  const before = new Map(contentOf(place.home));
  await expect(deleteSession({ ...plan, files }, place.env)).rejects.toMatchObject({
    code: "conflict",
  });
  const after = new Map(contentOf(place.home));
  expect(readFileSync(session.ref.path, "utf8")).toMatch(/\n\{\}\n$/);
  for (const content of [before, after]) content.delete(relative(place.home, session.ref.path));
  expect(after).toEqual(before);
});

test("rows whose deletion changes others by a trigger stay, since undo could not bring those back", async () => {
  const agent = agents.find(({ name }) => name === "claude-flow")!;
  const place = placed(join(fixtures, "claude-flow", "3.43.0", "memory"));
  const session = located(agent, place)
    .filter(({ part }) => part === "memory")
    .flatMap((ref) => found(agent, ref, place) ?? [])[0]!;
  const connection = new Connection(session.ref.path);
  connection.exec(`create table precious (x); insert into precious values ('kept');
    create trigger bad after delete on memory_entries begin delete from precious; end`);
  connection.close();
  const before = contentOf(place.home);
  const plan = await planDeletion(session, place.env);
  await expect(deleteSession(plan, place.env)).rejects.toMatchObject({ code: "unsupported" });
  expect(contentOf(place.home)).toEqual(before);
});

import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { expect, test } from "vitest";
import { opencode } from "../../../src/agents/opencode/index.ts";
import { parseObject } from "../../../src/base/json.ts";
import { seeded } from "../../random.mjs";
import { stateOf } from "../../sqlite/folder.ts";
import { damageText } from "../kit/damage.ts";
import { assertSurvives } from "../kit/survives.ts";
import { copyOf, environment, fixture, readAll, refsOf } from "./fixtures.ts";
import { MadeStore } from "./made-store.ts";

const store = ".local/share/opencode/opencode.db";

test("250 damaged databases and logs are read without a throw or a hang", async () => {
  const scenarios = ["forked", "compacted", "killed-in-tool", "plain"];
  const session = new Map(
    scenarios.map((name) => {
      const [id] = refsOf(fixture(`1.18.33/${name}`)).keys();
      return [name, id!];
    }),
  );
  const sources = scenarios.map((name) => join(fixture(`1.18.33/${name}`), store));
  await assertSurvives({
    agent: opencode,
    sources,
    kind: "sqlite",
    rounds: 250,
    place: (source) => relative(fixture("1.18.33"), source),
    ref: (path, root) => {
      const name = relative(root, path).split("/")[0]!;
      const id = session.get(name)!;
      return { agent: "opencode", session: id, path, part: id, root, sizeBytes: 0, modifiedMs: 0 };
    },
  });
});

test("250 damaged files of the JSON trees cost no more than the file that is damaged", async () => {
  const trees = ["1.1.65/resumed-and-subagent", "0.5.29/resumed-and-subagent"];
  for (const tree of trees) {
    const folder = copyOf(tree);
    const originals = new Map<string, number>();
    for (const [id, ref] of refsOf(folder)) {
      originals.set(id, (await readAll(ref, { allBranches: true })).events.length);
    }
    const files = (readdirSync(folder, { recursive: true }) as string[]).filter(
      (name) => /(message|part)\/.*\.json$/.test(name) && !name.includes("golden"),
    );
    for (let round = 0; round < 125; round += 1) {
      const random = seeded(20261115, round);
      const file = join(folder, random.pick(files));
      const bytes = readFileSync(file);
      const damaged = damageText(bytes, { kind: "json", random });
      writeFileSync(file, damaged.bytes);
      for (const [id, ref] of refsOf(folder)) {
        const told = await readAll(ref, { allBranches: true });
        const label = `${tree} ${basename(file)}: ${damaged.name} (seed 20261115, round ${round})`;
        const lost = originals.get(id)! - told.events.length;
        // A tool part is call and result, and in 0.5.29 a subagent or changed files beside it.
        expect(lost, label).toBeLessThanOrEqual(3);
        // A changed letter in the name of an optional field leaves whole JSON that nobody can doubt.
        if (lost > 0 && parseObject(damaged.bytes.toString()) === undefined) {
          expect(told.damage.length + Object.keys(told.unknown).length, label).toBeGreaterThan(0);
        }
      }
      writeFileSync(file, bytes);
    }
  }
});

test("an unreadable page costs the rows on it: the rest is read and the damage told", async () => {
  const made = new MadeStore();
  made.run("begin");
  for (let turn = 0; turn < 300; turn += 1) {
    made.user(`prompt ${turn} ${"x".repeat(300)}`);
    made.assistant(`answer ${turn} ${"y".repeat(300)}`);
  }
  made.run("commit");
  const ref = made.ref();
  const sound = await readAll(ref);
  expect(sound.events).toHaveLength(601);
  const bytes = readFileSync(made.path);
  const pages = bytes.length / 4096;
  for (let page = 20; page < pages; page += 23) {
    const harmed = Buffer.from(bytes);
    harmed.fill(0, page * 4096, (page + 1) * 4096);
    writeFileSync(made.path, harmed);
    const told = await readAll(ref);
    expect(told.damage.length, `page ${page}`).toBeGreaterThan(0);
    expect(told.events.length, `page ${page}`).toBeGreaterThan(550);
  }
});

test("a message whose row is lost still gives its parts", async () => {
  const made = new MadeStore();
  made.user("one");
  const lost = made.assistant("two");
  made.run('update message set data = \'{"role":"assis\' where id = ?', lost);
  made.user("three");
  const told = await readAll(made.ref());
  expect(told.damage).toEqual([
    { kind: "bad_json", offset: 2, recovered: 0, detail: `message ${lost}` },
  ]);
  expect(told.events.map(({ body }) => body.type)).toEqual([
    "session_start",
    "user",
    "assistant",
    "user",
  ]);
});

test("rows with values of the wrong kind are told, not thrown", async () => {
  const made = new MadeStore();
  made.user("one");
  made.run("insert into message values ('msg_x', 'ses_made', 'soon', x'00ff', x'00ff00')");
  made.run("insert into message values ('msg_y', 'ses_made', 9223372036854775807, 0, '[]')");
  made.run("insert into part values ('prt_x', 'msg_y', 'ses_made', 0, 0, 'null')");
  made.run("update session set title = 5, model = '[', revert = '{}', directory = x'00'");
  const [ref] = refsOf(made.home).values();
  expect(opencode.head(ref!, environment(made.home))?.session).toBe("ses_made");
  const told = await readAll(ref!, { allBranches: true });
  expect(told.damage.map(({ kind }) => kind)).toEqual(["bad_json", "bad_json", "bad_json"]);
  expect(told.events.length).toBeGreaterThan(1);
});

test("a log cut to nothing but its head leaves a store that is told damaged or empty", async () => {
  const folder = copyOf("1.18.33/plain");
  const [ref] = refsOf(folder).values();
  const log = join(folder, `${store}-wal`);
  for (const size of [400_000, 60_000, 4200, 40, 32, 10]) {
    truncateSync(log, size);
    const before = stateOf(folder);
    const told = await readAll(ref!);
    expect(told.damage.length).toBeGreaterThan(0);
    expect(stateOf(folder)).toEqual(before);
  }
  rmSync(log);
  expect((await readAll(ref!)).damage.length).toBeGreaterThan(0);
});

test("where the schema is gone, the sessions are still listed and their messages read", async () => {
  const made = new MadeStore();
  made.run("begin");
  for (let turn = 0; turn < 50; turn += 1) {
    made.user(`prompt ${turn} ${"x".repeat(300)}`);
    made.assistant(`answer ${turn}`);
  }
  made.run("commit");
  const sound = await readAll(made.ref());
  const bytes = readFileSync(made.path);
  bytes.fill(0, 100, 4096);
  writeFileSync(made.path, bytes);
  const ref = made.ref();
  expect(opencode.head(ref, environment(made.home))).toMatchObject({
    state: "unknown",
    title: expect.stringContaining("prompt 0") as string,
    problem: expect.stringContaining("damaged") as string,
  });
  const told = await readAll(ref);
  expect(told.damage.length).toBeGreaterThan(0);
  const bodies = (events: typeof told.events): unknown[] => events.slice(1).map(({ body }) => body);
  expect(bodies(told.events)).toEqual(bodies(sound.events));
});

test("a page of the log that is overwritten costs at most the rows on that page", async () => {
  for (const scenario of ["plain", "subagent", "unicode-long"]) {
    const folder = copyOf(`1.18.33/${scenario}`);
    const [ref] = refsOf(folder).values();
    const sound = await readAll(ref!, { allBranches: true });
    const log = join(folder, `${store}-wal`);
    const bytes = readFileSync(log);
    for (let round = 0; round < 12; round += 1) {
      const random = seeded(20261115, round);
      const harmed = Buffer.from(bytes);
      const at = random.below(bytes.length - 4096);
      harmed.subarray(at, at + 4096).fill(random.bytes(64));
      writeFileSync(log, harmed);
      const told = await readAll(ref!, { allBranches: true });
      const label = `${scenario}, log overwritten at ${at}`;
      expect(told.damage.length, label).toBeGreaterThan(0);
      expect(told.events.length, label).toBeGreaterThan(sound.events.length / 2);
    }
  }
});

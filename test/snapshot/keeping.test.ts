import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isRepriseError } from "../../src/base/errors.ts";
import { limits } from "../../src/base/limits.ts";
import {
  allCheckpoints,
  type Checkpoint,
  forgetCheckpoints,
} from "../../src/snapshot/checkpoint.ts";
import { checkpointFolder } from "../../src/snapshot/checkpoint-folder.ts";
import { budgetOf } from "../../src/snapshot/keeping/budget.ts";
import { thinned } from "../../src/snapshot/keeping/thin.ts";
import { tidyCheckpoints } from "../../src/snapshot/keeping/tidy.ts";
import { restoreFiles } from "../../src/snapshot/restore/restore.ts";
import { SnapshotStore } from "../../src/snapshot/snapshot-store.ts";
import { readFileAt, walkTree } from "../../src/snapshot/tree-paths.ts";
import { WorkingTree } from "../../src/snapshot/working-tree.ts";
import { type Home, homeAt } from "../../src/store/home.ts";
import { seeded } from "../random.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";

const seed = Number(process.env["REPRISE_SEED"] ?? Date.now() % 2 ** 31);
const random = seeded(seed);
const mega = 1024 * 1024;
const hourMs = 3600_000;
const nowMs = Date.parse("2026-06-15T12:30:00.000Z");

interface Place {
  readonly home: Home;
  readonly folder: string;
  readonly options: { readonly home: Home; readonly userHome: string; readonly sync: false };
}

function place(budgetBytes?: number): Place {
  const root = temporaryFolder();
  const home = homeAt(join(root, "store"));
  const folder = join(root, "work");
  mkdirSync(folder);
  if (budgetBytes !== undefined) {
    mkdirSync(join(home.root, "snapshots"), { recursive: true });
    writeFileSync(join(home.root, "snapshots", "settings.json"), JSON.stringify({ budgetBytes }));
  }
  return { home, folder, options: { home, userHome: "/nowhere", sync: false } };
}

function take({ folder, options }: Place, label?: string): Checkpoint {
  return checkpointFolder(folder, { ...options, about: { reason: "asked", label } });
}

/** Everything a checkpoint names can be read. */
function readAll({ home }: Place, checkpoint: Checkpoint): number {
  const store = new SnapshotStore(home);
  let files = 0;
  for (const { entry } of walkTree(store, checkpoint.tree)) {
    if (entry.kind !== "file") continue;
    expect(store.content(entry).length).toBe(entry.size);
    files += 1;
  }
  return files;
}

/** Content written in the last moments is never collected: this makes it older. */
function age({ home }: Place): void {
  const { blobs } = new SnapshotStore(home).places;
  const old = new Date(Date.now() - 60_000);
  for (const name of readdirSync(blobs, { recursive: true, encoding: "utf8" })) {
    const path = join(blobs, name);
    if (statSync(path).isFile()) spawnSync("touch", ["-d", old.toISOString(), path]);
  }
}

function made(number: number, hoursAgo: number, more: Partial<Checkpoint> = {}): Checkpoint {
  return {
    number,
    at: new Date(nowMs - hoursAgo * hourMs).toISOString(),
    folder: "/work",
    tree: "",
    scope: "",
    files: 1,
    bytes: 1,
    skipped: 0,
    missed: 0,
    reason: "prompt",
    agent: "claude-code",
    session: "one",
    ...more,
  };
}

describe("time lets checkpoints go", () => {
  const left = (all: readonly Checkpoint[]): readonly number[] => {
    const gone = new Set(thinned(all, { nowMs }));
    return all.filter((one) => !gone.has(one)).map(({ number }) => number);
  };

  test("all of the last day stay, then one of each hour, after a week one of each day", () => {
    const all = [
      made(1, 24 * 20.2),
      made(2, 24 * 20.1),
      made(3, 24 * 10),
      made(4, 48.4),
      made(5, 48.2),
      made(6, 50.1),
      made(7, 23),
      made(8, 22.9),
      made(9, 0),
    ];
    expect(left(all)).toEqual([2, 3, 5, 6, 7, 8, 9]);
  });

  test("labelled ones stay whatever their age, a whole one before one of some files", () => {
    const all = [
      made(1, 48.4, { label: "mine" }),
      made(2, 48.3),
      made(3, 48.2, { partial: true }),
      made(4, 48.25, { session: "two" }),
    ];
    expect(left(all)).toEqual([1, 2, 4]);
  });

  test("a session has at most 50, the older unlabelled ones go first", () => {
    const all = Array.from({ length: 60 }, (_, at) =>
      made(at, 10 - at / 10, at < 5 ? { label: `label ${at}` } : {}),
    );
    const kept = left(all);
    expect(kept).toHaveLength(limits.sessionCheckpoints);
    expect(kept.slice(0, 6)).toEqual([0, 1, 2, 3, 4, 15]);
    // A folder without a session counts as one.
    expect(left(all.map(({ session: _session, ...one }) => one))).toHaveLength(50);
  });

  test("what an undo of the last day needs stays", () => {
    const all = Array.from({ length: 60 }, (_, at) => made(at, 1, { reason: "safety" }));
    expect(left(all)).toHaveLength(60);
  });
});

describe("the disk budget", () => {
  test("is the smaller of 2 GB and 5 % of the free space unless it is set", () => {
    const here = place();
    const { budgetBytes } = budgetOf(here.home);
    expect(budgetBytes).toBeGreaterThan(0);
    expect(budgetBytes).toBeLessThanOrEqual(2 * 1024 * mega);
    expect(budgetOf(place(5 * mega).home).budgetBytes).toBe(5 * mega);
  });

  test("is kept: the oldest without a label go, labelled ones stay", () => {
    const here = place(3 * mega);
    writeFileSync(join(here.folder, "a.bin"), random.bytes(mega / 2));
    const first = take(here, "first");
    for (let at = 0; at < 12; at += 1) {
      writeFileSync(join(here.folder, "a.bin"), random.bytes(mega / 2));
      age(here);
      take(here);
      expect(budgetOf(here.home).usedBytes).toBeLessThanOrEqual(3 * mega);
    }
    const kept = allCheckpoints(here.home);
    expect(kept[0]).toMatchObject({ number: first.number, label: "first" });
    expect(kept.length).toBeGreaterThan(1);
    expect(kept.length).toBeLessThan(8);
    for (const one of kept) expect(readAll(here, one)).toBe(1);
  });

  test("that labelled ones fill refuses another and says what to delete", () => {
    const here = place(2 * mega);
    const bytes = (): void => writeFileSync(join(here.folder, "a.bin"), random.bytes(0.9 * mega));
    bytes();
    const first = take(here, "first");
    bytes();
    take(here, "second");
    bytes();
    age(here);
    const refused = (): unknown => {
      try {
        return take(here);
      } catch (error) {
        return error;
      }
    };
    const error = refused();
    expect(isRepriseError(error, "budget_full")).toBe(true);
    expect((error as { hint: string }).hint).toContain(`checkpoint delete ${first.number}`);
    expect(allCheckpoints(here.home)).toHaveLength(2);
    for (const one of allCheckpoints(here.home)) expect(readAll(here, one)).toBe(1);
    // Nothing of what was refused stays.
    age(here);
    tidyCheckpoints(here.home);
    expect(budgetOf(here.home).usedBytes).toBeLessThan(2 * mega);
  });

  test("is shared by projects: the same content counts once", () => {
    const here = place();
    const there = join(here.folder, "..", "other");
    mkdirSync(there);
    const bytes = random.bytes(mega);
    writeFileSync(join(here.folder, "a.bin"), bytes);
    writeFileSync(join(there, "b.bin"), bytes);
    take(here);
    const { usedBytes } = budgetOf(here.home);
    take({ ...here, folder: there });
    expect(budgetOf(here.home).usedBytes - usedBytes).toBeLessThan(10_000);
  });
});

describe("content that no checkpoint needs", () => {
  test("goes, and what any other checkpoint needs stays", () => {
    const here = place();
    for (let at = 0; at < 200; at += 1) writeFileSync(join(here.folder, `${at}.txt`), `${at}\n`);
    writeFileSync(join(here.folder, "large.bin"), random.bytes(mega));
    const first = take(here);
    rmSync(join(here.folder, "large.bin"));
    writeFileSync(join(here.folder, "0.txt"), "changed\n");
    const second = take(here);
    age(here);
    tidyCheckpoints(here.home, { roomBytes: 2 * 1024 * mega });
    expect(allCheckpoints(here.home)).toEqual([]);
    // What the folder has now is known without reading it; nothing else is left.
    expect(() => readAll(here, first)).toThrow(/blob/);
    const third = take(here);
    expect(third.tree).toBe(second.tree);
    expect(readAll(here, third)).toBe(200);
  });

  test("stays for a day where going back began or led there, whatever became of the checkpoints", async () => {
    const here = place();
    const path = join(here.folder, "a.txt");
    writeFileSync(path, "one\n");
    const target = take(here);
    writeFileSync(path, "two\n");
    const tree = WorkingTree.open(here.folder, here.options);
    const { entry, safety } = await restoreFiles(tree, { target });
    tree.close();
    writeFileSync(path, "three\n");
    take(here);
    forgetCheckpoints(here.home, [target.number, safety!.number], "deleted");
    const roomBytes = 2 * 1024 * mega;
    age(here);
    tidyCheckpoints(here.home, { roomBytes });
    expect(readAll(here, safety!)).toBe(1);
    expect(readAll(here, target)).toBe(1);
    age(here);
    tidyCheckpoints(here.home, { roomBytes, nowMs: Date.now() + 25 * hourMs });
    expect(entry).toBeDefined();
    expect(() => readAll(here, safety!)).toThrow(/blob/);
  });

  test("is never missed by a process that holds the folder open meanwhile", () => {
    const here = place();
    const names = ["a.txt", "b.txt", "c.txt"];
    const put = (name: string, text: string) => writeFileSync(join(here.folder, name), text);
    const tree = WorkingTree.open(here.folder, here.options);
    for (const name of names) put(name, `one ${name}\n`);
    tree.capture();
    for (const name of names) put(name, `two ${name}\n`);
    // Known to this process alone, in no checkpoint.
    tree.capture();
    age(here);
    tidyCheckpoints(here.home, { roomBytes: 2 * 1024 * mega });
    const snapshot = tree.capture();
    tree.close();
    const store = new SnapshotStore(here.home);
    const kept = names.map((name) => readFileAt(store, snapshot.tree, name)?.toString());
    expect(kept).toEqual(names.map((name) => `two ${name}\n`));
  });

  test("is collected while other processes capture, and nothing of theirs is lost", async () => {
    const here = place();
    const children = [0, 1].map((at) => {
      const folder = join(here.folder, String(at));
      mkdirSync(folder);
      return spawn(
        process.execPath,
        [join(import.meta.dirname, "children", "churn.mjs"), folder, here.home.root, "25"],
        { stdio: ["ignore", "ignore", "inherit"] },
      );
    });
    const ended = children.map(
      (child) => new Promise<number | null>((resolve) => child.on("close", resolve)),
    );
    let rounds = 0;
    let isOver = false;
    const all = Promise.all(ended).then((codes) => {
      isOver = true;
      return codes;
    });
    while (!isOver) {
      tidyCheckpoints(here.home, { waitMs: 2_000 });
      rounds += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await all).toEqual([0, 0]);
    expect(rounds).toBeGreaterThan(2);
    const kept = allCheckpoints(here.home);
    expect(kept).toHaveLength(50);
    for (const one of kept) expect(readAll(here, one)).toBeGreaterThan(0);
  }, 60_000);

  test("many small packs become few", () => {
    const here = place();
    for (let at = 0; at < limits.packs + 5; at += 1) {
      writeFileSync(join(here.folder, "a.txt"), `${at}\n`);
      take(here, `label ${at}`);
    }
    const packs = (): number => readdirSync(join(here.home.root, "snapshots/blobs/packs")).length;
    expect(packs()).toBeGreaterThan(limits.packs);
    age(here);
    tidyCheckpoints(here.home);
    expect(packs()).toBeLessThan(5);
    for (const one of allCheckpoints(here.home)) expect(readAll(here, one)).toBe(1);
  });
});

const kills = Number(process.env["REPRISE_KILLS"] ?? 12);

test(
  "nothing temporary is left after a kill, and what was recorded can be read",
  async () => {
    const here = place();
    const child = join(import.meta.dirname, "children", "churn.mjs");
    for (let round = 0; round < kills; round += 1) {
      const running = spawn(
        process.execPath,
        [child, here.folder, here.home.root, "1000", "large"],
        {
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      await new Promise((resolve) => running.stdout.once("data", resolve));
      await new Promise((resolve) => setTimeout(resolve, random.below(60)));
      running.kill("SIGKILL");
      await new Promise((resolve) => running.once("close", resolve));
    }
    for (const one of allCheckpoints(here.home)) expect(readAll(here, one)).toBeGreaterThan(0);
    age(here);
    tidyCheckpoints(here.home);
    const files = readdirSync(here.home.root, { recursive: true, encoding: "utf8" });
    expect(files.filter((name) => name.endsWith(".tmp"))).toEqual([]);
    for (const one of allCheckpoints(here.home)) expect(readAll(here, one)).toBeGreaterThan(0);
    expect(readFileSync(here.home.journal, "utf8")).toContain('"checkpoint"');
  },
  60_000 + kills * 5_000,
);

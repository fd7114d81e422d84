import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { verifyLog } from "../../src/log/verify.ts";
import { FileLog } from "../../src/store/file-log.ts";
import { folderHome } from "../../src/store/home.ts";
import { type Random, seeded } from "../agents/kit/random.ts";
import { quickDisk } from "../log/damaged-session.ts";
import { temporaryFolder } from "../temporary-folder.mjs";
import { PowerCut, PowerCutDisk, type Unsynced } from "./power-cut.ts";

const seed = 20_261_117;
const rounds = 300;

interface Work {
  readonly root: string;
  readonly disk: PowerCutDisk;
  readonly random: Random;
  /** What was acknowledged, by number. */
  readonly kept: Map<number, string>;
}

const fileIn = (root: string) => join(root, "s.jsonl");
const stripIn = (root: string) => join(folderHome(root).strips, "s.strip");

function textOf(random: Random): string {
  const length = random.pick([10, 10, 10, 200, 3_000, 9_000, 50_000]);
  return `${random.below(1e9)} ${"x".repeat(length)}`;
}

async function appendOne({ kept }: Work, log: FileLog, text: string): Promise<void> {
  const [event] = await log.append([{ body: { type: "note", content: text } }]);
  kept.set(event!.id, text);
}

/** Appends one by one, so that a strip comes to be used; now and then something else. */
async function step(work: Work, log: FileLog): Promise<FileLog> {
  const { random, kept } = work;
  switch (random.below(24)) {
    case 0:
      log.flush();
      return log;
    case 1:
      await log.close();
      return FileLog.open(folderHome(work.root), log.file, { disk: work.disk, sync: "each" });
    case 2: {
      const several = [0, 1, 2].map(() => appendOne(work, log, textOf(random)));
      const outcomes = await Promise.allSettled(several);
      for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
      return log;
    }
    case 3:
    case 4:
    case 5:
    case 6:
      await appendOne(work, log, textOf(random));
      return log;
    default: {
      const text = textOf(random);
      const [event] = log.appendSync([{ body: { type: "note", content: text } }]);
      kept.set(event!.id, text);
      return log;
    }
  }
}

function isPowerCut(error: unknown): boolean {
  let cause: unknown = error;
  while (cause instanceof Error && !(cause instanceof PowerCut)) cause = cause.cause;
  return cause instanceof PowerCut;
}

async function workUntilCut(work: Work): Promise<void> {
  const start = { type: "session_start", format: 1, session: "s" } as const;
  const options = { disk: work.disk, sync: "each" } as const;
  let log: FileLog | undefined;
  try {
    log = FileLog.create(folderHome(work.root), fileIn(work.root), start, options);
    for (let steps = 0; steps < 300; steps += 1) log = await step(work, log);
  } catch (error) {
    if (!isPowerCut(error)) throw error;
  }
  work.disk.cut();
  await log?.close().catch(() => undefined);
}

/** Opens what a cut left and loses the power again, perhaps while it is being restored. */
async function cutAgain(work: Work, root: string, unsynced: Unsynced): Promise<string> {
  const { random } = work;
  const cutting = new PowerCutDisk(root, { random, cutAt: 1 + random.below(8) });
  let log: FileLog | undefined;
  try {
    log = FileLog.open(folderHome(root), fileIn(root), { disk: cutting, sync: "each" });
    const text = "between two cuts";
    const [event] = log.appendSync([{ body: { type: "note", content: text } }]);
    work.kept.set(event!.id, text);
  } catch (error) {
    if (!isPowerCut(error)) throw error;
  }
  cutting.cut();
  await log?.close().catch(() => undefined);
  const after = temporaryFolder();
  cutting.image(after, { random, unsynced });
  return after;
}

async function problemsIn(root: string, kept: ReadonlyMap<number, string>): Promise<unknown[]> {
  const problems: unknown[] = [];
  const log = FileLog.open(folderHome(root), fileIn(root), { disk: quickDisk });
  log.appendSync([{ body: { type: "note", content: "after the cut" } }]);
  const texts = new Set<unknown>();
  for (const event of log.events({ onDamage: (damage) => problems.push(damage) })) {
    if (event.type === "note") texts.add(event.content);
  }
  for (const [id, text] of kept) if (!texts.has(text)) problems.push({ lost: id });
  await log.close();
  if (existsSync(stripIn(root))) problems.push("the strip is still there");
  const fd = openSync(fileIn(root), "r");
  const verified = verifyLog(fd, { firstId: 1, firstSum: "" });
  closeSync(fd);
  return [...problems, ...verified.problems];
}

test(`what was acknowledged survives power cuts where strips are used (seed ${seed})`, async () => {
  let withStrip = 0;
  let byStripAlone = 0;
  for (let round = 0; round < rounds; round += 1) {
    const random = seeded(seed, round);
    const folders = [temporaryFolder()];
    const root = folders[0]!;
    const cutAt = 4 * limits.stripAfterSyncs + random.below(400);
    const work: Work = {
      root,
      disk: new PowerCutDisk(root, { random, cutAt }),
      random,
      kept: new Map(),
    };
    try {
      await workUntilCut(work);
      const unsynced = random.pick<Unsynced>(["dropped", "nul-filled", "some pages"]);
      let after = temporaryFolder();
      folders.push(after);
      work.disk.image(after, { random, unsynced });
      if (existsSync(stripIn(after))) withStrip += 1;
      const log = readFileSync(fileIn(after), "utf8");
      if ([...work.kept.values()].some((text) => !log.includes(text))) byStripAlone += 1;
      if (random.below(2) === 0) {
        after = await cutAgain(work, after, unsynced);
        folders.push(after);
      }
      expect({ round, problems: await problemsIn(after, work.kept) }).toEqual({
        round,
        problems: [],
      });
    } finally {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    }
  }
  expect(withStrip).toBeGreaterThan(rounds / 3);
  expect(byStripAlone).toBeGreaterThan(rounds / 6);
}, 120_000);

import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atomicWrite } from "../../src/base/atomic-write.ts";
import type { SyncPolicy } from "../../src/log/durability.ts";
import { readHeader } from "../../src/log/header.ts";
import { record } from "../../src/log/journal.ts";
import { journalEntries } from "../../src/log/read-journal.ts";
import { verifyLog } from "../../src/log/verify.ts";
import type { Damage } from "../../src/model/damage.ts";
import type { EventBody, SessionEvent } from "../../src/model/event.ts";
import { turnTypes } from "../../src/model/event-groups.ts";
import { FileLog } from "../../src/store/file-log.ts";
import { folderHome } from "../../src/store/home.ts";
import { removeSession } from "../../src/store/remove.ts";
import { quickDisk } from "../log/damaged-session.ts";
import { type Random, seeded } from "../random.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";
import { PowerCut, PowerCutDisk, type Unsynced } from "./power-cut.ts";

const seed = 20_261_115;
const rounds = 340;

/** What the store promised about one session before the power went. */
interface Promised {
  readonly session: string;
  readonly policy: SyncPolicy;
  /** Written and not promised yet, by number. */
  readonly written: Map<number, string>;
  /** Promised: number and digest of the text. */
  readonly kept: Map<number, string>;
}

interface World {
  readonly root: string;
  readonly disk: PowerCutDisk;
  readonly random: Random;
  readonly promised: Map<string, Promised>;
  readonly logs: Map<string, FileLog>;
  readonly journal: string[];
  begun: number;
  readonly notice: { acknowledged: string; latest: string };
}

function digest(text: unknown): string {
  return createHash("sha1")
    .update(JSON.stringify(text) ?? "")
    .digest("hex");
}

function textOf(random: Random): string {
  const length = random.pick([10, 10, 200, 3_000, 9_000, 50_000, 70_000, 300_000]);
  return `${random.below(1e9)} ${String.fromCharCode(97 + random.below(26)).repeat(length)}`;
}

function bodyOf(random: Random, last: number): EventBody {
  const content = textOf(random);
  switch (random.below(8)) {
    case 0:
      return { type: "user", content };
    case 1:
      return { type: "assistant", content, endTurn: true };
    case 2:
      return { type: "rewind", to: 1 + random.below(last), from: last, reason: content };
    case 3:
      return { type: "compaction", summary: content };
    case 4:
      return { type: "meta", data: { content } };
    default:
      return { type: "note", content };
  }
}

/** The text of an event, whatever its type. */
function said(event: SessionEvent | EventBody): unknown {
  if (event.type === "rewind") return event.reason;
  if (event.type === "compaction") return event.summary;
  if (event.type === "meta") return event.data?.["content"];
  return "content" in event ? event.content : undefined;
}

function endsTurn(event: SessionEvent): boolean {
  return turnTypes.has(event.type) || (event.type === "assistant" && event.endTurn === true);
}

function acknowledge(world: World, session: string, events: readonly SessionEvent[]): void {
  const promised = world.promised.get(session)!;
  for (const event of events) promised.written.set(event.id, digest(said(event)));
  const { policy } = promised;
  if (policy === "none" || (policy === "turn" && !events.some(endsTurn))) return;
  const last = policy === "each" ? Number.POSITIVE_INFINITY : (events.at(-1)?.id ?? 0);
  for (const [id, text] of promised.written) {
    if (policy === "each" ? !events.some((event) => event.id === id) : id > last) continue;
    promised.kept.set(id, text);
    promised.written.delete(id);
  }
}

function begin(
  world: World,
  options: { readonly base?: FileLog; readonly at?: number } = {},
): void {
  world.begun += 1;
  const session = `s${world.begun}`;
  const policy = world.random.pick<SyncPolicy>(["each", "turn", "turn", "none"]);
  const base = options.base?.forkBase(options.at);
  const file = join(world.root, `${session}.jsonl`);
  const start = { type: "session_start", format: 1, session, ...(base && { base }) } as const;
  const log = FileLog.create(folderHome(world.root), file, start, {
    disk: world.disk,
    sync: policy,
  });
  const kept = new Map<number, string>();
  // A fork made for keeps stands on a base that is kept too.
  const parent = base === undefined ? undefined : world.promised.get(base.session);
  if (parent !== undefined && base !== undefined && policy !== "none") {
    for (const texts of [parent.kept, parent.written]) {
      for (const [id, text] of texts) if (id <= base.event) kept.set(id, text);
    }
  }
  world.promised.set(session, { session, policy, written: new Map(), kept });
  world.logs.set(session, log);
}

async function step(world: World): Promise<void> {
  const { random, logs } = world;
  const log = random.pick([...logs.values()]);
  switch (random.below(16)) {
    case 0:
      return begin(world);
    case 1:
      return begin(world, { base: log, at: 1 + random.below(log.lastId()) });
    case 2: {
      const text = `${random.below(1e9)}`;
      world.notice.latest = text;
      atomicWrite(join(world.root, "notice.txt"), text.repeat(2_000), { disk: world.disk });
      world.notice.acknowledged = text;
      return;
    }
    case 3: {
      const fact = `${random.below(1e9)}`;
      const home = folderHome(world.root);
      record(home.journal, "fact", { fact }, { disk: world.disk });
      world.journal.push(fact);
      return;
    }
    case 4: {
      await log.close();
      const again = FileLog.open(folderHome(world.root), log.file, {
        disk: world.disk,
        sync: world.promised.get(log.session)!.policy,
      });
      logs.set(log.session, again);
      return;
    }
    case 5: {
      const several = [1, 2, 3].map(() => bodyOf(random, log.lastId()));
      const outcomes = await Promise.allSettled(
        several.map(async (body) => {
          acknowledge(world, log.session, await log.append([{ body }]));
        }),
      );
      for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
      return;
    }
    case 6: {
      log.flush();
      const { written, kept } = world.promised.get(log.session)!;
      for (const [id, text] of written) kept.set(id, text);
      written.clear();
      return;
    }
    case 7: {
      if (logs.size < 3 || log.session === "s0") return;
      await log.close();
      logs.delete(log.session);
      world.promised.delete(log.session);
      removeSession(folderHome(world.root), log.file, { disk: world.disk });
      return;
    }
    default:
      acknowledge(world, log.session, log.appendSync([{ body: bodyOf(random, log.lastId()) }]));
  }
}

/** A session that a cut long ago left damaged: mending it is part of the work. */
async function damagedSession(root: string, random: Random): Promise<Promised> {
  const file = join(root, "s0.jsonl");
  const start = { type: "session_start", format: 1, session: "s0" } as const;
  const log = FileLog.create(folderHome(root), file, start, { disk: quickDisk, sync: "none" });
  const kept = new Map<number, string>();
  const lost = 3 + random.below(4);
  for (let id = 2; id < 10; id += 1) {
    const body: EventBody = {
      type: "note",
      content: id === lost ? "lost to a hole" : textOf(random),
    };
    log.appendSync([{ body }]);
    if (id !== lost) kept.set(id, digest(said(body)));
  }
  await log.close();
  const bytes = readFileSync(file);
  if (random.below(2) === 0)
    bytes.fill(0, bytes.indexOf("lost to a hole"), bytes.indexOf("to a hole"));
  const torn = Buffer.from(`{"id":10,"parent":9,"at":"2026-11-15`);
  writeFileSync(file, Buffer.concat([bytes, random.below(2) === 0 ? torn : Buffer.alloc(0)]));
  return { session: "s0", policy: "turn", written: new Map(), kept };
}

/** Works until the power goes, then gives the world as it was promised to be. */
async function workUntilCut(round: number): Promise<World> {
  const random = seeded(seed, round);
  const root = temporaryFolder();
  const first = await damagedSession(root, random);
  const cutAt = 1 + random.below(random.pick([12, 60, 160]));
  const world: World = {
    root,
    disk: new PowerCutDisk(root, { random, cutAt }),
    random,
    promised: new Map([["s0", first]]),
    logs: new Map(),
    journal: [],
    begun: 0,
    notice: { acknowledged: "", latest: "" },
  };
  try {
    const options = { disk: world.disk, sync: first.policy } as const;
    world.logs.set("s0", FileLog.open(folderHome(root), join(root, "s0.jsonl"), options));
    for (let steps = 0; steps < 60; steps += 1) await step(world);
  } catch (error) {
    if (!world.disk.isCut) throw error;
    let cause: unknown = error;
    while (cause instanceof Error && !(cause instanceof PowerCut)) cause = cause.cause;
    if (!(cause instanceof PowerCut)) throw error;
  }
  world.disk.cut();
  for (const log of world.logs.values()) await log.close().catch(() => undefined);
  return world;
}

/** Everything that is not as promised after the next start. */
async function broken(world: World, root: string): Promise<readonly unknown[]> {
  const problems: unknown[] = [];
  for (const promised of world.promised.values()) {
    if (promised.policy === "none" && promised.kept.size === 0) continue;
    problems.push(...(await brokenSession(root, promised)));
  }
  const facts = [...journalEntries(folderHome(root).journal)].map(({ data }) => data["fact"]);
  for (const fact of world.journal) if (!facts.includes(fact)) problems.push({ journal: fact });
  record(folderHome(root).journal, "after", {}, { disk: quickDisk });
  const notice = join(root, "notice.txt");
  const text = existsSync(notice) ? readFileSync(notice, "utf8") : "";
  const { acknowledged, latest } = world.notice;
  if (![acknowledged, latest].some((one) => text === one.repeat(2_000))) problems.push("notice");
  return problems;
}

async function brokenSession(root: string, promised: Promised): Promise<readonly unknown[]> {
  const { session } = promised;
  const problems: unknown[] = [];
  const file = join(root, `${session}.jsonl`);
  const log = FileLog.open(folderHome(root), file, { disk: quickDisk });
  try {
    log.appendSync([{ body: { type: "note", content: "after the cut" } }]);
    const texts = new Set<string>();
    const onDamage = (damage: Damage) => problems.push({ session, damage });
    for (const event of log.events({ onDamage })) {
      texts.add(digest(said(event)));
    }
    for (const [id, text] of promised.kept) {
      if (!texts.has(text)) problems.push({ session, lost: id });
    }
  } finally {
    await log.close();
  }
  const fd = openSync(file, "r");
  const { base } = readHeader(fd, file).start;
  const verified = verifyLog(fd, { firstId: (base?.event ?? 0) + 1, firstSum: base?.sum ?? "" });
  closeSync(fd);
  problems.push(...verified.problems);
  if (verified.unfinishedBytes > 0)
    problems.push({ session, unfinished: verified.unfinishedBytes });
  return problems;
}

test(`${rounds} power cuts at random operations lose nothing that was promised (seed ${seed})`, async () => {
  const totals = { operations: 0, promised: 0, cuts: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const world = await workUntilCut(round);
    const target = temporaryFolder();
    try {
      const unsynced = world.random.pick<Unsynced>(["dropped", "nul-filled", "some pages"]);
      world.disk.image(target, { random: world.random, unsynced });
      const where = `round ${round}, ${unsynced}, operation ${world.disk.operations}`;
      const problems = await broken(world, target).catch((error: unknown) => [error]);
      expect(problems, `${where}: ${readdirSync(target)}`).toEqual([]);
      totals.cuts += 1;
      totals.operations += world.disk.operations;
      for (const { kept } of world.promised.values()) totals.promised += kept.size;
    } finally {
      rmSync(world.root, { recursive: true, force: true });
      rmSync(target, { recursive: true, force: true });
    }
  }
  expect(totals.cuts).toBe(rounds);
  expect(totals.operations).toBeGreaterThan(rounds * 10);
  expect(totals.promised).toBeGreaterThan(rounds * 10);
}, 240_000);

test("the disk of these tests forgets what was not synced, and keeps what was", () => {
  const root = temporaryFolder();
  const random = seeded(seed);
  const watched = new PowerCutDisk(root, { random, cutAt: 1_000 });
  const make = (name: string, synced: boolean): void => {
    const fd = watched.openAppend(join(root, name), { create: true });
    watched.write(fd, Buffer.from("first "));
    if (synced) watched.syncNow(fd);
    watched.write(fd, Buffer.from("second"));
    watched.close(fd);
  };
  make("synced", true);
  make("unsynced", false);
  watched.syncDirectory(root);
  make("unnamed", true);
  const image = temporaryFolder();
  watched.image(image, { random, unsynced: "dropped" });
  expect(readFileSync(join(image, "synced"), "utf8")).toBe("first ");
  expect(readFileSync(join(image, "unsynced"), "utf8")).toBe("");
  watched.image(image, { random, unsynced: "nul-filled" });
  expect(readFileSync(join(image, "synced"), "utf8")).toBe(`first ${"\0".repeat(6)}`);
});

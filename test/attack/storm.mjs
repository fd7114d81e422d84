// Eight processes work on the sessions of one store while faults hit them: kills, stops, clocks that jump, a full
// disk, few descriptors, holders that cannot examine each other. Afterwards nothing acknowledged may be missing or
// there twice, by our reader and by one that knows only docs/format.md (P1, P2, P4).
//
//   node test/attack/storm.mjs [--faults 5000] [--seed 1] [--minutes 15]
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SessionManager } from "reprise";
import { seeded } from "../random.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";
import { readIndependently } from "./independent-reader.mjs";
import { kindsOf } from "./problems.mjs";
import { mayUnshare, start } from "./processes.mjs";
import { mountSmallDisk } from "./small-disk.mjs";
import { blobName, markIn } from "./storm-events.mjs";

const worker = fileURLToPath(new URL("children/storm-worker.mjs", import.meta.url));
const sessions = ["s0", "s1", "s2", "s3", "sealed"];
const sealed = ["sealed"];
const secret = { passphrase: "attack" };
/** Holders that cannot be examined count as dead after this, so that takeovers are frequent. */
const staleMs = 400;
const faultsPerStore = 250;

/** Runs the storm until it has made its faults, or its time is over; says what came of it. */
export async function storm({
  faults,
  seed,
  deadlineMs = Infinity,
  processes = 8,
  plain = false,
  tell,
}) {
  const totals = {
    faults: 0,
    acknowledged: 0,
    refused: {},
    problems: [],
    namespaces: !plain && mayUnshare(),
    fullDisks: 0,
  };
  for (let store = 0; totals.faults < faults && Date.now() < deadlineMs; store += 1) {
    const round = Math.min(faultsPerStore, faults - totals.faults);
    await stormOneStore(
      { seed: seed + store, faults: round, processes, plain, deadlineMs },
      totals,
    );
    tell?.(totals);
  }
  return totals;
}

async function stormOneStore({ seed, faults, processes, plain, deadlineMs }, totals) {
  const folder = temporaryFolder();
  const disk = plain ? undefined : mountSmallDisk(folder);
  try {
    const place = join(folder, "store");
    mkdirSync(place, { mode: 0o700 });
    for (const id of sessions) {
      const seal = sealed.includes(id) && { seal: true, secret };
      await SessionManager.create(place, place, { id, ...seal }).close();
    }
    const slots = Array.from(
      { length: processes },
      (_, index) => new Slot(place, { index, seed, totals }),
    );
    // On a slow machine everything would be killed before it has written anything.
    await Promise.race(slots.map((slot) => slot.begun));
    const random = seeded(seed);
    for (let fault = 0; fault < faults && Date.now() < deadlineMs; fault += 1) {
      await pause(5 + random.below(30));
      await hit(random, { slots, disk, totals });
      totals.faults += 1;
    }
    disk?.free();
    await Promise.all(slots.map((slot) => slot.end()));
    const acks = new Map(slots.flatMap((slot) => [...slot.acks]));
    totals.acknowledged += acks.size;
    await check(place, acks, { seed, totals });
  } finally {
    disk?.unmount();
  }
}

/** One fault, of a kind that this machine allows. */
async function hit(random, { slots, disk, totals }) {
  const slot = random.pick(slots);
  const what = random.below(20);
  if (what < 9) return slot.restart(random);
  if (what < 14) return slot.stopFor(random.below(3 * staleMs));
  if (what < 17) return void slot.jumpClock();
  if (what < 19 || disk === undefined)
    return slot.restart(random, { descriptors: 20 + random.below(30) });
  totals.fullDisks += 1;
  disk.fill();
  await pause(20 + random.below(200));
  disk.free();
}

/** A place for one process after another. */
class Slot {
  acks = new Map();
  #begin;
  /** Over with the first event that is acknowledged, or with its process. */
  begun = new Promise((over) => {
    this.#begin = over;
  });
  #process;
  #stopped;
  #starts = 0;
  #isReady = false;
  #place;
  #how;

  constructor(place, how) {
    this.#place = place;
    this.#how = how;
    this.#start();
  }

  /** Before it listens, a process would end by this signal. */
  jumpClock() {
    if (this.#isReady) this.#process.signal("SIGUSR2");
  }

  async restart(_random, { descriptors } = {}) {
    await this.end();
    this.#start(descriptors);
  }

  stopFor(ms) {
    if (this.#stopped !== undefined || !this.#process.signal("SIGSTOP")) return;
    this.#stopped = setTimeout(() => {
      this.#stopped = undefined;
      this.#process.signal("SIGCONT");
    }, ms);
  }

  async end() {
    clearTimeout(this.#stopped);
    this.#stopped = undefined;
    this.#process.signal("SIGKILL");
    const { signal, code, errors } = await this.#process.ended;
    // Hit at a bad moment, the program that makes the namespace may say so before it ends.
    const isKilled = signal === "SIGKILL" || code === 137 || errors.startsWith("unshare:");
    // With very few descriptors some versions of Node cannot load their first modules; ours is not among them.
    const hasBegun =
      this.#isReady || !/EMFILE[^\n]*\n\s+at Object\.openSync \(node:fs/.test(errors);
    if (!isKilled && hasBegun)
      this.#how.totals.problems.push(`a worker ended by itself (${code}): ${errors}`);
  }

  #start(descriptors) {
    const { index, seed } = this.#how;
    this.#starts += 1;
    this.#isReady = false;
    const options = JSON.stringify({ sessions, sealed, secret, staleMs });
    const own = String(seed * 1_000_000 + index * 10_000 + this.#starts);
    this.#process = start([worker, this.#place, own, options], {
      namespaced: this.#how.totals.namespaces && index % 8 >= 3 && index % 8 < 6,
      descriptors,
      lines: (line) => this.#heard(line),
    });
    void this.#process.ended.then(this.#begin);
  }

  #heard(line) {
    const [word, ...rest] = line.split(" ");
    const { refused, problems } = this.#how.totals;
    this.#isReady = true;
    if (word === "ack") {
      this.acks.set(rest[1], rest[0]);
      this.#begin();
    } else if (word === "refused") refused[rest[0]] = (refused[rest[0]] ?? 0) + 1;
    else problems.push(line);
  }
}

/** Every session is mended by one append, then read twice: by the library and independently. */
async function check(place, acks, { seed, totals }) {
  const files = readdirSync(place).filter((name) => name.endsWith(".jsonl"));
  const marksByHash = new Map([...acks.keys()].map((mark) => [blobName(mark), mark]));
  const problem = (text) => totals.problems.push(`seed ${seed}: ${text}`);
  for (const name of files) {
    const id = name.slice(0, -".jsonl".length);
    const isSealed = sealed.includes(id) || (await isSealedFork(join(place, name)));
    const session = SessionManager.open(join(place, name), {
      ...(isSealed && { secret }),
      leaseStaleMs: staleMs,
    });
    const seen = new Map();
    try {
      await session.append({ type: "note", content: "after the storm" });
      const onDamage = (damage) => problem(`${id}: ${JSON.stringify(damage)}`);
      for await (const event of session.events({ onDamage }))
        count(seen, markIn(event.content, marksByHash));
    } catch (error) {
      problem(`${id}: ${error.stack}`);
    } finally {
      await session.close();
    }
    const { events, broken } = readIndependently(join(place, name));
    for (const rule of broken) problem(`${id}: ${rule}`);
    const own = new Map();
    for (const event of events) count(own, markIn(event.content, marksByHash));
    for (const [mark, of] of acks) {
      if (of !== id) continue;
      if (seen.get(mark) !== 1) problem(`${id}: ${mark} is there ${seen.get(mark) ?? 0} times`);
      if (!isSealed && own.get(mark) !== 1)
        problem(`${id}: ${mark} is there ${own.get(mark) ?? 0} times, read independently`);
    }
  }
  for (const [mark, of] of acks)
    if (!files.includes(`${of}.jsonl`)) problem(`${mark}: ${of} is gone`);
}

async function isSealedFork(file) {
  return readIndependently(file).events[0]?.seal !== undefined;
}

function count(marks, mark) {
  if (mark !== undefined) marks.set(mark, (marks.get(mark) ?? 0) + 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      faults: { type: "string", default: "5000" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      minutes: { type: "string", default: "15" },
    },
  });
  process.stdout.write(`seed ${values.seed}\n`);
  const totals = await storm({
    faults: Number(values.faults),
    seed: Number(values.seed),
    deadlineMs: Date.now() + Number(values.minutes) * 60_000,
    tell: ({ faults, problems }) =>
      process.stderr.write(`${faults} faults, ${problems.length} problems\n`),
  });
  for (const problem of kindsOf(totals.problems)) process.stdout.write(`${problem}\n`);
  const { problems, ...facts } = totals;
  process.stdout.write(
    `${JSON.stringify(facts)}\n${totals.faults} faults, ${problems.length} problems\n`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}

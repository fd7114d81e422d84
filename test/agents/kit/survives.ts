import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Agent, AgentEvent, SessionRef } from "../../../src/agents/contract.ts";
import { exists } from "../../../src/base/disk.ts";
import type { Damage } from "../../../src/model/damage.ts";
import { seeded } from "../../random.mjs";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { type Damaged, damageDatabase, damageText, type FileKind, type Span } from "./damage.ts";

/** What is damaged, how often, and how a reader is told where the damaged copy lies. */
export interface SurvivalOptions {
  readonly agent: Agent;
  /** Undamaged files; rounds are spread over them. A database's `-wal` beside it is taken along. */
  readonly sources: readonly string[];
  readonly kind: FileKind;
  /** The ref of the damaged copy; `folder` is its temporary root, emptied after the last round. */
  readonly ref: (path: string, folder: string) => SessionRef;
  /** Where the copy lies below the temporary root; the source's own name if absent. */
  readonly place?: (source: string) => string;
  readonly rounds?: number;
  readonly seed?: number;
  /** The first round; with `rounds: 1` it repeats one failure. */
  readonly firstRound?: number;
  /** Processor time one read may take. */
  readonly timeoutMs?: number;
  /** Where the records of a single-JSON file lie; without it only survival is asked for. */
  readonly spans?: (original: Buffer) => readonly Span[];
  /** The ordinal of the record an event came from; the whole part of its number if absent. */
  readonly ordinal?: (event: AgentEvent) => number;
  /**
   * What of an event must come back unchanged if its record was not touched. Without it events are
   * only counted.
   */
  readonly match?: (event: AgentEvent) => string | undefined;
}

interface Outcome {
  readonly events: readonly AgentEvent[];
  readonly damage: readonly Damage[];
  readonly unknown: number;
  readonly tookMs: number;
}

/**
 * Reads many damaged copies with all branches and demands: no throw, no read over the time limit, every
 * event of an untouched record still there, and no visible damage that cost events kept secret (P2).
 */
export async function assertSurvives(options: SurvivalOptions): Promise<void> {
  const { rounds = 500, seed = 20261115, firstRound = 0, timeoutMs = 2000 } = options;
  const folder = temporaryFolder();
  const watchdog = startWatchdog(Math.max(30_000, timeoutMs * 15));
  try {
    const originals = new Map<string, Outcome>();
    for (let round = firstRound; round < firstRound + rounds; round += 1) {
      const source = options.sources[round % options.sources.length]!;
      const path = join(folder, options.place?.(source) ?? basename(source));
      let original = originals.get(source);
      if (original === undefined) {
        put(path, { bytes: readFileSync(source), wal: walOf(source) });
        original = await readAll(options, options.ref(path, folder));
        originals.set(source, original);
      }
      const damaged = damage(options, source, round, seed);
      const label = `${options.agent.name}, ${basename(source)}: ${damaged.name} (seed ${seed}, round ${round}; repeat with firstRound: ${round}, rounds: 1)`;
      put(path, damaged);
      watchdog.beat(label);
      let outcome: Outcome;
      try {
        outcome = await readAll(options, options.ref(path, folder));
      } catch (error) {
        throw new Error(`The reader threw. ${label}`, { cause: error });
      }
      if (outcome.tookMs > timeoutMs) {
        throw new Error(`Reading took ${Math.round(outcome.tookMs)} ms. ${label}`);
      }
      const problem = lossOf(options, original, outcome, damaged);
      if (problem !== undefined) throw new Error(`${problem} ${label}`);
    }
  } finally {
    watchdog.stop();
  }
}

function damage(options: SurvivalOptions, source: string, round: number, seed: number): Damaged {
  const random = seeded(seed, round);
  const original = readFileSync(source);
  if (options.kind === "sqlite") {
    const wal = walOf(source);
    return damageDatabase(original, { random, ...(wal === undefined ? {} : { wal }) });
  }
  const spans = options.spans?.(original);
  return damageText(original, {
    kind: options.kind,
    random,
    ...(spans === undefined ? {} : { spans }),
  });
}

function walOf(source: string): Buffer | undefined {
  return exists(`${source}-wal`) ? readFileSync(`${source}-wal`) : undefined;
}

function put(path: string, file: { readonly bytes: Buffer; readonly wal?: Buffer | undefined }) {
  mkdirSync(dirname(path), { recursive: true });
  for (const beside of ["-wal", "-shm", "-journal"]) rmSync(path + beside, { force: true });
  // A new file each round: what a reader may have cached of the old one must not help it.
  rmSync(path, { force: true });
  writeFileSync(path, file.bytes);
  if (file.wal !== undefined) writeFileSync(`${path}-wal`, file.wal);
}

async function readAll(options: SurvivalOptions, ref: SessionRef): Promise<Outcome> {
  const started = process.cpuUsage();
  let events: AgentEvent[] = [];
  let damage: Damage[] = [];
  let unknown = 0;
  for await (const batch of options.agent.read(ref, { allBranches: true })) {
    if (batch.restart) {
      events = [];
      damage = [];
      unknown = 0;
    }
    for (const event of batch.events) events.push(event);
    damage.push(...batch.damage);
    for (const count of Object.values(batch.unknown ?? {})) unknown += count;
  }
  // Time of the processor, not of the wall: other work on the machine is not the reader's.
  const { user, system } = process.cpuUsage(started);
  return { events, damage, unknown, tookMs: (user + system) / 1000 };
}

/** What was lost without need or in secret, as a sentence. */
function lossOf(
  options: SurvivalOptions,
  original: Outcome,
  outcome: Outcome,
  damaged: Damaged,
): string | undefined {
  const silent =
    outcome.damage.length <= original.damage.length && outcome.unknown === original.unknown;
  if (damaged.visible && silent && outcome.events.length < original.events.length) {
    return `${original.events.length - outcome.events.length} events went missing and no damage was told.`;
  }
  if (damaged.touched === undefined) return undefined;
  const ordinal = options.ordinal ?? ((event: AgentEvent) => Math.floor(Number(event.number)));
  const wanted = original.events.filter((event) => !damaged.touched!.has(ordinal(event)));
  if (outcome.events.length < wanted.length) {
    return `${outcome.events.length} events were recovered, ${wanted.length} were not touched.`;
  }
  if (options.match === undefined) return undefined;
  const there = new Map<string, number>();
  for (const event of outcome.events) {
    const key = options.match(event);
    if (key !== undefined) there.set(key, (there.get(key) ?? 0) + 1);
  }
  for (const event of wanted) {
    const key = options.match(event);
    if (key === undefined) continue;
    const left = there.get(key) ?? 0;
    if (left === 0)
      return `Untouched event ${event.number} did not come back: ${key.slice(0, 200)}.`;
    there.set(key, left - 1);
  }
  return undefined;
}

/**
 * A reader that never returns blocks the thread, so no timer of it can fire: another thread looks at
 * the clock, names the round and ends the process.
 */
function startWatchdog(limitMs: number): { beat(label: string): void; stop(): void } {
  const clock = new BigInt64Array(new SharedArrayBuffer(8));
  const text = new Uint8Array(new SharedArrayBuffer(1024));
  clock[0] = BigInt(Date.now());
  const worker = new Worker(
    `const { workerData: { clock, text, limitMs } } = require("node:worker_threads");
     const { writeSync } = require("node:fs");
     setInterval(() => {
       if (Date.now() - Number(Atomics.load(clock, 0)) < limitMs) return;
       writeSync(2, "The reader hangs. " + Buffer.from(text).toString().replace(/\\0+$/, "") + "\\n");
       process.kill(process.pid, "SIGKILL");
     }, 250);`,
    { eval: true, workerData: { clock, text, limitMs } },
  );
  worker.unref();
  return {
    beat: (label) => {
      text.fill(0).set(Buffer.from(label).subarray(0, text.length));
      Atomics.store(clock, 0, BigInt(Date.now()));
    },
    stop: () => void worker.terminate(),
  };
}

import { randomBytes } from "node:crypto";
import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { uptimeMs } from "./clock.ts";
import { errnoOf, RepriseError } from "./errors.ts";
import { failpoint } from "./failpoint.ts";
import {
  holderLife,
  holderName,
  type LeaseHolder,
  parseHolder,
  thisHolder,
  unreadableHolder,
} from "./holder.ts";
import { checkSessionId } from "./ids.ts";
import { limits } from "./limits.ts";
import { makeFolder } from "./make-folder.ts";
import { pause } from "./pause.ts";

export type { LeaseHolder } from "./holder.ts";

/*
 * A lease is a file `<name>.lease.<n>`, published whole by link(). Why two never hold at once:
 *
 * 1. Whoever links a lease lists the folder again afterwards, and steps back if it sees another live
 *    lease or a higher number. Of two live leases the one linked later was looked around after both
 *    were there, so at most one of the two stays; if both were seen, both step back and try again.
 * 2. So a lease is lost only if its file goes. Its holder unlinks it at release. Besides, a holder
 *    removes lower numbers whose process is certainly dead, judged after its own lease was linked.
 *    Could such a name have passed to a live lease in the meantime? That lease was linked after the
 *    remover's, finds the remover's higher number when it looks again, and steps back: it never holds.
 * 3. A lease that is only silent (its process cannot be examined from here) is passed over by linking
 *    the next number and is never removed, so a holder that wakes up releases its own file, not
 *    another's, and `isCurrent` tells it that it was, or may have been, replaced.
 */

/** The right to write, held by this process until released. */
export interface Lease {
  readonly holder: LeaseHolder;
  /** Gives the lease up; a second call does nothing. */
  release(): void;
  /** Says to those who cannot examine this process that it lives. */
  beat(): void;
  /** Whether no later lease has replaced it, nor may have come and gone during a long silence. */
  isCurrent(): boolean;
}

/** What one try for a lease gave: the lease, or who has it. */
export type LeaseTry =
  | { readonly taken: true; readonly lease: Lease }
  | { readonly taken: false; readonly holder: LeaseHolder };

/** How long to wait for a lease somebody has. */
export interface LeaseWait {
  readonly waitMs?: number | undefined;
  /** Ends an asynchronous wait early. */
  readonly signal?: AbortSignal | undefined;
  /** Called in the moment the lease is taken; the promise tells of it only a little later. */
  readonly onTaken?: ((lease: Lease) => void) | undefined;
}

/** Takes the lease if it is free or its holder is dead; never waits. The folder is made if missing. */
export function tryLease(folder: string, name: string): LeaseTry {
  const prefix = leasePrefix(name);
  let rival: LeaseHolder = unreadableHolder;
  // Losing to somebody who is gone again is a reason to look again, but not for ever.
  for (let round = 0; round < 8; round += 1) {
    const found = look(folder, prefix);
    const live = found.leases.find(isLive);
    if (live !== undefined) {
      // A beat in the future means that the clock was set back, and waiting for it could take years.
      // From a beat of now, a live holder goes on beating and a dead one falls silent as usual.
      if (live.ahead) touch(live.path);
      return { taken: false, holder: live.holder };
    }
    const number = found.highest + 1;
    const holder = thisHolder();
    if (!publish(folder, `${prefix}${number}`, holder)) continue;
    failpoint("lease.after-link");
    const path = join(folder, `${prefix}${number}`);
    const again = look(folder, prefix, number);
    const others = again.leases;
    const better = others.find(isLive);
    if (better !== undefined) {
      remove(path);
      return { taken: false, holder: better.holder };
    }
    const higher = others.find((lease) => lease.number > number);
    if (higher !== undefined) {
      remove(path);
      rival = higher.holder;
      continue;
    }
    for (const lease of others) if (lease.state === "dead") remove(lease.path);
    for (const file of again.leftovers) removeLeftover(join(folder, file));
    return { taken: true, lease: heldLease({ folder, prefix, number, holder }) };
  }
  return { taken: false, holder: rival };
}

/**
 * Takes the lease, waiting up to `waitMs` for a live holder, then throws `session_busy` naming it. An
 * abort ends the waiting with the signal's reason.
 */
export async function takeLease(
  folder: string,
  name: string,
  options: LeaseWait & { readonly signal?: AbortSignal | undefined } = {},
): Promise<Lease> {
  const wait = new Backoff(options.waitMs);
  for (;;) {
    const attempt = tryLease(folder, name);
    if (attempt.taken) {
      options.onTaken?.(attempt.lease);
      return attempt.lease;
    }
    const pauseMs = wait.nextMs();
    if (pauseMs === undefined) throw busy(name, attempt.holder);
    await sleep(pauseMs, undefined, { signal: options.signal });
  }
}

/** Takes the lease as `takeLease` does, blocking the thread while it waits. */
export function takeLeaseSync(folder: string, name: string, options: LeaseWait = {}): Lease {
  const wait = new Backoff(options.waitMs);
  for (;;) {
    const attempt = tryLease(folder, name);
    if (attempt.taken) return attempt.lease;
    const pauseMs = wait.nextMs();
    if (pauseMs === undefined) throw busy(name, attempt.holder);
    pause(pauseMs);
  }
}

/** The live holder of a lease, for readers; undefined where nobody writes. Changes nothing. */
export function liveHolder(folder: string, name: string): LeaseHolder | undefined {
  return look(folder, leasePrefix(name)).leases.find(isLive)?.holder;
}

/** `dead` is certain and for ever; `silent` is a guess from a heartbeat that stopped. */
type LeaseState = "live" | "silent" | "dead";

interface FoundLease {
  readonly number: number;
  readonly path: string;
  readonly holder: LeaseHolder;
  readonly state: LeaseState;
  /** Its last beat lies in the future. */
  readonly ahead: boolean;
}

interface Found {
  readonly leases: readonly FoundLease[];
  readonly highest: number;
  /** Temporary files that a crash left, or that are in use right now. */
  readonly leftovers: readonly string[];
}

const nothing: Found = { leases: [], highest: 0, leftovers: [] };
const numberShape = /^[1-9][0-9]{0,14}$/;
/** Made with the first lease that is read. */
let content: Buffer | undefined;

function leasePrefix(name: string): string {
  return `${checkSessionId(name)}.lease.`;
}

function isLive(lease: FoundLease): boolean {
  return lease.state === "live";
}

function look(folder: string, prefix: string, ownNumber = 0): Found {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return nothing;
    throw error;
  }
  const leases: FoundLease[] = [];
  const leftovers: string[] = [];
  let highest = 0;
  for (const file of names) {
    if (!file.startsWith(prefix)) continue;
    const rest = file.slice(prefix.length);
    if (rest.endsWith(".tmp")) leftovers.push(file);
    const number = numberShape.test(rest) ? Number(rest) : 0;
    if (number === 0 || number === ownNumber) continue;
    if (number > highest) highest = number;
    const lease = examine(join(folder, file), number);
    if (lease !== undefined) leases.push(lease);
  }
  return { leases, highest, leftovers };
}

function examine(path: string, number: number): FoundLease | undefined {
  let holder: LeaseHolder | undefined;
  let beatMs: number;
  try {
    const fd = openSync(path, "r");
    try {
      content ??= Buffer.allocUnsafe(4096);
      const taken = readSync(fd, content, 0, content.length, 0);
      holder = parseHolder(content.toString("utf8", 0, taken));
      beatMs = fstatSync(fd).mtimeMs;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    beatMs = stat.mtimeMs;
  }
  const life = holder === undefined ? "unknown" : holderLife(holder);
  const ageMs = Date.now() - beatMs;
  const state =
    life === "dead"
      ? "dead"
      : life === "unknown" && ageMs > limits.leaseStaleMs
        ? "silent"
        : "live";
  const ahead = ageMs < -limits.leaseStaleMs;
  return { number, path, holder: holder ?? unreadableHolder, state, ahead };
}

/** Publishes a lease under its number; false where the number was taken in the meantime. */
function publish(folder: string, file: string, holder: LeaseHolder): boolean {
  const temporary = join(folder, `${file}.${holder.nonce}.tmp`);
  writeNew(folder, temporary, JSON.stringify(holder));
  failpoint("lease.before-link");
  try {
    linkSync(temporary, join(folder, file));
    return true;
  } catch (error) {
    const code = errnoOf(error);
    // EEXIST: somebody was first. ENOENT: the temporary file was taken for a leftover.
    if (code === "EEXIST" || code === "ENOENT") return false;
    throw error;
  } finally {
    remove(temporary);
  }
}

function writeNew(folder: string, path: string, text: string): void {
  const options = { flag: "wx", mode: 0o600 } as const;
  try {
    writeFileSync(path, text, options);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    makeFolder(folder);
    writeFileSync(path, text, options);
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

/** Removes a crashed taker's temporary file; a young one may be in use. */
function removeLeftover(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) > limits.leaseStaleMs) remove(path);
}

function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // Gone, or another user's: then its holder must beat by itself.
  }
}

function heldLease(place: {
  readonly folder: string;
  readonly prefix: string;
  readonly number: number;
  readonly holder: LeaseHolder;
}): Lease {
  const path = join(place.folder, `${place.prefix}${place.number}`);
  // The highest number holds, so whoever replaces it takes the next one.
  const successor = join(place.folder, `${place.prefix}${place.number + 1}`);
  let released = false;
  return {
    holder: place.holder,
    release() {
      if (released) return;
      released = true;
      failpoint("lease.before-unlink");
      remove(path);
    },
    beat() {
      if (!released) touch(path);
    },
    isCurrent() {
      if (released) return false;
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat === undefined || Date.now() - stat.mtimeMs > limits.leaseStaleMs) return false;
      return statSync(successor, { throwIfNoEntry: false }) === undefined;
    },
  };
}

function busy(name: string, holder: LeaseHolder): RepriseError {
  return new RepriseError("session_busy", `${name} is being written by ${holderName(holder)}.`, {
    details: { pid: holder.pid, host: holder.host },
  });
}

/** Pauses that begin below 5 ms and grow to 50, each with jitter so that waiters drift apart. */
class Backoff {
  readonly #deadlineMs: number;
  #upperMs = 2;

  constructor(waitMs: number = limits.leaseWaitMs) {
    this.#deadlineMs = uptimeMs() + waitMs;
  }

  /** The next pause, or undefined once the time is used up. */
  nextMs(): number | undefined {
    const leftMs = this.#deadlineMs - uptimeMs();
    if (leftMs <= 0) return undefined;
    const jitter = randomBytes(2).readUInt16LE(0) / 0x10000;
    const pauseMs = 0.2 + jitter * this.#upperMs;
    this.#upperMs = Math.min(this.#upperMs * 1.5, 50);
    return Math.min(pauseMs, leftMs);
  }
}

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { uptimeMs } from "./clock.ts";
import { RepriseError } from "./errors.ts";
import { failpoint } from "./failpoint.ts";
import { heldLease, type Lease } from "./held-lease.ts";
import { holderName, type LeaseHolder, thisHolder, unreadableHolder } from "./holder.ts";
import { checkSessionId } from "./ids.ts";
import {
  beatLease,
  confirmLease,
  type FoundLease,
  type FoundLeases,
  findLeases,
  publishLease,
  removeFile,
  removeLeftover,
} from "./lease-files.ts";
import { limits } from "./limits.ts";
import { pause } from "./pause.ts";
import { inSlice } from "./slices.ts";
import { isOfSystem, whyRefused, writeError } from "./system-error.ts";

export type { Lease } from "./held-lease.ts";
export type { LeaseHolder } from "./holder.ts";

/*
 * A lease is a file `<name>.lease.<n>`, published whole by link(). Why two that can examine each other never hold at
 * once:
 *
 * 1. Anyone who links a lease lists the folder again afterwards, and steps back if it sees another live
 *    lease or a higher number. Of two live leases the one linked later was looked around after both
 *    were there, so at most one of the two stays; if both were seen, both step back and try again.
 * 2. So a lease is lost only if its file goes. Its holder unlinks it at release. Besides, a holder
 *    removes lower numbers whose process is certainly dead, judged after its own lease was linked.
 *    Could such a name have passed to a live lease in the meantime? That lease was linked after the
 *    remover's, finds the remover's higher number when it looks again, and steps back: it never holds.
 * 3. A lease that is only silent (its process cannot be examined from here) is passed over by linking
 *    the next number and is not removed for a day. A holder that wakes up sees the higher number, or that its own
 *    file is gone, or that it was silent for so long that somebody may have come and gone: `isKept` is false.
 *    What it wrote in the instant before it looked is not acknowledged, and the log's next holder sets it right.
 */

/** Where a lease is taken. */
export interface LeasePlace {
  /** The folder is made if missing. */
  readonly folder: string;
  readonly name: string;
  /** Whether the folder is for this name alone: then it goes with the last lease in it. */
  readonly isOwnFolder?: boolean;
  /** Asked before the lease is taken: anyone who keeps it from being taken in another way. */
  readonly holderElsewhere?: () => LeaseHolder | undefined;
}

/** What one try for a lease gave: the lease, or who has it. */
export type LeaseTry =
  | { readonly taken: true; readonly lease: Lease }
  | { readonly taken: false; readonly holder: LeaseHolder };

/** How a lease is taken. */
export interface LeaseOptions {
  /** How long this process may be silent before others take the lease from it. */
  readonly staleMs?: number | undefined;
}

/** How long to wait for a lease somebody has. */
export interface LeaseWait extends LeaseOptions {
  readonly waitMs?: number | undefined;
  /** Ends an asynchronous wait early. */
  readonly signal?: AbortSignal | undefined;
  /** Called in the moment the lease is taken; the promise reports it only a little later. */
  readonly onTaken?: ((lease: Lease) => void) | undefined;
}

/** Takes the lease if it is free or its holder is dead; never waits. */
export function tryLease(place: LeasePlace, options: LeaseOptions = {}): LeaseTry {
  const prefix = leasePrefix(place.name);
  try {
    const elsewhere = place.holderElsewhere?.();
    if (elsewhere !== undefined) return { taken: false, holder: elsewhere };
    return tryRounds(place, prefix, options);
  } catch (error) {
    if (!isOfSystem(error)) throw error;
    throw writeError(error, `The lease of ${place.name} cannot be taken: ${whyRefused(error)}.`);
  }
}

function tryRounds(place: LeasePlace, prefix: string, options: LeaseOptions): LeaseTry {
  const { folder, isOwnFolder = false } = place;
  let rival: LeaseHolder = unreadableHolder;
  // Losing to somebody who is gone again is a reason to look again, but not for ever.
  for (let round = 0; round < 8; round += 1) {
    const found = findLeases(folder, prefix);
    const live = found.leases.find(isLive);
    if (live !== undefined) {
      // A beat in the future means that the clock was set back, and waiting for it could take years.
      // From a beat of now, a live holder goes on beating and a dead one falls silent as usual.
      if (live.ahead) beatLease(live.path, Date.now());
      return { taken: false, holder: live.holder };
    }
    if (found.highest >= limits.leaseNumber) {
      // Nobody counts so far: a file that blocks the way, whatever put it there.
      removeFile(join(folder, `${prefix}${found.highest}`));
      continue;
    }
    const number = found.highest + 1;
    const path = join(folder, `${prefix}${number}`);
    const holder = thisHolder(options.staleMs);
    const beatMs = Date.now();
    if (!publishLease(folder, `${prefix}${number}`, holder)) continue;
    failpoint("lease.after-link");
    const again = lookAround(folder, prefix, number);
    const others = again.leases;
    const better = others.find(isLive);
    if (better !== undefined) {
      removeFile(path);
      return { taken: false, holder: better.holder };
    }
    const higher = others.find((lease) => lease.number > number);
    if (higher !== undefined) {
      removeFile(path);
      rival = higher.holder;
      continue;
    }
    confirmLease(path);
    for (const lease of others) if (lease.state === "dead") removeFile(lease.path);
    for (const file of again.leftovers) removeLeftover(join(folder, file));
    const at = { folder, prefix, number, isOwnFolder };
    return { taken: true, lease: heldLease(at, holder, beatMs) };
  }
  return { taken: false, holder: rival };
}

/** What lies beside a claim; where that cannot be seen, the claim goes, or this process would wait for itself. */
function lookAround(folder: string, prefix: string, number: number): FoundLeases {
  try {
    return findLeases(folder, prefix, number);
  } catch (error) {
    removeFile(join(folder, `${prefix}${number}`));
    throw error;
  }
}

/**
 * Takes the lease, waiting up to `waitMs` for a live holder, then throws `session_busy` naming it. An
 * abort ends the waiting with the signal's reason.
 */
export async function takeLease(place: LeasePlace, options: LeaseWait = {}): Promise<Lease> {
  const wait = new Backoff(options.waitMs);
  for (;;) {
    const attempt = await inSlice(() => {
      options.signal?.throwIfAborted();
      const attempt = tryLease(place, options);
      if (attempt.taken) options.onTaken?.(attempt.lease);
      return attempt;
    });
    if (attempt.taken) return attempt.lease;
    const pauseMs = wait.nextMs();
    if (pauseMs === undefined) throw busy(place.name, attempt.holder);
    await sleep(pauseMs, undefined, { signal: options.signal });
  }
}

/** Takes the lease as `takeLease` does, blocking the thread while it waits. */
export function takeLeaseSync(place: LeasePlace, options: LeaseWait = {}): Lease {
  const wait = new Backoff(options.waitMs);
  for (;;) {
    const attempt = tryLease(place, options);
    if (attempt.taken) return attempt.lease;
    const pauseMs = wait.nextMs();
    if (pauseMs === undefined) throw busy(place.name, attempt.holder);
    pause(pauseMs);
  }
}

/** The live holder of a lease, for readers; undefined where nobody writes. Changes nothing. */
export function liveHolder({ folder, name }: LeasePlace): LeaseHolder | undefined {
  return findLeases(folder, leasePrefix(name)).leases.find(isLive)?.holder;
}

/** What the files of a lease begin with. */
export function leasePrefix(name: string): string {
  return `${checkSessionId(name)}.lease.`;
}

/** The error of the one who wrote, or was about to, after somebody else took the lease. */
export function leaseLost(name: string): RepriseError {
  return new RepriseError("lease_lost", `Another process took over ${name}, or may have.`, {
    details: { name },
  });
}

function isLive(lease: FoundLease): boolean {
  return lease.state === "live";
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

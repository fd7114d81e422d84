import {
  chmodSync,
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
import { basename, join } from "node:path";
import { withReserve } from "./descriptors.ts";
import { errnoOf } from "./errors.ts";
import { failpoint } from "./failpoint.ts";
import {
  holderLife,
  type LeaseHolder,
  parseHolder,
  staleAfterMs,
  unreadableHolder,
} from "./holder.ts";
import { limits } from "./limits.ts";
import { makeFolder } from "./make-folder.ts";
import { temporaryLife, temporaryName } from "./temporary-name.ts";

/**
 * `dead` stays so: its process is gone, or nothing was heard of it for a day. `silent` is a guess from a heartbeat
 * that stopped.
 */
export type LeaseState = "live" | "silent" | "dead";

/** A lease as it lies in its folder. */
export interface FoundLease {
  readonly number: number;
  readonly path: string;
  readonly holder: LeaseHolder;
  readonly state: LeaseState;
  /** Its last beat lies in the future. */
  readonly ahead: boolean;
}

/** What a look into the folder of a lease shows. */
export interface FoundLeases {
  readonly leases: readonly FoundLease[];
  readonly highest: number;
  /** Temporary files that a crash left, or that are in use right now. */
  readonly leftovers: readonly string[];
}

const nothing: FoundLeases = { leases: [], highest: 0, leftovers: [] };
/** Made with the first lease that is read. */
let content: Buffer | undefined;

/** Every lease of one name in a folder, except one of a given number. */
export function findLeases(folder: string, prefix: string, ownNumber = 0): FoundLeases {
  const leases: FoundLease[] = [];
  const leftovers: string[] = [];
  let highest = 0;
  const names = namesIn(folder);
  if (names === undefined) return nothing;
  for (const file of names) {
    if (!file.startsWith(prefix)) continue;
    if (file.endsWith(".tmp")) leftovers.push(file);
    const number = leaseNumber(file, prefix);
    if (number === 0 || number === ownNumber) continue;
    if (number > highest) highest = number;
    const lease = examineLease(join(folder, file), number);
    if (lease !== undefined) leases.push(lease);
  }
  return { leases, highest, leftovers };
}

/** The number in the name of a lease; 0 for a file that is not one. */
export function leaseNumber(file: string, prefix: string): number {
  const rest = file.startsWith(prefix) ? file.slice(prefix.length) : "";
  const number = /^[1-9][0-9]{0,8}$/.test(rest) ? Number(rest) : 0;
  return number > limits.leaseNumber ? 0 : number;
}

/** The names in a folder; undefined if there is no folder. */
export function namesIn(folder: string): readonly string[] | undefined {
  try {
    return withReserve(() => readdirSync(folder));
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** What a lease says and what is known of its holder; undefined if it is gone. */
export function examineLease(path: string, number: number): FoundLease | undefined {
  let holder: LeaseHolder | undefined;
  let beatMs: number;
  try {
    ({ holder, beatMs } = withReserve(() => readLease(path)));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    // It says nothing about the lease that this process may open no more files.
    if (errnoOf(error) === "EMFILE" || errnoOf(error) === "ENFILE") throw error;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    beatMs = stat.mtimeMs;
  }
  const life = holder === undefined ? "unknown" : holderLife(holder);
  const staleMs = staleAfterMs(holder ?? unreadableHolder);
  const ageMs = Date.now() - beatMs;
  const ahead = ageMs < -staleMs;
  const state = stateOf(life, { ageMs, staleMs });
  return { number, path, holder: holder ?? unreadableHolder, state, ahead };
}

function readLease(path: string): {
  readonly holder: LeaseHolder | undefined;
  readonly beatMs: number;
} {
  const fd = openSync(path, "r");
  try {
    content ??= Buffer.allocUnsafe(4096);
    const taken = readSync(fd, content, 0, content.length, 0);
    const holder = parseHolder(content.toString("utf8", 0, taken));
    return { holder, beatMs: fstatSync(fd).mtimeMs };
  } finally {
    closeSync(fd);
  }
}

function stateOf(
  life: ReturnType<typeof holderLife>,
  { ageMs, staleMs }: { readonly ageMs: number; readonly staleMs: number },
): LeaseState {
  if (life !== "unknown") return life === "dead" ? "dead" : "live";
  if (ageMs > Math.max(staleMs, limits.leaseForgottenMs)) return "dead";
  return ageMs > staleMs ? "silent" : "live";
}

/*
 * A lease is published as a claim, which only its owner's mode says from one that is held: anyone who publishes it looks
 * around once more, and either steps back or confirms it. So a holder need not fear a higher number of somebody who is
 * about to step back; and anyone who confirms looks at the log after that, and sees what the holder wrote before.
 */
const claimMode = 0o400;
const heldMode = 0o600;

/** Makes a claim a lease that is held. */
export function confirmLease(path: string): void {
  chmodSync(path, heldMode);
}

/** Whether a lease is held, and not only claimed. */
export function isConfirmed(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & heldMode & ~claimMode) !== 0;
}

/** Publishes a claim under its number; false if the number was taken in the meantime. */
export function publishLease(folder: string, file: string, holder: LeaseHolder): boolean {
  const temporary = temporaryName(join(folder, file));
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
    removeFile(temporary);
  }
}

function writeNew(folder: string, path: string, text: string): void {
  const options = { flag: "wx", mode: claimMode } as const;
  // Anyone who gives the last lease of a folder back removes the folder, perhaps in the middle of this.
  for (let tries = 64; ; tries -= 1) {
    try {
      withReserve(() => writeFileSync(path, text, options));
      return;
    } catch (error) {
      if (errnoOf(error) !== "ENOENT" || tries === 0) throw error;
    }
    try {
      makeFolder(folder);
    } catch (error) {
      const isGoing = errnoOf(error) === "ENOENT" || errnoOf(error) === "EEXIST";
      if (!isGoing || tries === 0) throw error;
    }
  }
}

/** Removes a file that may be gone already. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

/** Removes a crashed taker's temporary file; a young one may be in use if its name does not say whose it is. */
export function removeLeftover(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  const isDead = temporaryLife(basename(path)) === "dead";
  if (isDead || Math.abs(Date.now() - stat.mtimeMs) > limits.leaseStaleMs) removeFile(path);
}

/** Makes a lease's last beat now; false if that is not possible. */
export function beatLease(path: string, nowMs: number): boolean {
  try {
    utimesSync(path, nowMs / 1000, nowMs / 1000);
    return true;
  } catch {
    // Gone, or another user's: then its holder must beat by itself.
    return false;
  }
}

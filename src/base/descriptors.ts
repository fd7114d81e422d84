import { closeSync, openSync, readFileSync } from "node:fs";
import { devNull } from "node:os";
import { errnoOf, RepriseError } from "./errors.ts";
import { limits } from "./limits.ts";

/** A descriptor that its owner can do without for a while, and opens again when it is needed. */
export interface IdleDescriptor {
  /** When it was last used, as `nextUse` counts. */
  readonly usedAt: number;
  /** Whether nobody uses it right now. */
  readonly isIdle: boolean;
  /** Whether nothing was written through it that is not synced: else closing it could hide that a write failed. */
  readonly isSynced: boolean;
  /** Closes it now; blocks for a sync where one is needed. */
  closeIdle(): void;
  /** Closes it when it is synced, unless it is used again before. */
  closeSoon(): void;
}

/*
 * The descriptors of open sessions, in all of this process: the least recently used are closed. Above three quarters of
 * the limit they are synced in the background and closed; only at the limit itself is a sync waited for.
 */
const held = new Set<IdleDescriptor>();
let most: number | undefined;
let uses = 0;
let reserve: number | undefined;

/** A number that is higher at each call: what was used later has a higher one. */
export function nextUse(): number {
  uses += 1;
  return uses;
}

/** Sets how many session files this process keeps open at most. */
export function limitDescriptors(wanted: number): void {
  if (!Number.isSafeInteger(wanted) || wanted < 1) {
    throw new RepriseError("bad_input", "maxOpenFiles is a whole number from 1 on.");
  }
  most = wanted;
  while (held.size > wanted && closeOldest(held.size - wanted));
}

/** Opens a file whose owner can do without it for a while; others are closed if there are too many. */
export function openHeld(open: () => number, owner: IdleDescriptor): number {
  // Nobody asks before there are some: reading the limit takes longer than opening a file.
  if (most === undefined && held.size >= limits.heldFilesLeast / 2) most = ownLimit();
  if (most !== undefined) makeRoom(most);
  reserve ??= openReserve();
  const fd = open();
  held.add(owner);
  return fd;
}

/** Says that a held file was closed. */
export function closedHeld(owner: IdleDescriptor): void {
  held.delete(owner);
}

/** Does what opens files; where the system has no descriptor left, idle ones are closed and it is done again. */
export function withRoom<T>(work: () => T): T {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isFull(error) || !closeOldest(Math.ceil(held.size / 4))) throw error;
    }
  }
}

function makeRoom(limit: number): void {
  if (held.size >= limit) closeOldest(held.size + 1 - limit);
  else if (held.size >= limit - Math.floor(limit / 4)) closeSoon(Math.ceil(limit / 16));
}

/**
 * The same for work that closes what it opens: where nobody else has a descriptor to spare, it gets the one that is kept
 * for it. So a writer can look at its lease after a write, whatever the rest of the process has open.
 */
export function withReserve<T>(work: () => T): T {
  try {
    return withRoom(work);
  } catch (error) {
    if (reserve === undefined || !isFull(error)) throw error;
    closeSync(reserve);
    try {
      return work();
    } finally {
      reserve = openReserve();
    }
  }
}

function openReserve(): number | undefined {
  try {
    return openSync(devNull, "r");
  } catch {
    return undefined;
  }
}

function isFull(error: unknown): boolean {
  return errnoOf(error) === "EMFILE" || errnoOf(error) === "ENFILE";
}

/** Closes the least recently used ones; false if none is idle. */
function closeOldest(count: number): boolean {
  const oldest = idleByAge().slice(0, count);
  for (const one of oldest) one.closeIdle();
  return oldest.length > 0;
}

function closeSoon(count: number): void {
  for (const one of idleByAge().slice(0, count)) {
    if (one.isSynced) one.closeIdle();
    else one.closeSoon();
  }
}

function idleByAge(): readonly IdleDescriptor[] {
  return [...held].filter(({ isIdle }) => isIdle).sort((a, b) => a.usedAt - b.usedAt);
}

/** A quarter of what the system allows this process: the rest is for its sockets and everything else. */
function ownLimit(): number {
  const { heldFilesLeast, heldFilesMost } = limits;
  return Math.min(Math.max(Math.floor(systemLimit() / 4), heldFilesLeast), heldFilesMost);
}

/** How many files the system lets this process open. Node asks for all it can get when it starts. */
function systemLimit(): number {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1"));
    return found === null ? Number.POSITIVE_INFINITY : Number(found[1]);
  } catch {
    return limits.unknownFileLimit;
  }
}

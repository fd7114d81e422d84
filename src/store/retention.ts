import { timeOf } from "../base/clock.ts";
import type { SessionHead } from "../model/head.ts";

/** Which sessions to let go. Without a field that rule does not exist. */
export interface Retention {
  /** Days without activity. */
  readonly ttlDays?: number | undefined;
  /** Count the days from creation instead of the last activity. */
  readonly fixedTtl?: boolean | undefined;
  readonly maxSessions?: number | undefined;
  /** All sessions together. */
  readonly maxBytes?: number | undefined;
  /** Keep no compressed copy of what is removed. Default: keep one. */
  readonly withoutArchive?: boolean | undefined;
}

/** Policies by name. */
export const retentionPresets = {
  cli: { ttlDays: 7, maxSessions: 100 },
  archive: { ttlDays: 365 },
  everything: {},
} as const satisfies Readonly<Record<string, Retention>>;

/** A session to let go, and the rule that says so. */
export interface Expired {
  readonly head: SessionHead;
  readonly rule: "ttl" | "maxSessions" | "maxBytes";
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Decides what a policy removes: first what is too old, then the least recently used beyond the number,
 * then the least recently used beyond the size. Pinned sessions stay and are not counted.
 */
export function planRetention(
  heads: readonly SessionHead[],
  policy: Retention,
  nowMs: number,
): readonly Expired[] {
  const expired: Expired[] = [];
  let kept = heads
    .filter((head) => head.pinned !== true && head.problem === undefined)
    .sort(newestFirst);
  const drop = (
    rule: Expired["rule"],
    goes: (head: SessionHead, index: number) => boolean,
  ): void => {
    kept = kept.filter((head, index) => {
      if (!goes(head, index)) return true;
      expired.push({ head, rule });
      return false;
    });
  };
  const { ttlDays, fixedTtl, maxSessions, maxBytes } = policy;
  if (ttlDays !== undefined) {
    drop("ttl", (head) => nowMs - activeMs(head, fixedTtl) > ttlDays * dayMs);
  }
  if (maxSessions !== undefined) drop("maxSessions", (_, index) => index >= maxSessions);
  if (maxBytes !== undefined) {
    let total = 0;
    drop("maxBytes", (head) => {
      total += head.sizeBytes;
      return total > maxBytes;
    });
  }
  return expired;
}

function activeMs(head: SessionHead, fixedTtl: boolean | undefined): number {
  return timeOf(fixedTtl ? (head.createdAt ?? head.updatedAt) : head.updatedAt) ?? 0;
}

function newestFirst(a: SessionHead, b: SessionHead): number {
  return (timeOf(b.updatedAt) ?? 0) - (timeOf(a.updatedAt) ?? 0);
}

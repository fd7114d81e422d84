import { isRepriseError } from "../base/errors.ts";
import { sweepLeases } from "../base/store-leases.ts";
import { record } from "../log/journal.ts";
import type { EventId } from "../model/event.ts";
import type { Home } from "./home.ts";
import { listHeads } from "./list.ts";
import { type Leaving, type Removal, removeSession } from "./remove.ts";
import { type Expired, planRetention, type Retention } from "./retention.ts";

/** What a policy removed, and what it had to leave. */
export interface Pruned {
  readonly removed: readonly Removal[];
  /** Somebody writes to these. */
  readonly busy: readonly string[];
  readonly failed: readonly Unremoved[];
  /** The journal entry that undoes it; absent where nothing went. */
  readonly entry?: EventId;
}

/** A session that could not be removed. */
export interface Unremoved {
  readonly session: string;
  readonly why: string;
}

/** What a policy would remove now. */
export function planPrune(home: Home, policy: Retention, nowMs = Date.now()): readonly Expired[] {
  return planRetention(listHeads(home, { cache: true }), policy, nowMs);
}

/**
 * Removes what a policy lets go; a session in use is left for another time, and one that cannot be removed
 * holds up no other. The journal has each before it goes, so a prune that is killed can be undone too.
 */
export function prune(home: Home, policy: Retention, nowMs = Date.now()): Pruned {
  const removed: Removal[] = [];
  const busy: string[] = [];
  const failed: Unremoved[] = [];
  let entry: EventId | undefined;
  const beforeLeaving = (leaving: Leaving): void => {
    const continues = entry === undefined ? {} : { continues: entry };
    const written = record(home.journal, "prune", { ...continues, removed: [leaving] });
    entry ??= written;
  };
  const options = { archive: policy.withoutArchive !== true, waitMs: 0, beforeLeaving };
  for (const { head } of planPrune(home, policy, nowMs)) {
    try {
      removed.push(removeSession(home, head.path, options));
    } catch (error) {
      const isLeft = isRepriseError(error, "session_busy") || isRepriseError(error, "not_found");
      if (isLeft) busy.push(head.session);
      else failed.push({ session: head.session, why: reasonOf(error) });
    }
  }
  sweepLeases(home.leases);
  return { removed, busy, failed, ...(entry !== undefined && { entry }) };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

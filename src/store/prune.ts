import { isRepriseError } from "../base/errors.ts";
import { record } from "../log/journal.ts";
import type { Home } from "./home.ts";
import { listHeads } from "./list.ts";
import { type Removal, removeSession } from "./remove.ts";
import { type Expired, planRetention, type Retention } from "./retention.ts";

/** What a policy removed, and what it had to leave because somebody writes to it. */
export interface Pruned {
  readonly removed: readonly Removal[];
  readonly busy: readonly string[];
}

/** What a policy would remove now. */
export function planPrune(home: Home, policy: Retention, nowMs = Date.now()): readonly Expired[] {
  return planRetention(listHeads(home, { cache: true }), policy, nowMs);
}

/** Removes what a policy lets go; a session in use is left for another time. */
export function prune(home: Home, policy: Retention, nowMs = Date.now()): Pruned {
  const removed: Removal[] = [];
  const busy: string[] = [];
  for (const { head } of planPrune(home, policy, nowMs)) {
    try {
      removed.push(
        removeSession(home, head.path, { archive: policy.withoutArchive !== true, waitMs: 0 }),
      );
    } catch (error) {
      if (!isRepriseError(error, "session_busy") && !isRepriseError(error, "not_found"))
        throw error;
      busy.push(head.session);
    }
  }
  if (removed.length > 0) record(home.journal, "prune", { removed });
  return { removed, busy };
}

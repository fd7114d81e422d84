import { type VerifyOptions, verifyLog } from "../log/verify.ts";
import type { Damage } from "../model/damage.ts";
import type { LineageSegment } from "./lineage.ts";

/**
 * Checks every file of a lineage from its root on: the chain of sums within each and from each to the next, and by
 * `open` everything a reader would report. What lies in a base names it.
 */
export function verifyLineage(
  segments: readonly LineageSegment[],
  options: {
    readonly open: NonNullable<VerifyOptions["open"]>;
    readonly isTorn: (tail: { readonly offset: number; readonly length: number }) => boolean;
  },
): { readonly events: number; readonly problems: readonly Damage[] } {
  const problems: Damage[] = [];
  let events = 0;
  for (const segment of segments.toReversed()) {
    const { fd, firstId, firstSum, endOffset, lastSum, session } = segment;
    const { open } = options;
    const found = verifyLog(fd, { firstId, firstSum, end: endOffset, open });
    events += found.events;
    const ofSegment = [...found.problems];
    const { unfinishedBytes: length } = found;
    const offset = found.bytes - length;
    if (lastSum !== undefined) {
      const detail = `event ${found.lastId}`;
      const isOther = found.lastSum !== undefined && found.lastSum !== lastSum;
      if (isOther) ofSegment.push({ kind: "bad_sum", offset, recovered: 1, detail });
    } else if (length > 0 && options.isTorn({ offset, length })) {
      ofSegment.push({ kind: "torn_tail", offset, length, recovered: 0 });
    }
    for (const damage of ofSegment) {
      problems.push(lastSum === undefined ? damage : inBase(session, damage));
    }
  }
  return { events, problems };
}

function inBase(session: string, damage: Damage): Damage {
  const detail = [`in its base ${session}`, damage.detail].filter((part) => part !== undefined);
  return { ...damage, detail: detail.join(": ") };
}

import { liveHolder } from "../base/lease.ts";
import { hasStrip } from "./strip.ts";
import { isMendingUnfinished } from "./unfinished-mending.ts";
import { LogWriter } from "./writer.ts";
import type { LogPlaces, WriterOptions } from "./writer-options.ts";

/**
 * Finishes what a writer that was cut off left to be done: a mending, or a strip. Whoever calls this only reads, so it
 * waits for nobody and keeps nobody waiting.
 */
export function finishLeft(places: LogPlaces, session: string, options: WriterOptions): void {
  const isLeft =
    isMendingUnfinished(places.quarantine, session) || hasStrip(places.strips, session);
  if (!isLeft || liveHolder(places.leases, session) !== undefined) return;
  const writer = LogWriter.open(places, { ...options, waitMs: 0, leasePerAppend: true });
  try {
    writer.flushSync();
  } finally {
    void writer.close();
  }
}

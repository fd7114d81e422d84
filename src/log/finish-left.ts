import { storeHolder } from "../base/store-leases.ts";
import { hasOldStrip } from "./old-strip.ts";
import { isMendingUnfinished } from "./unfinished-mending.ts";
import { LogWriter } from "./writer.ts";
import type { LogPlaces, WriterOptions } from "./writer-options.ts";

/**
 * Finishes what a writer that was cut off left to be done: a mending, or a strip of an older version. Whoever calls this only reads, so it
 * waits for nobody and keeps nobody waiting.
 */
export function finishLeft(places: LogPlaces, session: string, options: WriterOptions): void {
  const isLeft =
    isMendingUnfinished(places.quarantine, session) || hasOldStrip(places.strips, session);
  if (!isLeft || storeHolder(places.leases, session) !== undefined) return;
  const writer = LogWriter.open(places, { ...options, waitMs: 0, leasePerAppend: true });
  try {
    writer.flushSync();
  } finally {
    void writer.close();
  }
}

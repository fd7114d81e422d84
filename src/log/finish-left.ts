import { storeHolder } from "../base/store-leases.ts";
import { hasOldStrip } from "./old-strip.ts";
import { isMendingUnfinished } from "./unfinished-mending.ts";
import { LogWriter } from "./writer.ts";
import type { LogPlaces, WriterOptions } from "./writer-options.ts";

/**
 * Finishes what a writer that was cut off left to be done: a mending, or a strip of an older version. Anyone who calls this only reads, so it
 * waits for nobody and keeps nobody waiting, and what keeps it from that is reported to who appends next.
 */
export function finishLeft(places: LogPlaces, session: string, options: WriterOptions): void {
  try {
    if (!isLeft(places, session) || storeHolder(places.leases, session) !== undefined) return;
    const writer = LogWriter.open(places, { ...options, waitMs: 0, leasePerAppend: true });
    try {
      writer.flushSync();
    } finally {
      void writer.close();
    }
  } catch {}
}

function isLeft({ quarantine, strips }: LogPlaces, session: string): boolean {
  return isMendingUnfinished(quarantine, session) || hasOldStrip(strips, session);
}

import { closeSync } from "node:fs";
import { exists } from "../base/disk.ts";
import { isObject, type JsonObject } from "../base/json.ts";
import { openForReading } from "../base/open-file.ts";
import type { EventId } from "../model/event.ts";
import { soundEvent } from "../model/event-shape.ts";
import { readLog } from "./read.ts";

/** One fact of the journal: something about sessions that nothing else could tell again (P11). */
export interface JournalEntry {
  readonly id: EventId;
  readonly at: string;
  readonly kind: string;
  readonly data: JsonObject;
}

/** Every fact in the order it was written. */
export function* journalEntries(path: string): Generator<JournalEntry> {
  if (!exists(path)) return;
  const fd = openForReading(path);
  try {
    for (const item of readLog(fd)) {
      const event = item.kind === "event" ? soundEvent(item.event, () => undefined) : undefined;
      if (event?.type !== "custom") continue;
      const { id, at, name, data } = event;
      yield { id, at, kind: name, data: isObject(data) ? data : {} };
    }
  } finally {
    closeSync(fd);
  }
}

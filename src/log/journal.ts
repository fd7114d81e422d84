import { closeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Disk, exists, disk as realDisk } from "../base/disk.ts";
import { errnoOf, isRepriseError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { openForReading } from "../base/open-file.ts";
import { linesBackward } from "../jsonl/read-backward.ts";
import type { EventId } from "../model/event.ts";
import { formatVersion } from "./header.ts";
import { idOf } from "./line.ts";
import { LogWriter } from "./writer.ts";
import type { WriterOptions } from "./writer-options.ts";

const firstId = 1;

/** Writes a fact down, durably unless told otherwise; returns its number. */
export function record(
  path: string,
  kind: string,
  data: JsonObject,
  options: {
    readonly disk?: Disk;
    readonly after?: EventId;
    /** How long to wait for another writer. */
    readonly waitMs?: number | undefined;
    /** False where it speaks of what is not synced either: it survives a kill, not a power cut. */
    readonly sync?: boolean | undefined;
  } = {},
): EventId {
  const { disk = realDisk, after, waitMs } = options;
  const sync = options.sync === false ? "none" : "each";
  const writer = openJournal(path, { disk, sync, leasePerAppend: true, waitMs });
  try {
    const [event] = writer.appendSync([{ body: { type: "custom", name: kind, data } }], { after });
    return event!.id;
  } finally {
    void writer.close();
  }
}

/**
 * Writes a fact down that is made of what the journal says. Where somebody wrote between the two, it is made anew:
 * nothing that was said meanwhile is lost.
 */
export function recordAnew(path: string, kind: string, make: () => JsonObject): EventId {
  for (let left = limits.journalTries; ; left -= 1) {
    const after = lastId(path);
    try {
      return record(path, kind, make(), { after });
    } catch (error) {
      if (left <= 1 || !isRepriseError(error, "conflict")) throw error;
    }
  }
}

/** The number of the last line; that of the first where nothing was written down yet. */
function lastId(path: string): EventId {
  if (!exists(path)) return firstId;
  const fd = openForReading(path);
  try {
    for (const line of linesBackward(fd)) {
      const id = line.complete ? idOf(line.bytes) : undefined;
      if (id !== undefined) return id;
    }
    return firstId;
  } finally {
    closeSync(fd);
  }
}

function openJournal(path: string, options: WriterOptions): LogWriter {
  const folder = dirname(path);
  const places = {
    file: path,
    leases: join(folder, "writers"),
    quarantine: join(folder, "quarantine"),
    strips: join(folder, "strips"),
  };
  if (exists(path)) return LogWriter.open(places, options);
  const session = basename(path, ".jsonl");
  try {
    return LogWriter.create(
      places,
      { type: "session_start", format: formatVersion, session },
      options,
    );
  } catch (error) {
    // Somebody else began it in the same moment.
    if (isRepriseError(error, "session_exists") || errnoOf(error) === "EEXIST")
      return LogWriter.open(places, options);
    throw error;
  }
}

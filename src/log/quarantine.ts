import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atomicWrite } from "../base/atomic-write.ts";
import { type Disk, exists } from "../base/disk.ts";
import { parseObject } from "../base/json.ts";
import { newline } from "../jsonl/line.ts";

/**
 * Bytes taken out of a log while it is mended. The file `<session>.pending` is the redo record: as long
 * as it is there, mending is not finished, and whoever takes the lease next finishes it first.
 */
export interface Quarantined {
  readonly session: string;
  /** The offset the bytes had in the log; the log is cut there. */
  readonly from: number;
  /** The name they keep when mending is done. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** Puts bytes aside durably, before the log is cut. */
export function quarantine(
  folder: string,
  taken: { readonly session: string; readonly from: number; readonly bytes: Buffer },
  disk: Disk,
): Quarantined {
  const digest = createHash("sha256").update(taken.bytes).digest("hex").slice(0, 8);
  const name = `${taken.session}.${taken.from}.${digest}.bin`;
  const heading = `${JSON.stringify({ session: taken.session, from: taken.from, name })}\n`;
  disk.makeDirectory(folder);
  atomicWrite(
    pendingPath(folder, taken.session),
    Buffer.concat([Buffer.from(heading), taken.bytes]),
    { disk },
  );
  return { ...taken, name };
}

/** Whether a session was left while it was being mended. */
export function isMendingUnfinished(folder: string, session: string): boolean {
  return exists(pendingPath(folder, session));
}

/** The unfinished mending of a session, if there is one. */
export function pendingQuarantine(folder: string, session: string): Quarantined | undefined {
  const path = pendingPath(folder, session);
  if (!exists(path)) return undefined;
  const content = readFileSync(path);
  const end = content.indexOf(newline);
  const heading = parseObject(content.toString("utf8", 0, Math.max(end, 0)));
  const from = heading?.["from"];
  const name = heading?.["name"];
  if (typeof from !== "number" || typeof name !== "string") return undefined;
  return { session, from, name, bytes: content.subarray(end + 1) };
}

/** Marks mending as finished: the bytes keep their final name. */
export function finishQuarantine(folder: string, done: Quarantined, disk: Disk): void {
  disk.rename(pendingPath(folder, done.session), join(folder, done.name));
  disk.syncDirectory(folder);
}

function pendingPath(folder: string, session: string): string {
  return join(folder, `${session}.pending`);
}

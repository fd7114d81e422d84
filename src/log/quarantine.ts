import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { atomicWrite } from "../base/atomic-write.ts";
import type { Disk } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { parseObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { readFully } from "../base/read-fully.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import { pendingPath } from "./unfinished-mending.ts";

/**
 * Bytes taken out of a log while it is mended. The file `<session>.pending` is the redo record: as long
 * as it is there, mending is not finished, and anyone who takes the lease next finishes it first. Its first
 * line says where the bytes came from, the rest are the bytes; they may be many, so nobody holds them.
 */
export interface Quarantined {
  readonly session: string;
  /** The offset the bytes had in the log. */
  readonly from: number;
  /** The sum of the line they followed: only a log that has it there is the one they came from. */
  readonly after: string;
  /** The name they keep when mending is done. */
  readonly name: string;
  /** How many bytes they are, and where they begin in the record. */
  readonly bytes: number;
  readonly offset: number;
  readonly path: string;
}

/** Puts a span of an open log aside durably, before it is made blank; `onPiece` is called now and then on the way. */
export function quarantine(
  folder: string,
  taken: {
    readonly session: string;
    readonly fd: number;
    readonly from: number;
    readonly to: number;
    readonly after: string;
  },
  disk: Disk,
  onPiece: () => void,
): Quarantined {
  const { session, from, after } = taken;
  const digest = createHash("sha256");
  for (const piece of pieces(taken, onPiece)) digest.update(piece);
  const name = `${session}.${from}.${digest.digest("hex").slice(0, 8)}.bin`;
  const heading = Buffer.from(`${JSON.stringify({ session, from, after, name })}\n`);
  const path = pendingPath(folder, session);
  makeDurableDirectory(folder, disk);
  atomicWrite(path, withHeading(heading, pieces(taken, onPiece)), { disk });
  return { session, from, after, name, bytes: taken.to - from, offset: heading.length, path };
}

/** The unfinished mending of a session that was left at it. */
export function pendingQuarantine(folder: string, session: string): Quarantined {
  const path = pendingPath(folder, session);
  const fd = openSync(path, "r");
  try {
    const { value: first } = linesForward(fd, { maxLineBytes: limits.headBytes }).next();
    const offset = first?.length ?? 0;
    const heading = parseObject(first?.bytes.toString("utf8") ?? "");
    const { from, after, name } = heading ?? {};
    const bytes = fstatSync(fd).size - offset;
    const isSound = Number.isSafeInteger(from) && typeof after === "string";
    if (isSound && name === `${session}.${from}.${String(name).slice(-12)}`) {
      return { session, from: from as number, after, name, bytes, offset, path };
    }
    // A record that cannot be read is kept, but nothing is done by it.
    return { session, from: -1, after: "", name: `${session}.unreadable.bin`, bytes, offset, path };
  } finally {
    closeSync(fd);
  }
}

/** Marks mending as finished: the bytes keep their final name. */
export function finishQuarantine(folder: string, done: Quarantined, disk: Disk): void {
  disk.rename(done.path, join(folder, done.name));
  disk.syncDirectory(folder);
}

/** The bytes that were put aside, in pieces; `onPiece` is called with each. */
export function* bytesAside(taken: Quarantined, onPiece: () => void): Generator<Buffer> {
  const fd = openSync(taken.path, "r");
  try {
    yield* pieces({ fd, from: taken.offset, to: taken.offset + taken.bytes }, onPiece);
  } finally {
    closeSync(fd);
  }
}

function* pieces(
  span: { readonly fd: number; readonly from: number; readonly to: number },
  onPiece: () => void,
): Generator<Buffer> {
  for (let at = span.from; at < span.to; at += limits.chunkBytes) {
    onPiece();
    const length = Math.min(limits.chunkBytes, span.to - at);
    yield readFully(span.fd, { from: at, length });
  }
}

function* withHeading(heading: Buffer, rest: Iterable<Buffer>): Generator<Buffer> {
  yield heading;
  yield* rest;
}

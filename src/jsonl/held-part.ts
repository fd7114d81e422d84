import { fstatSync } from "node:fs";
import { limits } from "../base/limits.ts";
import { readFully } from "./line.ts";

/** A part of a file in memory, for readers that go over it more than once. Whoever holds one lets it go. */
export interface HeldPart {
  /** Where in the file it begins. */
  readonly from: number;
  readonly bytes: Buffer;
  /** Gives its memory to the next one: nobody may look at `bytes` any more. */
  release(): void;
}

/** What was let go: most sessions fit into what the one before took. */
let spare: Buffer | undefined;

/** Reads the rest of an open file from an offset on; undefined where that is too much to hold (P5). */
export function holdPart(fd: number, from = 0): HeldPart | undefined {
  const wanted = Math.max(0, fstatSync(fd).size - from);
  if (wanted > limits.heldBytes) return undefined;
  const room = takeRoom(wanted);
  const bytes = room.subarray(0, readFully(fd, room.subarray(0, wanted), from));
  let isHeld = true;
  const release = (): void => {
    if (isHeld) spare = room;
    isHeld = false;
  };
  return { from, bytes, release };
}

function takeRoom(wanted: number): Buffer {
  const room = spare;
  if (room === undefined || room.length < wanted) {
    return Buffer.allocUnsafeSlow(Math.max(wanted, limits.scanBytes));
  }
  spare = undefined;
  return room;
}

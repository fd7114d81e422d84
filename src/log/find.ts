import { isBlank } from "../jsonl/line.ts";
import { linesBackward } from "../jsonl/read-backward.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import type { EventId } from "../model/event.ts";
import { quietTypes } from "../model/event-groups.ts";
import { decodeLine, idOf, prefixOf } from "./line.ts";

/** Where a line lies. */
export interface LinePlace {
  readonly offset: number;
  /** The offset after its newline. */
  readonly endOffset: number;
}

/** A span this short is read through instead of halved again. */
const scanBytes = 32 * 1024;

/** Finds an event by halving the file: ids grow with the offset, so any size takes a few small reads. */
export function findEvent(fd: number, id: EventId, end: number): LinePlace | undefined {
  const low = offsetBefore(fd, id, end);
  // Lines may be longer than the span: go on until an id is reached, whatever the offset.
  for (const line of linesForward(fd, { from: low, end })) {
    const found = idOf(line.bytes);
    if (found === undefined) continue;
    if (found === id && line.complete)
      return { offset: line.offset, endOffset: line.offset + line.length };
    if (found > id) return undefined;
  }
  return undefined;
}

/** The beginning of a line not far before where an event is, or would be. */
export function offsetBefore(fd: number, id: EventId, end: number): number {
  let low = 0;
  let high = end;
  while (high - low > scanBytes) {
    const middle = low + Math.floor((high - low) / 2);
    const probe = firstIdFrom(fd, middle, high);
    if (probe === undefined || probe.id > id) high = middle;
    else low = probe.offset;
  }
  return low;
}

/** The first whole line that begins after the offset and has an id. */
function firstIdFrom(
  fd: number,
  from: number,
  end: number,
): { readonly id: EventId; readonly offset: number } | undefined {
  let partial = true;
  for (const line of linesForward(fd, { from, end })) {
    // Whatever stands at the offset is the rest of a line that began before it.
    const id = partial ? undefined : idOf(line.bytes);
    partial = false;
    if (id !== undefined) return { id, offset: line.offset };
  }
  return undefined;
}

/** Whether nothing but quiet events came after one; what came since somebody looked is short, and read from the end. */
export function onlyQuietSince(fd: number, after: EventId, end: number): boolean {
  for (const line of linesBackward(fd, { end })) {
    const id = idOf(line.bytes);
    if (id !== undefined && id <= after) return true;
    // Mending leaves blank lines, and gives whole lines a new number.
    if (id === undefined && isBlank(line.bytes)) continue;
    if (quietTypes.has(prefixOf(line.bytes)?.type ?? "")) continue;
    if ((decodeLine(line.bytes)?.recoveredFrom ?? Number.POSITIVE_INFINITY) > after) return false;
  }
  return false;
}

import { asNumber, asString, isObject, parseObject } from "../../../base/json.ts";
import { proofBefore } from "../../../jsonl/proof.ts";
import type { Tip } from "./entry-index.ts";

/** Where reading stopped, and what going on needs. */
export interface Place {
  /** After the last whole line that was read. */
  readonly offset: number;
  readonly line: number;
  /** Values pi had parsed by then, and the key of the last: what a linear file goes on from. */
  readonly count: number;
  readonly previous?: string | undefined;
  /** The last entry before the place: most new entries follow it. */
  readonly last?: Tip & { readonly lastEvent: number };
  /** The leaf when it was read: while the path runs through it, what was live still is. */
  readonly tip?: Tip | undefined;
  /** Whether edits changed what was handed out: where the path leaves them, it is another again. */
  readonly edited?: boolean;
  /** The size of the file, where an unfinished last line was already handed out. */
  readonly aheadOf?: number | undefined;
}

/** The place as an opaque string; it proves itself by the bytes before it. */
export function encodeCursor(fd: number, place: Place): string {
  return JSON.stringify({ pi: 2, ...place, proof: proofBefore(fd, place.offset) });
}

/** The place a cursor names, or undefined if the file is no longer the one it was made from. */
export function decodeCursor(fd: number, cursor: string): Place | undefined {
  const value = parseObject(cursor);
  const offset = asNumber(value?.["offset"]);
  const line = asNumber(value?.["line"]);
  if (value === undefined || value["pi"] !== 2 || offset === undefined || line === undefined) {
    return undefined;
  }
  if (proofBefore(fd, offset) !== value["proof"]) return undefined;
  const { last } = value;
  const lastTip = tipOf(last);
  const lastEvent = isObject(last) ? (asNumber(last["lastEvent"]) ?? 0) : 0;
  return {
    offset,
    line,
    count: asNumber(value["count"]) ?? 0,
    previous: asString(value["previous"]),
    ...(lastTip !== undefined && { last: { ...lastTip, lastEvent } }),
    tip: tipOf(value["tip"]),
    ...(value["edited"] === true && { edited: true }),
    aheadOf: asNumber(value["aheadOf"]),
  };
}

function tipOf(value: unknown): Tip | undefined {
  if (!isObject(value)) return undefined;
  const key = asNumber(value["key"]);
  const line = asNumber(value["line"]);
  const offset = asNumber(value["offset"]);
  if (key === undefined || line === undefined || offset === undefined) return undefined;
  return { key, line, offset };
}

import { createHash } from "node:crypto";
import { asArray, asNumber, asString, parseObject } from "../../../base/json.ts";
import type { AgentEvent, Cursor } from "../../contract.ts";
import type { Stamp } from "./source.ts";

/**
 * Where a read stands: inside message `index`, whose events so far are known by their hashes, since
 * the program goes on filling the newest message. What lies before is known by its stamp.
 */
export interface Position {
  readonly index: number;
  readonly before: Stamp;
  /** Hashes of the events of message `index` that were reported. */
  readonly told: readonly string[];
  /** One word for what the program would replay. */
  readonly liveKey: string;
  /** Hash of the session's own events. */
  readonly ownHash: string;
  /** The number of the last event told, live or not, and of the last live one. */
  readonly last?: string;
  readonly lastLive?: string;
}

/** The position as a cursor. */
export function encodeCursor(position: Position): Cursor {
  return JSON.stringify({ v: 2, ...position });
}

/** The position of a cursor, or undefined if it is not one of ours. */
export function decodeCursor(cursor: Cursor): Position | undefined {
  const value = parseObject(cursor);
  if (value?.["v"] !== 2) return undefined;
  const before = value["before"] as Partial<Stamp> | undefined;
  const index = asNumber(value["index"]);
  const parts = asNumber(before?.parts);
  const times = asNumber(before?.times);
  if (index === undefined || parts === undefined || times === undefined) return undefined;
  const last = asString(value["last"]);
  const lastLive = asString(value["lastLive"]);
  return {
    index,
    before: { parts, times },
    told: asArray(value["told"]).filter((hash) => typeof hash === "string"),
    liveKey: asString(value["liveKey"]) ?? "",
    ownHash: asString(value["ownHash"]) ?? "",
    ...(last === undefined ? {} : { last }),
    ...(lastLive === undefined ? {} : { lastLive }),
  };
}

/** A short hash of what an event says. */
export function eventHash(event: AgentEvent): string {
  const text = JSON.stringify([event.number, event.live, event.body]);
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** One hash for several events. */
export function eventsHash(events: readonly AgentEvent[]): string {
  return createHash("sha256").update(events.map(eventHash).join("")).digest("hex").slice(0, 12);
}

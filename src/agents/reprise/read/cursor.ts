import { asArray, asNumber, parseObject } from "../../../base/json.ts";
import type { SessionEvent } from "../../../model/event.ts";
import { conversationTypes } from "../../../model/event-groups.ts";
import type { SessionLog } from "../../../store/session-log.ts";
import type { Cursor } from "../../contract.ts";

/** How far a session was read. Texts that are unfinished at its end are kept in mind: they may be others next time. */
export class ReadingPlace {
  #last: number;
  #open: string[] = [];

  constructor(last = 0) {
    this.#last = last;
  }

  /** Notes that an event was read; they come in the order of the log. */
  passed(event: SessionEvent): void {
    this.#last = Math.max(this.#last, event.id);
    if (!conversationTypes.has(event.type)) return;
    const isOpen = "unfinished" in event && event.unfinished === true;
    if (!isOpen) this.#open = [];
    else if (event.stream !== undefined) this.#open.push(event.stream);
  }

  /** What reading on from here needs. */
  cursor(): Cursor {
    const open = this.#open.slice(-openStreams);
    return JSON.stringify({ last: this.#last, ...(open.length > 0 && { open }) });
  }
}

/** Models that speak at once in one session. */
const openStreams = 64;

/**
 * The id of the last event that was read, or undefined if the cursor is not one of ours, or what was read last has
 * become another event.
 */
export function lastIdOf(cursor: Cursor, log: SessionLog): number | undefined {
  const fields = parseObject(cursor);
  const last = asNumber(fields?.["last"]);
  if (last === undefined || !Number.isSafeInteger(last)) return undefined;
  const open = asArray(fields?.["open"]);
  return open.length > 0 && goesOn(log, open, last) ? undefined : last;
}

/** Whether a text that was unfinished goes on, or was written whole, after an event. */
function goesOn(log: SessionLog, streams: readonly unknown[], after: number): boolean {
  for (const event of log.events({ from: after + 1, raw: true })) {
    if ("stream" in event && streams.includes(event.stream)) return true;
    if (conversationTypes.has(event.type)) return false;
  }
  return false;
}

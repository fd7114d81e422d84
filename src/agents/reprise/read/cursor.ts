import { asNumber, parseObject } from "../../../base/json.ts";
import type { Cursor } from "../../contract.ts";

/** The cursor after an event. */
export function cursorAt(last: number): Cursor {
  return JSON.stringify({ last });
}

/** The id of the last event that was read, or undefined where the cursor is not one of ours. */
export function lastIdOf(cursor: Cursor): number | undefined {
  const last = asNumber(parseObject(cursor)?.["last"]);
  return Number.isSafeInteger(last) ? last : undefined;
}

import { asCount, asString, parseObject } from "../../../base/json.ts";
import type { Cursor } from "../../contract.ts";

/** Where a reader stands in a run. */
export interface CursorState {
  /** The byte after what was read. */
  readonly end: number;
  readonly line: number;
  /** A hash of bytes at the run's start and before `end`: another value means it was rewritten. */
  readonly sample: string;
  /** Set inside a pass: so many events were handed out. */
  readonly done?: number;
  /** More of this kind would belong to the last message handed out. */
  readonly open?: "user" | "assistant";
  /** More lines of an answer would change the true text handed out. */
  readonly inAnswer: boolean;
  /** The last line had no newline. */
  readonly midLine: boolean;
  readonly parent?: string;
}

/** A cursor as the string that callers keep. */
export function encodeCursor(cursor: CursorState): Cursor {
  return JSON.stringify({ v: 1, ...cursor });
}

/** The cursor in a string, or undefined if it is not one of ours. */
export function decodeCursor(text: Cursor): CursorState | undefined {
  const value = parseObject(text);
  const end = asCount(value?.["end"]);
  const line = asCount(value?.["line"]);
  const sample = asString(value?.["sample"]);
  if (value?.["v"] !== 1 || end === undefined || line === undefined || sample === undefined) {
    return undefined;
  }
  const done = asCount(value["done"]);
  const open = value["open"];
  const parent = asString(value["parent"]);
  return {
    end,
    line,
    sample,
    ...(done === undefined ? {} : { done }),
    ...(open === "user" || open === "assistant" ? { open } : {}),
    inAnswer: value["inAnswer"] === true,
    midLine: value["midLine"] === true,
    ...(parent === undefined ? {} : { parent }),
  };
}

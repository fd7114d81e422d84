import { asCount, asNumber, asString, isObject, parseObject } from "../../../base/json.ts";
import type { Cursor } from "../../contract.ts";
import type { EventMakerState } from "./events.ts";

/** Where reading stopped, and what going on from there needs. */
export interface CursorState {
  /** The file, by its uncompressed name; and its place among the session's files. */
  readonly file: string;
  readonly span: number;
  readonly offset: number;
  readonly line: number;
  readonly highest: number;
  /** Of the bytes before `offset`: says whether the file was rewritten. */
  readonly hash: string;
  /** The size of the session's own file when the read began. */
  readonly size: number;
  /** Everything there was had been read. */
  readonly done: boolean;
  /** The file's records carry ordinals. */
  readonly paginated: boolean;
  /** The newest record that changed what was live before it, as the read knew it. */
  readonly changedAt: number;
  /** How many of the items a compaction kept were passed on; only while these are. */
  readonly kept?: number;
  readonly allBranches: boolean;
  readonly state: EventMakerState;
}

/** The cursor as callers keep it. */
export function encodeCursor(state: CursorState): Cursor {
  return JSON.stringify(state);
}

/** Reads a cursor back; undefined if it is not one of ours, so that reading begins anew. */
export function decodeCursor(text: Cursor | undefined): CursorState | undefined {
  const value = text === undefined ? undefined : parseObject(text);
  if (value === undefined) return undefined;
  const file = asString(value["file"]);
  const hash = asString(value["hash"]);
  const state = value["state"];
  const numbers = ["span", "offset", "line", "highest", "size"].map((key) => asCount(value[key]));
  const [span, offset, line, highest, size] = numbers;
  if (file === undefined || hash === undefined || !isObject(state)) return undefined;
  if (!Array.isArray(state["calls"]) || numbers.includes(undefined)) {
    return undefined;
  }
  const kept = asNumber(value["kept"]);
  return {
    file,
    hash,
    span: span!,
    offset: offset!,
    line: line!,
    highest: highest!,
    size: size!,
    done: value["done"] === true,
    allBranches: value["allBranches"] === true,
    paginated: value["paginated"] === true,
    changedAt: asNumber(value["changedAt"]) ?? -1,
    state: state as unknown as EventMakerState,
    ...(kept !== undefined && { kept }),
  };
}

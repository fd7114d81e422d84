import { asArray, asNumber, asString, isObject, parseObject } from "../../../base/json.ts";

/** Where a subagent's transcript was read to. */
export interface ReadTo {
  readonly offset: number;
  readonly line: number;
}

/** Where reading stopped, and what going on from there needs to know. */
export interface CursorState {
  readonly offset: number;
  /** Lines before the offset, where these are counted. */
  readonly line: number;
  /** Of the bytes before the offset; another hash means another file. */
  readonly hash: string;
  /** The last line had no newline yet. */
  readonly open?: boolean | undefined;
  readonly leaf?: string | undefined;
  readonly leafNumber?: string | undefined;
  /** The last message with calls, and the records that further results may hang on. */
  readonly message?: string | undefined;
  readonly family?: readonly string[] | undefined;
  /** Something else was reported behind it, which a record that hangs on the family would leave behind. */
  readonly mixed?: boolean | undefined;
  readonly cwd?: string | undefined;
  readonly branch?: string | undefined;
  readonly subagents?: Readonly<Record<string, ReadTo>> | undefined;
  /** Of the task list, which is reported again when it changed. */
  readonly tasks?: string | undefined;
}

const version = 2;

/** A cursor as the string that callers keep. */
export function encodeCursor(state: CursorState): string {
  return JSON.stringify({ v: version, ...state });
}

/** A cursor from which nothing can go on: reading stopped midway, and begins anew. */
export const midway = JSON.stringify({ v: version, midway: true });

/** The cursor in a string, or undefined if it is not one to go on from. */
export function decodeCursor(cursor: string): CursorState | undefined {
  const value = parseObject(cursor);
  if (value?.["v"] !== version || value["midway"] === true) return undefined;
  const offset = asNumber(value["offset"]);
  const line = asNumber(value["line"]);
  const hash = asString(value["hash"]);
  if (offset === undefined || line === undefined || hash === undefined) return undefined;
  const places = isObject(value["subagents"]) ? Object.entries(value["subagents"]) : [];
  const subagents = places.flatMap(([name, place]): [string, ReadTo][] => {
    if (!isObject(place)) return [];
    return [[name, { offset: asNumber(place["offset"]) ?? 0, line: asNumber(place["line"]) ?? 0 }]];
  });
  return {
    offset,
    line,
    hash,
    open: value["open"] === true,
    leaf: asString(value["leaf"]),
    leafNumber: asString(value["leafNumber"]),
    message: asString(value["message"]),
    family: asArray(value["family"]).flatMap((uuid) => asString(uuid) ?? []),
    mixed: value["mixed"] === true,
    cwd: asString(value["cwd"]),
    branch: asString(value["branch"]),
    subagents: Object.fromEntries(subagents),
    tasks: asString(value["tasks"]),
  };
}

import { createHash } from "node:crypto";
import { asArray, asNumber, asString, isObject, parseObject } from "../../base/json.ts";

/** Where a subagent's transcript was read to. */
export interface ChildMark {
  readonly offset: number;
  readonly line: number;
}

/** Where reading stopped, and what going on from there needs to know. */
export interface Mark {
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
  /** Something else was told behind it, which a record that hangs on the family would leave behind. */
  readonly mixed?: boolean | undefined;
  readonly cwd?: string | undefined;
  readonly branch?: string | undefined;
  readonly children?: Readonly<Record<string, ChildMark>> | undefined;
  /** Of the task list, which is told again when it changed. */
  readonly tasks?: string | undefined;
}

const version = 1;

/** A mark as a cursor. */
export function cursorOf(mark: Mark): string {
  return JSON.stringify({ v: version, ...mark });
}

/** A cursor from which nothing can go on: reading stopped midway, and begins anew. */
export const midway = JSON.stringify({ v: version, midway: true });

/** The mark of a cursor, or undefined where it is not one to go on from. */
export function markOf(cursor: string): Mark | undefined {
  const value = parseObject(cursor);
  if (value?.["v"] !== version || value["midway"] === true) return undefined;
  const offset = asNumber(value["offset"]);
  const line = asNumber(value["line"]);
  const hash = asString(value["hash"]);
  if (offset === undefined || line === undefined || hash === undefined) return undefined;
  const marks = isObject(value["children"]) ? Object.entries(value["children"]) : [];
  const children = marks.flatMap(([name, mark]): [string, ChildMark][] => {
    if (!isObject(mark)) return [];
    return [[name, { offset: asNumber(mark["offset"]) ?? 0, line: asNumber(mark["line"]) ?? 0 }]];
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
    children: Object.fromEntries(children),
    tasks: asString(value["tasks"]),
  };
}

/** A short hash, to tell whether something changed. */
export function digest(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

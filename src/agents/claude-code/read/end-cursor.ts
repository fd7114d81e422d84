import { fstatSync } from "node:fs";
import { asString, isObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { proofBefore } from "../../../jsonl/proof.ts";
import { type CursorState, encodeCursor, midway } from "./cursor.ts";
import { numberOf, type OpenSession } from "./open-session.ts";
import { flag } from "./record-flags.ts";

/** The cursor after everything was read. */
export function endCursor(
  session: OpenSession,
  more: Pick<CursorState, "subagents" | "tasks"> & {
    /** Only live events were reported: what was held back must be reported once it is replayed. */
    readonly liveOnly: boolean;
  },
): string {
  const { fd, index, path, reader, earlier, along } = session;
  const stop = more.liveOnly ? heldBack(session) : undefined;
  if (stop === "mixed") return midway;
  const offset = stop?.offset ?? index.endOffset;
  const line = stop?.line ?? index.endLine;
  const leafAt = stop === undefined ? path.leaf : stop.leaf;
  const leaf = leafAt < 0 ? undefined : reader.record(leafAt);
  return encodeCursor({
    offset,
    line,
    hash: proofBefore(fd, offset),
    ...(index.openEnd && stop === undefined && { open: true }),
    leaf: asString(leaf?.["uuid"]) ?? earlier?.leaf,
    leafNumber: leafAt < 0 ? earlier?.leafNumber : numberOf(session, leafAt),
    ...familyAtEnd(session, stop === undefined ? path.order : path.order.subarray(0, stop.at)),
    ...along,
    subagents: more.subagents,
    tasks: more.tasks,
  });
}

/** Where reading goes on, instead of at the end. */
interface HeldBack {
  readonly offset: number;
  readonly line: number;
  readonly leaf: number;
  /** The place on the path. */
  readonly at: number;
}

/**
 * A message that so far only thinks is not replayed, but will be once it says something: reading goes
 * on before it. "mixed" where something behind it was reported already.
 */
function heldBack(session: OpenSession): HeldBack | "mixed" | undefined {
  const { index, notReplayed } = session;
  const { order } = session.path;
  let first = order.length;
  let mixed = false;
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const record = order[at]!;
    if (notReplayed.get(record) === "all") first = at;
    else if (index.has(record, flag.user | flag.assistant)) break;
    else if (!index.has(record, flag.snapshot)) mixed = true;
  }
  if (first === order.length) return undefined;
  if (mixed) return "mixed";
  const { offset, line } = index.placeOf(order[first]!);
  return { offset, line: line - 1, leaf: order[first - 1] ?? -1, at: first };
}

/** The message that results may still come in for: its parts, their results, and whether more follows. */
function familyAtEnd(
  session: OpenSession,
  order: Int32Array,
): Pick<CursorState, "message" | "family" | "mixed"> {
  const { index, reader, earlier } = session;
  let start = order.length;
  let group = -1;
  for (let at = order.length - 1; at >= 0 && order.length - at <= limits.familyRecords; at -= 1) {
    const record = order[at]!;
    if (!index.has(record, flag.assistant)) continue;
    if (group >= 0 && index.groups[record] !== group) break;
    group = index.groups[record]!;
    start = at;
    if (group < 0) break;
  }
  const end = order.subarray(start < order.length ? start : 0).subarray(-limits.familyRecords);
  const records = end.filter((record) => index.has(record, flag.assistant | flag.results));
  const silent = end.filter((record) => index.has(record, flag.snapshot)).length;
  const parsed = Array.from(records, (record) => reader.record(record));
  const message = parsed.map((record) => messageId(record?.["message"])).find(Boolean);
  const uuids = parsed.flatMap((record) => asString(record?.["uuid"]) ?? []);
  const goesOn = earlier !== undefined && (message === undefined || message === earlier.message);
  const mixed = end.length > records.length + silent || (goesOn && earlier.mixed === true);
  return {
    message: message ?? earlier?.message,
    family: [...(goesOn ? (earlier.family ?? []) : []), ...uuids].slice(-limits.familyRecords),
    ...(mixed && { mixed }),
  };
}

/** The id of a message's record, where it is a model's. */
function messageId(message: unknown): string | undefined {
  return isObject(message) && message["role"] === "assistant" ? asString(message["id"]) : undefined;
}

/** Whether the file still is the one a cursor was made of. */
export function isSameFile(fd: number, cursor: CursorState): boolean {
  return fstatSync(fd).size >= cursor.offset && proofBefore(fd, cursor.offset) === cursor.hash;
}

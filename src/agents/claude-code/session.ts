import { fstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { asString, isObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { lineNumber } from "../../jsonl/line-number.ts";
import { proofBefore } from "../../jsonl/proof.ts";
import type { AgentEvent, ReadOptions, SessionRef } from "../contract.ts";
import { type Along, type Compose, composer, type Place } from "./compose.ts";
import { cursorOf, type Mark, midway } from "./cursor.ts";
import { idOf } from "./id-table.ts";
import { type LivePath, livePath } from "./live-path.ts";
import { type Unplayed, unplayed } from "./pairs.ts";
import { flag, type RecordIndex } from "./record-index.ts";
import { RecordReader } from "./record-reader.ts";
import { type Child, childrenBeside, childrenIn } from "./subagents.ts";

/** A transcript that is open and threaded. */
export interface OpenSession {
  readonly fd: number;
  readonly ref: SessionRef;
  readonly root: string;
  readonly index: RecordIndex;
  readonly reader: RecordReader;
  readonly path: LivePath;
  readonly live: Uint8Array;
  readonly lost: ReadonlyMap<number, Unplayed>;
  readonly children: readonly Child[];
  readonly compose: Compose;
  readonly along: Along;
  /** The number of what begins on a line. */
  readonly numberAt: (place: { readonly line: number; readonly offset: number }) => string;
  /** The subagents found in the transcript itself, by record. */
  readonly sidechains: Map<number, string>;
  /** The subagent all of this belongs to. */
  readonly child?: string;
  /** What comes before the index is unknown. */
  readonly partial: boolean;
  /** The message whose tokens an earlier read told. */
  readonly toldGroup: number;
  /** What an earlier read already told. */
  readonly earlier?: Mark;
}

/** Some events of one line, and what they weigh. */
export interface Step {
  readonly events: readonly AgentEvent[];
  readonly bytes: number;
}

/** Puts together what reading an indexed transcript needs. */
export function openSession(
  file: Pick<OpenSession, "fd" | "ref" | "index">,
  options: {
    readonly read: ReadOptions;
    readonly partial?: boolean;
    readonly earlier?: Mark;
    /** Replaces the path by one that knows what an earlier read knew. */
    readonly path?: LivePath;
  },
): OpenSession {
  const { fd, ref, index } = file;
  const { earlier, partial = false } = options;
  const reader = new RecordReader(fd, index);
  const path = options.path ?? livePath(index, { reader, partial });
  const live = new Uint8Array(index.size);
  for (const record of path.order) live[record] = 1;
  const sideFolder = join(dirname(ref.path), basename(ref.path, ".jsonl"));
  const beside = options.read.allBranches ? childrenBeside(ref.path, ref.session) : [];
  const children = [...childrenIn(sideFolder), ...beside];
  const along: Along = { cwd: earlier?.cwd, branch: earlier?.branch };
  const byCall = new Map(
    children.flatMap((child) => (child.call === undefined ? [] : [[child.call, child] as const])),
  );
  return {
    fd,
    ref,
    root: ref.root ?? dirname(dirname(dirname(ref.path))),
    index,
    reader,
    path,
    live,
    lost: unplayed(index, path.order, { reader, partial }),
    children,
    along,
    compose: composer({ sideFolder, children: byCall, along }),
    numberAt: lineNumber,
    sidechains: new Map(),
    partial,
    toldGroup: earlier?.message === undefined ? -1 : index.messages.find(idOf(earlier.message)),
    ...(earlier && { earlier }),
  };
}

/** Where a record stands among the events. */
export function placeOf(session: OpenSession, record: number): Place {
  const { index, path, earlier } = session;
  const parent = index.parentOf(record);
  const group = index.groups[record]!;
  const aside = index.has(record, flag.sidechain);
  const sidechain = session.child ?? (aside ? sidechainOf(session, record) : undefined);
  const first = parent < 0 && earlier !== undefined && record === path.order[0];
  return {
    number: numberOf(session, record),
    parent: parent >= 0 ? numberOf(session, parent) : first ? earlier.leafNumber : undefined,
    live: session.live[record] === 1,
    unplayed: session.lost.get(record),
    sidechain,
    bearsUsage:
      group < 0 || (index.messages.valueAt(group) === record && group !== session.toldGroup),
    moved: index.moved(record) ?? (earlier === undefined ? !session.partial : "ask"),
    keepFrom: parent >= 0 && parent === path.boundary ? keptLine(session) : undefined,
  };
}

/** The line of the first message the compaction kept; undefined where there is none, or it lies too far on to be counted. */
function keptLine(session: OpenSession): number | undefined {
  const { keptFrom } = session.path;
  const line = keptFrom < 0 ? Number.NaN : Number(numberOf(session, keptFrom));
  return Number.isInteger(line) ? line : undefined;
}

function numberOf(session: OpenSession, record: number): string {
  return session.numberAt(session.index.placeOf(record));
}

/** A subagent whose records stand in the transcript itself has no id but its first record's number. */
function sidechainOf(session: OpenSession, record: number): string {
  const known = session.sidechains.get(session.index.parentOf(record));
  const name = known ?? `sidechain-${numberOf(session, record)}`;
  session.sidechains.set(record, name);
  return name;
}

/** The cursor after everything was read. */
export function endCursor(
  session: OpenSession,
  more: Pick<Mark, "children" | "tasks"> & {
    /** Only live events were told: what was held back must be told once it is replayed. */
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
  return cursorOf({
    offset,
    line,
    hash: proofBefore(fd, offset),
    ...(index.openEnd && stop === undefined && { open: true }),
    leaf: asString(leaf?.["uuid"]) ?? earlier?.leaf,
    leafNumber: leafAt < 0 ? earlier?.leafNumber : numberOf(session, leafAt),
    ...familyAtEnd(session, stop === undefined ? path.order : path.order.subarray(0, stop.at)),
    ...along,
    children: more.children,
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
 * on before it. "mixed" where something behind it was told already.
 */
function heldBack(session: OpenSession): HeldBack | "mixed" | undefined {
  const { index, lost } = session;
  const { order } = session.path;
  let first = order.length;
  let mixed = false;
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const record = order[at]!;
    if (lost.get(record) === "all") first = at;
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
): Pick<Mark, "message" | "family" | "mixed"> {
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

/** Whether the file still is the one a mark was made of. */
export function isSameFile(fd: number, mark: Mark): boolean {
  return fstatSync(fd).size >= mark.offset && proofBefore(fd, mark.offset) === mark.hash;
}

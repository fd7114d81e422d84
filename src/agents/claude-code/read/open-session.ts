import { basename, dirname, join } from "node:path";
import { lineNumber } from "../../../jsonl/line-number.ts";
import type { ReadOptions, SessionRef } from "../../contract.ts";
import type { CursorState } from "./cursor.ts";
import { eventMaker, type MakeEvents, type RecordPlace, type Whereabouts } from "./events.ts";
import { type LivePath, livePath } from "./live-path.ts";
import { type NotReplayed, notReplayed } from "./not-replayed.ts";
import { flag } from "./record-flags.ts";
import { idOf, type RecordIndex } from "./record-index.ts";
import { RecordReader } from "./record-reader.ts";
import { type Subagent, subagentsBeside, subagentsIn } from "./subagents.ts";

/** A transcript that is open. */
export interface OpenFile {
  readonly fd: number;
  readonly ref: SessionRef;
}

/** A transcript that is open and threaded. */
export interface OpenSession extends OpenFile {
  readonly root: string;
  readonly index: RecordIndex;
  readonly reader: RecordReader;
  readonly path: LivePath;
  readonly live: Uint8Array;
  /** What of the live records is still not replayed. */
  readonly notReplayed: ReadonlyMap<number, NotReplayed>;
  readonly subagents: readonly Subagent[];
  readonly makeEvents: MakeEvents;
  readonly along: Whereabouts;
  /** The number of what begins on a line. */
  readonly numberAt: (place: { readonly line: number; readonly offset: number }) => string;
  /** The subagents found in the transcript itself, by record. */
  readonly sidechains: Map<number, string>;
  /** The subagent all of this belongs to. */
  readonly subagent?: string;
  /** What comes before the index is unknown. */
  readonly partial: boolean;
  /** The message whose tokens an earlier read told. */
  readonly toldGroup: number;
  /** What an earlier read already told. */
  readonly earlier?: CursorState;
}

/** Puts together what reading an indexed transcript needs. */
export function openSession(
  file: OpenFile & { readonly index: RecordIndex },
  options: {
    readonly read: ReadOptions;
    readonly partial?: boolean;
    readonly earlier?: CursorState;
    /** Replaces the path by one that knows what an earlier read knew. */
    readonly path?: LivePath;
  },
): OpenSession {
  const { fd, ref, index } = file;
  const { earlier, partial = false } = options;
  const told = idOf(earlier?.message);
  const reader = new RecordReader(fd, index);
  const path = options.path ?? livePath(index, { reader, partial });
  const live = new Uint8Array(index.size);
  for (const record of path.order) live[record] = 1;
  const sideFolder = join(dirname(ref.path), basename(ref.path, ".jsonl"));
  const beside = options.read.allBranches ? subagentsBeside(ref.path, ref.session) : [];
  const subagents = [...subagentsIn(sideFolder), ...beside];
  const transcribed = new Set(subagents.map((one) => one.session));
  const along: Whereabouts = { cwd: earlier?.cwd, branch: earlier?.branch };
  const byCall = new Map(
    subagents.flatMap((one) => (one.call === undefined ? [] : [[one.call, one] as const])),
  );
  return {
    fd,
    ref,
    root: ref.root ?? dirname(dirname(dirname(ref.path))),
    index,
    reader,
    path,
    live,
    notReplayed: notReplayed(index, path.order, { reader, partial }),
    subagents,
    along,
    makeEvents: eventMaker({ sideFolder, subagents: byCall, transcribed, along }),
    numberAt: lineNumber,
    sidechains: new Map(),
    partial,
    toldGroup: told === undefined ? -1 : index.messages.find(told),
    ...(earlier && { earlier }),
  };
}

/** Where a record stands among the events. */
export function placeOf(session: OpenSession, record: number): RecordPlace {
  const { index, path, earlier } = session;
  const parent = index.parentOf(record);
  const group = index.groups[record]!;
  const aside = index.has(record, flag.sidechain);
  const sidechain = session.subagent ?? (aside ? sidechainOf(session, record) : undefined);
  const first = parent < 0 && earlier !== undefined && record === path.order[0];
  return {
    number: numberOf(session, record),
    parent: parent >= 0 ? numberOf(session, parent) : first ? earlier.leafNumber : undefined,
    live: session.live[record] === 1,
    notReplayed: session.notReplayed.get(record),
    sidechain,
    bearsUsage:
      group < 0 || (index.messages.valueAt(group) === record && group !== session.toldGroup),
    moved: index.moved(record) ?? (earlier === undefined ? !session.partial : "ask"),
    keepFrom: parent >= 0 && parent === path.boundary ? keptLine(session) : undefined,
  };
}

/** The line of the first message the compaction kept; undefined if there is none, or it lies too far on to be counted. */
function keptLine(session: OpenSession): number | undefined {
  const { keptFrom } = session.path;
  const line = keptFrom < 0 ? Number.NaN : Number(numberOf(session, keptFrom));
  return Number.isInteger(line) ? line : undefined;
}

/** The number of a record's first event. */
export function numberOf(session: OpenSession, record: number): string {
  return session.numberAt(session.index.placeOf(record));
}

/** A subagent whose records stand in the transcript itself has no id but its first record's number. */
function sidechainOf(session: OpenSession, record: number): string {
  const known = session.sidechains.get(session.index.parentOf(record));
  const name = known ?? `sidechain-${numberOf(session, record)}`;
  session.sidechains.set(record, name);
  return name;
}

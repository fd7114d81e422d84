import { limits } from "../../base/limits.ts";
import { holdPart } from "../../jsonl/held-part.ts";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { readFile } from "../session-file.ts";
import { type ChildMark, markOf, midway } from "./cursor.ts";
import { indexFile } from "./index-file.ts";
import { readLast } from "./read-last.ts";
import { goOn } from "./read-on.ts";
import type { RecordIndex } from "./record-index.ts";
import { endCursor, isSameFile, type OpenSession, openSession, type Step } from "./session.ts";
import { allSteps, childSteps, liveSteps } from "./steps.ts";
import { type TaskList, taskList } from "./tasks.ts";

/** A session's events: what the program would replay, or with `allBranches` everything it wrote. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  return readFile(ref, options, (fd) => {
    if (options.from !== undefined) return readFrom({ fd, ref }, options.from, options);
    if (options.last !== undefined) return readLast({ fd, ref }, options.last, options);
    return readWhole({ fd, ref }, options);
  });
}

interface File {
  readonly fd: number;
  readonly ref: SessionRef;
}

function* readWhole(
  file: File,
  options: ReadOptions,
  more: { readonly restart?: boolean } = {},
): Generator<ReadBatch> {
  const held = holdPart(file.fd);
  try {
    const index = indexFile(file.fd, { held });
    const session = openSession({ ...file, held, index }, { read: options });
    tellOrphans(index);
    index.forgetUuids();
    const steps = options.allBranches
      ? allSteps(session, { offset: 0, line: 0 })
      : liveSteps(session);
    yield* batches(session, { steps, options, restart: more.restart ?? false });
  } finally {
    held?.release();
  }
}

/** Goes on from a cursor, or begins anew where the file or its live path is not what it was. */
function* readFrom(file: File, cursor: string, options: ReadOptions): Generator<ReadBatch> {
  const mark = markOf(cursor);
  const on =
    mark !== undefined && isSameFile(file.fd, mark) ? goOn(file, mark, options) : undefined;
  if (on === undefined) {
    yield* readWhole(file, options, { restart: true });
    return;
  }
  const { session, from } = on;
  const steps = options.allBranches ? allSteps(session, from) : liveSteps(session);
  yield* batches(session, { steps, options, restart: false });
}

/** A parent that is nowhere: the program takes the record before it instead, and so do we. */
function tellOrphans(index: RecordIndex): void {
  for (const record of index.orphans) {
    const { offset, length } = index.placeOf(record);
    index.tell({ kind: "missing_parent", offset, length, recovered: 1 });
  }
}

function* batches(
  session: OpenSession,
  of: {
    readonly steps: Iterable<Step>;
    readonly options: ReadOptions;
    readonly restart: boolean;
  },
): Generator<ReadBatch> {
  const { index, earlier } = session;
  const marks = new Map(Object.entries(earlier?.children ?? {}));
  const tasks: TaskList = of.options.allBranches
    ? taskList(session.root, session.ref.session)
    : { events: [] };
  let first = true;
  const batch = (events: ReadBatch["events"], cursor: string): ReadBatch => {
    const opening = {
      ...(first && of.restart && { restart: true }),
      ...(first && index.unknown.size > 0 && { unknown: Object.fromEntries(index.unknown) }),
    };
    first = false;
    return { events, damage: index.takeDamage(), cursor, ...opening };
  };
  let events: ReadBatch["events"][number][] = [];
  let bytes = 0;
  for (const step of everyStep(session, of, marks)) {
    events.push(...step.events);
    bytes += step.bytes;
    if (events.length < limits.batchEvents && bytes < limits.batchBytes) continue;
    yield batch(events, midway);
    events = [];
    bytes = 0;
  }
  if (tasks.stamp !== earlier?.tasks) events.push(...tasks.events);
  const children = marks.size > 0 ? Object.fromEntries(marks) : undefined;
  const liveOnly = of.options.allBranches !== true;
  const cursor = endCursor(session, { children, tasks: tasks.stamp, liveOnly });
  yield batch(events, cursor);
}

function* everyStep(
  session: OpenSession,
  of: { readonly steps: Iterable<Step>; readonly options: ReadOptions },
  marks: Map<string, ChildMark>,
): Generator<Step> {
  yield* of.steps;
  if (of.options.allBranches !== true) return;
  for (const child of session.children) yield* childSteps(session, child, marks);
}

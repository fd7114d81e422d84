import { limits } from "../../../base/limits.ts";
import type { ReadBatch, ReadOptions } from "../../contract.ts";
import { midway, type ReadTo } from "./cursor.ts";
import { endCursor } from "./end-cursor.ts";
import type { OpenSession } from "./open-session.ts";
import { type TaskList, taskList } from "./tasks.ts";
import { type Step, walkSubagent } from "./walk.ts";

/** The events of the steps as batches of about the same size, the last one with the cursor to go on from. */
export function* batches(
  session: OpenSession,
  of: {
    readonly steps: Iterable<Step>;
    readonly options: ReadOptions;
    readonly restart: boolean;
    readonly continued?: boolean;
  },
): Generator<ReadBatch> {
  const { index, earlier } = session;
  const readTo = new Map(Object.entries(earlier?.subagents ?? {}));
  const tasks: TaskList = of.options.allBranches
    ? taskList(session.root, session.ref.session)
    : { events: [] };
  let first = true;
  const batch = (events: ReadBatch["events"], cursor: string): ReadBatch => {
    const opening = {
      ...(first && of.restart && { restart: true }),
      ...(first && of.continued && { continued: true }),
      ...(first && index.unknown.size > 0 && { unknown: Object.fromEntries(index.unknown) }),
    };
    first = false;
    return { events, damage: index.takeDamage(), cursor, ...opening };
  };
  let events: ReadBatch["events"][number][] = [];
  let bytes = 0;
  for (const step of everyStep(session, of, readTo)) {
    events.push(...step.events);
    bytes += step.bytes;
    if (events.length < limits.batchEvents && bytes < limits.batchBytes) continue;
    yield batch(events, midway);
    events = [];
    bytes = 0;
  }
  if (tasks.stamp !== earlier?.tasks) events.push(...tasks.events);
  const subagents = readTo.size > 0 ? Object.fromEntries(readTo) : undefined;
  const liveOnly = of.options.allBranches !== true;
  const cursor = endCursor(session, { subagents, tasks: tasks.stamp, liveOnly });
  yield batch(events, cursor);
}

function* everyStep(
  session: OpenSession,
  of: { readonly steps: Iterable<Step>; readonly options: ReadOptions },
  readTo: Map<string, ReadTo>,
): Generator<Step> {
  yield* of.steps;
  if (of.options.allBranches !== true) return;
  for (const subagent of session.subagents) yield* walkSubagent(session, subagent, readTo);
}

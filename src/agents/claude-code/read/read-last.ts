import { limits } from "../../../base/limits.ts";
import { linesBefore } from "../../../jsonl/line-number.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import type { AgentEvent, ReadBatch, ReadOptions } from "../../contract.ts";
import { buildIndex } from "./build-index.ts";
import { endCursor } from "./end-cursor.ts";
import { type OpenFile, type OpenSession, openSession } from "./open-session.ts";
import { liveEvents, walkAll } from "./walk.ts";

/**
 * The last events, from the end of the file: a window is threaded, and widened until it holds enough.
 */
export function* readLast(
  file: OpenFile,
  count: number,
  options: ReadOptions,
): Generator<ReadBatch> {
  let windowBytes: number = limits.batchBytes;
  let lines = count;
  for (;;) {
    const offset = windowStart(file.fd, { bytes: windowBytes, lines });
    lines = 0;
    const from = { offset, line: linesBefore(file.fd, offset) };
    const index = buildIndex(file.fd, { from: offset, line: from.line });
    const partial = offset > 0;
    const session = openSession({ ...file, index }, { read: options, partial });
    const events = options.allBranches ? lastOf(session, count, from) : lastLive(session, count);
    const enough = events.length >= count || (session.path.whole && !options.allBranches);
    const sure = enough && !seeksLeaf(session);
    if (!partial || sure || (enough && windowBytes >= limits.leafSearchBytes)) {
      const liveOnly = options.allBranches !== true;
      const cursor = endCursor(session, { liveOnly });
      const { unknown } = index;
      const counts = unknown.size > 0 ? { unknown: Object.fromEntries(unknown) } : {};
      yield { events, damage: index.takeDamage(), cursor, ...counts };
      return;
    }
    windowBytes *= 4;
  }
}

/**
 * Where the line begins that the window starts with. Where lines are long a window may be larger than asked,
 * to hold as many lines as events are wanted: looking twice costs more.
 */
function windowStart(
  fd: number,
  least: { readonly bytes: number; readonly lines: number },
): number {
  let bytes = 0;
  let lines = 0;
  for (const line of linesBackward(fd)) {
    bytes += line.length;
    lines += 1;
    const isEnough = lines >= least.lines || bytes >= limits.lastLookBytes;
    // Where as little is left as was taken, all of it costs less than looking twice.
    if (bytes >= least.bytes && isEnough) return line.offset <= bytes ? 0 : line.offset;
  }
  return 0;
}

/** Whether a `last-prompt` after the last record names a leaf that is not in the window. */
function seeksLeaf(session: OpenSession): boolean {
  const { index, path } = session;
  const { named } = index;
  return named !== undefined && path.leaf < named.after && index.find(named.leaf) < 0;
}

function lastLive(session: OpenSession, count: number): readonly AgentEvent[] {
  const { order } = session.path;
  if (count <= 0) return [];
  let take = count;
  for (;;) {
    const start = Math.max(0, order.length - take);
    const events: AgentEvent[] = [];
    for (const at of order.subarray(start)) events.push(...liveEvents(session, at));
    if (events.length >= count || start === 0) return events.slice(-count);
    take *= 2;
  }
}

function lastOf(
  session: OpenSession,
  count: number,
  from: { readonly offset: number; readonly line: number },
): readonly AgentEvent[] {
  let events: AgentEvent[] = [];
  for (const step of walkAll(session, from)) {
    events.push(...step.events);
    if (events.length > 2 * count + limits.batchEvents) events = events.slice(-count);
  }
  return count > 0 ? events.slice(-count) : [];
}

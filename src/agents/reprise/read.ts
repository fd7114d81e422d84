import { type Environment, processEnvironment } from "../../base/env.ts";
import { isRepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { Damage } from "../../model/damage.ts";
import type { SessionLog } from "../../store/session-log.ts";
import { openLog } from "../../store/sessions.ts";
import type { AgentEvent, ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { toldUnread } from "../session-file.ts";
import { lastIdOf, ReadingPlace } from "./read/cursor.ts";
import { agentEvent } from "./read/events.ts";
import { livePath } from "./read/live-path.ts";
import { readLast } from "./read/read-last.ts";

/** Few, because native events may be long: what is held at once is copied by every collection. */
const batchEvents = 32;

/** Reads a native session: what a model would be given, or everything in file order. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  return toldUnread(readLog(ref, options), options);
}

async function* readLog(ref: SessionRef, options: ReadOptions): AsyncGenerator<ReadBatch> {
  let log: SessionLog;
  try {
    log = openLog(ref.path, { env: environmentOf(ref) });
  } catch (error) {
    if (!isRepriseError(error, "not_a_session")) throw error;
    const damage: Damage = { kind: "bad_header", offset: 0, recovered: 0, detail: error.message };
    // What was read of it before is there no more.
    const restart = options.from !== undefined && { restart: true };
    yield { events: [], damage: [damage], cursor: "", ...restart };
    return;
  }
  const { last, allBranches = false } = options;
  try {
    if (last !== undefined) yield readLast(log, { last, allBranches });
    else yield* batches(log, options);
  } finally {
    await log.close();
  }
}

function* batches(log: SessionLog, options: ReadOptions): Generator<ReadBatch> {
  const known = options.from === undefined ? 0 : lastIdOf(options.from, log);
  const from = known ?? 0;
  let restart = known === undefined;
  const { isLive, summary } = livePath(log, from);
  const damage: Damage[] = [];
  const place = new ReadingPlace(from);
  // A model is given the summary before the events it kept; in file order it comes after them.
  const moved = options.allBranches || (summary?.id ?? 0) <= from ? undefined : summary;
  let events: AgentEvent[] = moved === undefined ? [] : [agentEvent(moved, true)];
  const take = (): ReadBatch => {
    const found = { events, damage: damage.splice(0), cursor: place.cursor() };
    const batch = restart ? { ...found, restart } : found;
    events = [];
    restart = false;
    return batch;
  };
  let damages = 0;
  // Damage beyond a bound is only counted: a file may hold nothing else.
  const onDamage = (found: Damage): void => {
    damages += 1;
    if (damages <= limits.toldDamages) damage.push(found);
  };
  for (const event of log.events({ from: from + 1, onDamage })) {
    place.passed(event);
    const live = isLive(event.id);
    if ((live && event.id !== moved?.id) || options.allBranches)
      events.push(agentEvent(event, live));
    if (events.length >= batchEvents) yield take();
  }
  const untold = damages - limits.toldDamages;
  if (untold > 0) {
    const detail = `${untold} more damaged records`;
    damage.push({ kind: "bad_record", offset: 0, recovered: 0, detail });
  }
  yield take();
}

/** A store may lie elsewhere than the user's: the sample does. */
function environmentOf({ root }: SessionRef): Environment {
  const env = processEnvironment();
  return root === undefined ? env : { ...env, variables: { ...env.variables, REPRISE_HOME: root } };
}

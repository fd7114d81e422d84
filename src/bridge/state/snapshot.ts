import { closeSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { errnoOf } from "../../base/errors.ts";
import { smallFile } from "../../base/folders.ts";
import { asArray, asNumber, asString, isObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { brackets, contextIn, emptyState, Fold, tasksIn } from "./fold.ts";
import { injectionsIn } from "./line.ts";
import { type LogRest, readRest, unarchive } from "./log.ts";
import type { BridgePlaces } from "./places.ts";
import type { State } from "./state.ts";

/** A state and where it stands in the log it was folded from. */
export interface Folded {
  readonly state: State;
  /** The lines before this offset are in the state. */
  readonly end: number;
  readonly countedAt: number;
  /** What lay after the snapshot. */
  readonly rest: LogRest;
}

/** The state of a session: its last snapshot and the lines after it. */
export function loadState(
  places: BridgePlaces,
  of: { readonly agent: string; readonly session: string; readonly mostBytes?: number },
): Folded {
  const { agent, session, mostBytes } = of;
  const snapshot = readSnapshot(places.snapshot, of);
  let from = snapshot?.end ?? 0;
  let rest = readRest(places.log, { session, from, ...(mostBytes !== undefined && { mostBytes }) });
  // A log that is not there may have been archived while the session slept.
  if (rest.end === 0 && rest.clean && unarchive(places)) return loadState(places, of);
  // A snapshot of more than the log has belongs to another log.
  const base = snapshot !== undefined && sizeOf(places.log) >= from ? snapshot : undefined;
  if (snapshot !== undefined && base === undefined) {
    from = 0;
    rest = readRest(places.log, { session, from });
  }
  const fold = new Fold(base?.state ?? emptyState(agent, session), base?.countedAt ?? -1);
  for (const { line, offset } of rest.lines) fold.add(line, offset);
  return { state: fold.state(), end: rest.end, countedAt: fold.countedAt, rest };
}

/** Writes the snapshot if nobody else does so in this moment; never waits. */
export function saveSnapshot(places: BridgePlaces, folded: Omit<Folded, "rest">): boolean {
  const { state, end, countedAt } = folded;
  return withLock(places.lock, () => {
    const temporary = `${places.snapshot}.${process.pid}.tmp`;
    try {
      // Not synced: what a power cut leaves is no JSON, and the log has everything.
      writeFileSync(temporary, JSON.stringify({ schema: 1, end, countedAt, state }), {
        mode: 0o600,
      });
      renameSync(temporary, places.snapshot);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}

/** Does something while holding a lock file; false where another has it. A lock left by a crash ages away. */
export function withLock(path: string, work: () => void): boolean {
  // Two that both find an old lock may both work: all they do is write what follows from the log.
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) > limits.bridgeLockMs)
    rmSync(path, { force: true });
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    work();
  } finally {
    rmSync(path, { force: true });
  }
  return true;
}

function readSnapshot(
  path: string,
  of: { readonly agent: string; readonly session: string },
): Omit<Folded, "rest"> | undefined {
  const text = smallFile(path, limits.bridgeRestBytes);
  const value = text === undefined ? undefined : parseObject(text);
  const end = asNumber(value?.["end"]);
  const state = migrated(value?.["state"], of);
  if (end === undefined || state === undefined || !Number.isSafeInteger(end) || end < 0)
    return undefined;
  return { state, end, countedAt: asNumber(value?.["countedAt"]) ?? -1 };
}

/** A state of any schema we ever wrote as today's; undefined if it must be folded anew from the log. */
function migrated(
  value: unknown,
  of: { readonly agent: string; readonly session: string },
): State | undefined {
  if (!isObject(value) || value["schema"] !== 1 || value["session"] !== of.session)
    return undefined;
  const empty = emptyState(of.agent, of.session);
  // Whatever is not of the kind it should be came from another hand: the log says the truth.
  for (const [key, sample] of Object.entries(empty)) {
    const found = value[key];
    if (typeof found !== typeof sample || Array.isArray(found) !== Array.isArray(sample))
      return undefined;
  }
  const lists = [value["files"], value["commands"], value["agents"]];
  if (lists.some((list) => asArray(list).some((item) => asString(item) === undefined)))
    return undefined;
  const state = value as unknown as State;
  const isSound =
    brackets.has(state.bracket) &&
    contextIn(state.context) !== undefined &&
    Object.values(state.tools).every((count) => asNumber(count) !== undefined) &&
    tasksIn(state.tasks).length === state.tasks.length &&
    injectionsIn(state.injected).length === state.injected.length;
  return isSound ? state : undefined;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

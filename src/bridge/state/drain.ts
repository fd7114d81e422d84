import { renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Agent } from "../../agents/contract.ts";
import { hookedNames } from "../../agents/registry.ts";
import type { Environment } from "../../base/env.ts";
import { namesIn } from "../../base/folders.ts";
import { tryLease } from "../../base/lease.ts";
import { limits } from "../../base/limits.ts";
import { makeFolder } from "../../base/make-folder.ts";
import { decodeLine } from "./line.ts";
import { appendLine } from "./log.ts";
import { type BridgePlaces, placesOf } from "./places.ts";
import { markOf, reconciled, transcriptOf } from "./reconcile.ts";
import { readSettings } from "./settings.ts";
import { loadState, saveSnapshot } from "./snapshot.ts";
import { firstLine } from "./start-line.ts";

/** What was caught up with. */
export interface Drained {
  readonly sessions: number;
  readonly reconciled: readonly { readonly agent: string; readonly session: string }[];
  readonly archived: number;
  /** Sessions that could not be read; the next run tries again. */
  readonly failed: number;
  /** Another drain was at work. */
  readonly busy: boolean;
}

/** How long a session must be silent before it is compared with its transcript. */
const silentMs = { asked: 1_000, background: 10 * 60 * 1000 };

/** Does what hooks leave undone: snapshots, comparison with the transcripts, archive. One at a time. */
export async function drain(options: {
  readonly root: string;
  readonly env: Environment;
  readonly agents: readonly Agent[];
  readonly nowMs: number;
  /** Started by a hook: sessions that may still go on are left alone. */
  readonly background?: boolean;
}): Promise<Drained> {
  const { root, agents } = options;
  const nothing = { sessions: 0, reconciled: [], archived: 0, failed: 0 };
  const lease = tryLease({ folder: root, name: "drain" });
  if (!lease.taken) return { ...nothing, busy: true };
  try {
    let { sessions, archived, failed } = nothing;
    const compared: { readonly agent: string; readonly session: string }[] = [];
    for (const name of hookedNames) {
      const agent = agents.find((known) => known.name === name);
      for (const file of namesIn(join(root, name))) {
        if (!file.endsWith(".jsonl")) continue;
        if (!lease.lease.isKept())
          return { sessions, reconciled: compared, archived, failed, busy: true };
        sessions += 1;
        try {
          const done = await drainOne(join(root, name, file), { ...options, name, agent });
          if (done?.archived === true) archived += 1;
          if (done?.compared === true) compared.push({ agent: name, session: done.session });
        } catch {
          failed += 1;
        }
      }
    }
    return { sessions, reconciled: compared, archived, failed, busy: false };
  } finally {
    lease.lease.release();
  }
}

async function drainOne(
  log: string,
  options: {
    readonly root: string;
    readonly env: Environment;
    readonly nowMs: number;
    readonly background?: boolean;
    readonly name: string;
    readonly agent: Agent | undefined;
  },
): Promise<
  { readonly session: string; readonly archived: boolean; readonly compared: boolean } | undefined
> {
  const { root, env, nowMs, background = false, name, agent } = options;
  const first = firstLine(log);
  const session = first === undefined ? undefined : decodeLine(first)?.session;
  if (session === undefined) return undefined;
  const places = placesOf(root, name, session);
  // A log under another name than its session's was put there by another hand.
  if (places.log !== log) return undefined;
  const of = { agent: name, session, mostBytes: Number.MAX_SAFE_INTEGER };
  const stat = statSync(log);
  const before = loadState(places, of);
  const idleMs = nowMs - stat.mtimeMs;
  const isOver = !background || before.state.ended !== undefined || idleMs > silentMs.background;
  const ref = agent === undefined ? undefined : transcriptOf(before.state, agent, env);
  const isNew = ref !== undefined && markOf(ref) !== before.state.reconciledMark;
  const compared = isOver && idleMs >= silentMs.asked && isNew;
  if (compared && agent !== undefined) {
    const settings = readSettings(places.settings);
    const line = await reconciled(before.state, { agent, ref, logBytes: before.end, settings });
    appendLine(places, line, before.rest.clean);
  }
  const after = compared ? loadState(places, of) : before;
  if (after.rest.lines.length > 0) saveSnapshot(places, after);
  const archived = idleMs > limits.bridgeIdleMs && archive(places, stat.size, compared);
  return { session, archived, compared };
}

/** Puts a session aside that nobody touched for a day; a hook that needs it again brings it back. */
function archive(places: BridgePlaces, sizeBytes: number, grown: boolean): boolean {
  if (!grown && statSync(places.log).size !== sizeBytes) return false;
  makeFolder(dirname(places.archivedLog));
  renameSync(places.log, places.archivedLog);
  try {
    renameSync(places.snapshot, places.archivedSnapshot);
  } catch {
    // A snapshot is made again from its log.
  }
  return true;
}

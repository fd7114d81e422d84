import { asNumber, asString, type JsonObject } from "../base/json.ts";
import { record } from "../log/journal.ts";
import { journalEntries } from "../log/read-journal.ts";
import type { EventId } from "../model/event.ts";
import type { Home } from "../store/home.ts";
import { type Snapshot, snapshotIn } from "./snapshot.ts";

/** Why a checkpoint was taken. */
export type CheckpointReason =
  /** A person or a program asked for it. */
  | "asked"
  /** Before a prompt was answered. */
  | "prompt"
  /** Before a tool ran. */
  | "tool"
  /** Before files were changed by a rewind, an undo or a redo. */
  | "safety"
  /** The first look at a large folder. */
  | "base";

/** What a checkpoint is bound to, and what people are shown of it. */
export interface CheckpointAbout {
  readonly reason: CheckpointReason;
  readonly label?: string | undefined;
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
  /** The number of the last event before it, as the agent's events are numbered. */
  readonly event?: string | undefined;
  /** The agent's own id of that event. */
  readonly uuid?: string | undefined;
  /** The call it was taken before. */
  readonly call?: string | undefined;
  readonly messages?: number | undefined;
  readonly tokens?: number | undefined;
  /** How many files differ from the checkpoint before it. */
  readonly modified?: number | undefined;
}

/** A place one can come back to. */
export interface Checkpoint extends Snapshot, CheckpointAbout {
  /** Its number in the journal. */
  readonly number: EventId;
}

const kind = "checkpoint";
const deletedKind = "checkpoint-deleted";
const texts = ["label", "agent", "session", "event", "uuid", "call"] as const;
const numbers = ["messages", "tokens", "modified"] as const;

/** Writes a checkpoint into the journal; the folder must be held since the snapshot was captured. */
export function recordCheckpoint(
  home: Home,
  snapshot: Snapshot,
  about: CheckpointAbout,
  options: {
    readonly waitMs?: number;
    /** False where the content was not synced either. */
    readonly sync?: boolean | undefined;
  } = {},
): Checkpoint {
  const number = record(home.journal, kind, { ...snapshot, ...about }, options);
  return { ...snapshot, ...about, number };
}

/** Every checkpoint that was not deleted, in the order they were taken. */
export function allCheckpoints(home: Home): readonly Checkpoint[] {
  const found = new Map<EventId, Checkpoint>();
  for (const { id, kind: said, data } of journalEntries(home.journal)) {
    const checkpoint = said === kind ? checkpointIn(id, data) : undefined;
    if (checkpoint !== undefined) found.set(id, checkpoint);
    else if (said === deletedKind)
      for (const number of data["numbers"] as readonly EventId[]) found.delete(number);
  }
  return [...found.values()];
}

/** The checkpoints of one folder, in order. */
export function checkpointsOf(home: Home, folder: string): readonly Checkpoint[] {
  return allCheckpoints(home).filter((one) => one.folder === folder);
}

/** Takes checkpoints out of the list; their content goes with the next collection. */
export function forgetCheckpoints(home: Home, numbers: readonly EventId[], why: string): void {
  if (numbers.length > 0) record(home.journal, deletedKind, { numbers, why });
}

/** The checkpoint an entry of the journal holds; undefined if it holds none. */
export function checkpointIn(number: EventId, data: JsonObject): Checkpoint | undefined {
  const snapshot = snapshotIn(data);
  if (snapshot === undefined) return undefined;
  const about: Record<string, unknown> = {};
  for (const key of texts) if (asString(data[key]) !== undefined) about[key] = data[key];
  for (const key of numbers) if (asNumber(data[key]) !== undefined) about[key] = data[key];
  const reason = (asString(data["reason"]) ?? "asked") as CheckpointReason;
  return { ...snapshot, ...about, reason, number };
}

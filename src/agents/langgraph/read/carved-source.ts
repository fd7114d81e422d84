import { limits } from "../../../base/limits.ts";
import { type CarvedRow, carveRows } from "../../../sqlite/carve.ts";
import type { CheckpointRow } from "./thread-source.ts";

/** A row of checkpoints found on a page, with its value. */
export interface CarvedCheckpoint extends CheckpointRow {
  readonly thread: string;
  readonly ns: string;
  readonly checkpoint: unknown;
}

const idShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Every row of checkpoints that lies on the pages of a database, whatever became of its trees. */
export function* carvedRows(path: string): Generator<CarvedCheckpoint> {
  for (const row of carveRows(path)) {
    const found = checkpointIn(row);
    if (found !== undefined) yield found;
  }
}

function checkpointIn(row: CarvedRow): CarvedCheckpoint | undefined {
  if (row.length < 7) return undefined;
  const [thread, ns, id, parent, type, checkpoint, metadata] = row;
  if (typeof thread !== "string" || typeof ns !== "string" || typeof id !== "string")
    return undefined;
  if (!idShape.test(id) || typeof type !== "string" || checkpoint === null) return undefined;
  return {
    thread,
    ns,
    id,
    ...(typeof parent === "string" && { parent }),
    type,
    metadata,
    checkpoint,
  };
}

/** The rows of one thread; what is more than may be held is left out, the oldest first. */
export function carvedThread(path: string, thread: string): readonly CarvedCheckpoint[] {
  const rows = new Map<string, CarvedCheckpoint>();
  let bytes = 0;
  for (const row of carvedRows(path)) {
    if (row.thread !== thread) continue;
    bytes += row.checkpoint instanceof Uint8Array ? row.checkpoint.length : 0;
    rows.set(`${row.ns} ${row.id}`, row);
    for (const [key, oldest] of rows) {
      if (bytes <= limits.replayedBytes) break;
      rows.delete(key);
      bytes -= oldest.checkpoint instanceof Uint8Array ? oldest.checkpoint.length : 0;
    }
  }
  return [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

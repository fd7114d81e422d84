import { asArray, isObject, type JsonObject } from "../../../base/json.ts";
import { joinParallelCalls } from "./parallel-calls.ts";
import { flag } from "./record-flags.ts";
import { idOf, type RecordIndex, rootParent, unknownParent } from "./record-index.ts";
import type { RecordReader } from "./record-reader.ts";

const leafKinds = flag.user | flag.assistant | flag.system | flag.attachment;

/** What the program would replay. */
export interface LivePath {
  /** Records in the order of the replay. */
  readonly order: Int32Array;
  readonly leaf: number;
  /** The compaction the path begins with, or -1. */
  readonly boundary: number;
  /** The parent the path would go on to, where only a part of the file is indexed. */
  readonly beyond?: number;
  /** The first record that a compaction kept beside its summary, or -1. */
  readonly keptFrom: number;
  /** Whether everything the path names lies in the index. */
  readonly whole: boolean;
}

/**
 * Follows the program: from the leaf up to the root or the newest compaction, kept messages behind
 * the summary, parallel tool calls joined again. `partial` says that what came before is not indexed,
 * so that an unknown parent ends the path instead of being damage.
 */
export function livePath(
  index: RecordIndex,
  options: { readonly reader: RecordReader; readonly partial?: boolean },
): LivePath {
  const leaf = leafOf(index);
  const walked = walk(index, { leaf, partial: options.partial ?? false });
  const boundary = walked.path[0] ?? -1;
  const compacted = boundary >= 0 && index.has(boundary, flag.boundary);
  const joined = joinParallelCalls(index, walked.path);
  const beyond = walked.beyond === undefined ? {} : { beyond: walked.beyond };
  const whole = walked.beyond === undefined;
  if (!compacted) return { order: joined, leaf, boundary: -1, keptFrom: -1, whole, ...beyond };
  const kept = keptMessages(index, options.reader.record(boundary));
  const on = new Uint8Array(index.size);
  for (const record of joined) on[record] = 1;
  const fresh = kept.records.filter((record) => on[record] === 0);
  const after = joined.indexOf(kept.anchor);
  // Without an anchor the kept messages follow the summary, which follows the boundary.
  const at = after >= 0 ? after + 1 : Math.min(2, joined.length);
  const order = new Int32Array(joined.length + fresh.length);
  order.set(joined.subarray(0, at));
  order.set(fresh, at);
  order.set(joined.subarray(at), at + fresh.length);
  return { order, leaf, boundary, keptFrom: fresh[0] ?? -1, whole: kept.whole };
}

/** The last record in the file, or the tip that a later `last-prompt` names; -1 where there is none. */
function leafOf(index: RecordIndex): number {
  const last = lastBefore(index, index.size);
  const { named } = index;
  if (named === undefined || last >= named.after) return last;
  const tip = index.find(named.leaf);
  if (tip < 0 || index.has(tip, flag.hasChild | flag.sidechain)) return last;
  return tip;
}

function lastBefore(index: RecordIndex, end: number): number {
  for (let record = end - 1; record >= 0; record -= 1) {
    if (index.has(record, leafKinds) && !index.has(record, flag.sidechain)) return record;
  }
  return -1;
}

function walk(
  index: RecordIndex,
  options: { readonly leaf: number; readonly partial: boolean },
): { readonly path: Int32Array; readonly beyond?: number } {
  const seen = new Uint8Array(index.size);
  const path: number[] = [];
  let at = options.leaf;
  while (at >= 0) {
    if (seen[at] === 1) {
      const { offset, length } = index.placeOf(at);
      index.tell({ kind: "cycle", offset, length, recovered: path.length });
      break;
    }
    seen[at] = 1;
    path.push(at);
    if (index.has(at, flag.boundary)) break;
    const parent = index.parentOf(at);
    if (parent === unknownParent) {
      if (options.partial) {
        const beyond = index.missingParentOf(at);
        return { path: Int32Array.from(path).reverse(), ...(beyond && { beyond }) };
      }
      at = lastBefore(index, at);
    } else at = parent === rootParent ? -1 : parent;
  }
  return { path: Int32Array.from(path).reverse() };
}

/** The messages a compaction keeps, and the record they are shown behind. */
function keptMessages(
  index: RecordIndex,
  boundary: JsonObject | undefined,
): { readonly anchor: number; readonly records: readonly number[]; readonly whole: boolean } {
  const metadata = boundary?.["compactMetadata"];
  const messages = isObject(metadata) ? metadata["preservedMessages"] : undefined;
  if (isObject(messages)) {
    const records = asArray(messages["uuids"]).map((uuid) => named(index, uuid));
    const known = records.filter((record) => record >= 0);
    const anchor = named(index, messages["anchorUuid"]);
    return { anchor, records: [...new Set(known)], whole: known.length === records.length };
  }
  const segment = isObject(metadata) ? metadata["preservedSegment"] : undefined;
  if (!isObject(segment)) return { anchor: -1, records: [], whole: true };
  const head = named(index, segment["headUuid"]);
  const records = new Set<number>();
  let at = named(index, segment["tailUuid"]);
  while (at >= 0 && !records.has(at)) {
    records.add(at);
    if (at === head) {
      const anchor = named(index, segment["anchorUuid"]);
      return { anchor, records: [...records].reverse(), whole: true };
    }
    at = index.parentOf(at);
  }
  // The segment's head is not above its tail: what it meant cannot be reported from here.
  return { anchor: -1, records: [], whole: false };
}

function named(index: RecordIndex, uuid: unknown): number {
  const id = idOf(uuid);
  return id === undefined ? -1 : index.find(id);
}

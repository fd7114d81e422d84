import { fstatSync } from "node:fs";
import { asString, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import type { Line } from "../../../jsonl/line.ts";
import { linesForward } from "../../../jsonl/read-forward.ts";
import { readLine } from "../../../jsonl/records.ts";
import { acceptsRecord, chainTypes, isKnownType, isTitleType } from "../record-types.ts";
import { idOf, type LinePlace, RecordIndex, type SalvagedPart } from "./record-index.ts";

/** Threads an open transcript, or the part of it from an offset on, in one pass that keeps no record. */
export function buildIndex(
  fd: number,
  options: { readonly from?: number; readonly line?: number } = {},
): RecordIndex {
  const from = options.from ?? 0;
  // What is appended meanwhile is not waited for: a busy writer would never let this end.
  const end = fstatSync(fd).size;
  const index = new RecordIndex(capacityFor(end - from));
  index.endOffset = from;
  index.endLine = options.line ?? 0;
  let number = index.endLine;
  for (const line of linesForward(fd, { from, end })) {
    number += 1;
    const whole = addLine(index, line, number);
    // An incomplete line counts as read only if it is a record: otherwise it may still be growing.
    if (!line.complete && !whole) break;
    index.endOffset = line.offset + line.length;
    index.endLine = number;
    index.openEnd = !line.complete;
  }
  index.resolve();
  return index;
}

/** Room for as many records as the bytes may hold, so that columns are seldom copied. */
function capacityFor(bytes: number): number {
  return Math.ceil(Math.min(Math.max(bytes / 512, 256), limits.indexedRecords));
}

/** Adds what a line holds; whether it was sound. */
function addLine(index: RecordIndex, line: Line, number: number): boolean {
  const read = readLine(line, number, acceptsRecord);
  if (read === undefined) return line.complete;
  const place = { offset: line.offset, length: line.length, line: number };
  const { records, damage, places } = read;
  if (damage === undefined) {
    addRecord(index, records[0]!, { place });
    return true;
  }
  index.tell(damage);
  const whole = { start: 0, end: line.bytes.length };
  for (const [part, record] of records.entries())
    addRecord(index, record, { place, part: { part, ...(places?.[part] ?? whole) } });
  return false;
}

function addRecord(
  index: RecordIndex,
  record: JsonObject,
  at: { readonly place: LinePlace; readonly part?: SalvagedPart },
): void {
  const type = asString(record["type"]) ?? "";
  const leaf = type === "last-prompt" ? idOf(record["leafUuid"]) : undefined;
  const isChained = typeof record["uuid"] === "string" && record["parentUuid"] !== undefined;
  if (chainTypes.has(type) || isChained) index.add(record, at.place, at.part);
  if (leaf !== undefined) index.named = { leaf, after: index.size };
  else if (at.part === undefined && isTitleType(type)) index.titles.set(type, at.place);
  if (!isKnownType(type)) countUnknown(index.unknown, type.slice(0, longestType));
}

const longestType = 64;

function countUnknown(unknown: Map<string, number>, type: string): void {
  // Types come from the file: their number is bounded, their sum is not lost.
  const name = unknown.has(type) || unknown.size < limits.unknownTypes ? type : "";
  unknown.set(name, (unknown.get(name) ?? 0) + 1);
}

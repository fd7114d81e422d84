import { fstatSync } from "node:fs";
import type { JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { isBlank, type Line } from "../../jsonl/line.ts";
import { parseLine } from "../../jsonl/parse-line.ts";
import { linesForward } from "../../jsonl/read-forward.ts";
import { readLine } from "../../jsonl/records.ts";
import { type LinePlace, RecordIndex } from "./record-index.ts";
import { type RecordShape, scanRecord } from "./scan.ts";
import { acceptsRecord, isKnownType, isTitleType } from "./schema.ts";
import { shapeIn } from "./shape-in.ts";

/**
 * Threads an open transcript, or the part of it from an offset on, in one pass. Only lines that are
 * not whole are parsed, to find what they still hold; unless the records are to be kept, which spares a short
 * part its second pass.
 */
export function indexFile(
  fd: number,
  options: {
    readonly from?: number;
    readonly line?: number;
    readonly keep?: boolean;
  } = {},
): RecordIndex {
  const from = options.from ?? 0;
  const index = new RecordIndex(capacityFor(fstatSync(fd).size - from));
  index.endOffset = from;
  index.endLine = options.line ?? 0;
  if (options.keep) index.kept = new Map();
  let number = index.endLine;
  for (const line of linesForward(fd, { from })) {
    number += 1;
    const whole = keptLine(index, line, number, options.keep) || addLine(index, line, number);
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

/** Adds a sound line with its record, where records are kept; the rest is left to those who look closer. */
function keptLine(
  index: RecordIndex,
  line: Line,
  number: number,
  keep: boolean | undefined,
): boolean {
  // A very long line is parsed only if it turns out to be asked for.
  if (!keep || line.length > limits.batchBytes || line.bytes.includes(0)) return false;
  const { records, kind } = parseLine(line.bytes, acceptsRecord);
  const [record] = records;
  if (kind !== undefined || record === undefined) return false;
  const shape = shapeIn(record, line.bytes) ?? scanRecord(line.bytes);
  if (shape === undefined) return false;
  index.kept?.set(line.offset, record);
  addShape(index, shape, { place: { offset: line.offset, length: line.length, line: number } });
  return true;
}

/** Adds what a line holds; whether it was sound. */
function addLine(index: RecordIndex, line: Line, number: number): boolean {
  const place = { offset: line.offset, length: line.length, line: number };
  const shape = line.tooLong ? undefined : scanRecord(line.bytes);
  if (shape !== undefined) {
    addShape(index, shape, { place });
    return true;
  }
  if (!line.tooLong && isBlank(line.bytes)) return line.complete;
  const read = readLine(line, number, acceptsRecord);
  if (read?.damage !== undefined) index.tell(read.damage);
  read?.records.forEach((record, part) => {
    const salvaged = shapeOf(record);
    if (salvaged !== undefined) addShape(index, salvaged, { place, part });
  });
  return read !== undefined && read.damage === undefined;
}

function addShape(
  index: RecordIndex,
  shape: RecordShape,
  at: { readonly place: LinePlace; readonly part?: number },
): void {
  const { type } = shape;
  const chained = shape.uuid !== undefined && shape.hasParent;
  if (shape.kind !== "other" || chained) index.add(shape, at.place, at.part);
  if (type === "last-prompt" && shape.leaf !== undefined) {
    index.named = { leaf: shape.leaf, after: index.size };
  } else if (at.part === undefined && isTitleType(type)) index.titles.set(type, at.place);
  if (!isKnownType(type)) countUnknown(index.unknown, type);
}

function countUnknown(unknown: Map<string, number>, type: string): void {
  // Types come from the file: their number is bounded, their sum is not lost.
  const name = unknown.has(type) || unknown.size < limits.unknownTypes ? type : "";
  unknown.set(name, (unknown.get(name) ?? 0) + 1);
}

/** The shape of a record that was parsed, by way of its text: salvage is rare and this keeps one rule. */
function shapeOf(record: JsonObject): RecordShape | undefined {
  return scanRecord(Buffer.from(JSON.stringify(record)));
}

import { asCount, isObject, type JsonObject, parseObject } from "../../../base/json.ts";
import { lineNumber } from "../../../jsonl/line-number.ts";
import { proofBefore } from "../../../jsonl/proof.ts";
import { recordsForward } from "../../../jsonl/records.ts";
import { eventNumber } from "../../../model/event-number.ts";
import { Batches } from "../../batches.ts";
import type { AgentEvent, ReadBatch, ReadOptions } from "../../contract.ts";
import { bodiesOf } from "./messages.ts";

/** Whether an object in a damaged line is a record of its own. */
export function acceptsRecord(record: JsonObject): boolean {
  return typeof record["role"] === "string" || typeof record["type"] === "string";
}

/** The message of a record: what it says lies below `message`. */
export function messageOf(record: JsonObject): JsonObject {
  const { role, message } = record;
  return { role, content: isObject(message) ? message["content"] : record["content"] };
}

/** The events of a transcript in lines, from a cursor on. */
export function* readTranscript(
  fd: number,
  { end, options }: { readonly end: number; readonly options: ReadOptions },
): Generator<ReadBatch> {
  const { from } = options;
  const place = from === undefined ? undefined : placeIn(fd, from, end);
  const batches = new Batches({ restart: from !== undefined && place === undefined });
  let { offset, line } = place ?? { offset: 0, line: 0 };
  const cursor = (): string =>
    JSON.stringify({ cursor: 1, offset, line, proof: proofBefore(fd, offset) });
  const last = from === undefined ? options.last : undefined;
  const kept: AgentEvent[] = [];
  const range = { from: offset, end, firstLine: line + 1, accepts: acceptsRecord };
  for (const found of recordsForward(fd, range)) {
    // An unfinished line is read when it is whole.
    if (!found.complete && from !== undefined) break;
    if (found.damage !== undefined) batches.damage(found.damage);
    const number = lineNumber(found);
    let count = 0;
    for (const record of found.records) {
      if (typeof record["role"] !== "string") {
        if (record["type"] !== "turn_ended")
          batches.unknown.add(String(record["type"]).slice(0, 64));
        continue;
      }
      for (const body of bodiesOf(messageOf(record), number)) {
        count += 1;
        kept.push({ number: eventNumber(number, count), live: true, body, native: record });
      }
    }
    if (found.complete) {
      offset = found.offset + found.length;
      line = found.line;
    }
    if (last !== undefined) kept.splice(0, kept.length - Math.max(0, last));
    else for (const event of kept.splice(0)) batches.event(event);
    batches.read(found.length);
    if (batches.isFull) yield batches.take(cursor());
  }
  for (const event of kept) batches.event(event);
  yield batches.last(cursor());
}

function placeIn(
  fd: number,
  cursor: string,
  end: number,
): { readonly offset: number; readonly line: number } | undefined {
  const value = parseObject(cursor);
  const [offset, line] = [asCount(value?.["offset"]), asCount(value?.["line"])];
  if (value?.["cursor"] !== 1 || offset === undefined || line === undefined || offset > end)
    return undefined;
  return proofBefore(fd, offset) === value["proof"] ? { offset, line } : undefined;
}

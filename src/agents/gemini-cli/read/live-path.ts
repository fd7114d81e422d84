import { isUtf8 } from "node:buffer";
import { ByteWindow } from "../../../base/byte-window.ts";
import { isObject, type JsonObject, parseObjectBytes } from "../../../base/json.ts";
import type { Element } from "../../../json/array-elements.ts";
import { isBlank, type Line } from "../../../jsonl/line.ts";
import { linesForward } from "../../../jsonl/read-forward.ts";
import type { Damage } from "../../../model/damage.ts";
import type { UnknownCounts } from "../../batches.ts";
import { countUnknownIn, countUnknownInSet, hasMeta, kindOf } from "../record-types.ts";
import { draftsOf } from "./bodies.ts";
import { entryKind, type MessageIndex, type Place } from "./message-index.ts";
import { rewriteAt, startsAsRewrite } from "./message-rewrite.ts";
import { wholeRecords } from "./salvage-records.ts";

/** How far a replay came. */
export interface ReplayEnd {
  /** The byte after the last line that was not torn. */
  readonly end: number;
  readonly line: number;
  /** The last record has no newline yet: its line may still go on. */
  readonly open: boolean;
}

/** What a replay fills. */
interface Books {
  readonly index: MessageIndex;
  readonly unknown: UnknownCounts;
}

/**
 * Replays a session file into the index: which version of which message is in the conversation. Damage is
 * yielded as it is found; content is parsed and dropped, so memory holds one line (P2, P5).
 */
export function* replay(
  fd: number,
  options: Books & { readonly end: number },
): Generator<Damage, ReplayEnd> {
  let number = 0;
  let reached: ReplayEnd = { end: 0, line: 0, open: false };
  for (const line of linesForward(fd, { end: options.end })) {
    number += 1;
    const says = line.tooLong || !isBlank(line.bytes);
    const damage = says ? yield* replayLine(fd, { ...options, line, number }) : undefined;
    if (damage !== undefined) yield damage;
    if (damage?.kind === "torn_tail") break;
    reached = { end: line.offset + line.length, line: number, open: !line.complete };
  }
  return reached;
}

function* replayLine(
  fd: number,
  work: Books & { readonly line: Line; readonly number: number },
): Generator<Damage, Damage | undefined> {
  const { line, number } = work;
  const { offset, length } = line;
  const end = offset + length;
  const first = line.tooLong ? new ByteWindow(fd, end).range(offset, 64) : line.bytes;
  if (startsAsRewrite(first)) {
    if (applyRewrite(new ByteWindow(fd, end), { ...work, offset, firstEvent: 0 }) !== undefined)
      return utf8Damage(line);
  } else if (!line.tooLong) {
    const record = parseObjectBytes(line.bytes);
    if (record !== undefined) {
      const place = { offset, length, line: number, firstEvent: 0 };
      yield* applyRecord(fd, { ...work, record, place });
      return utf8Damage(line);
    }
  }
  const recovered = yield* applyDamaged(new ByteWindow(fd, end), {
    ...work,
    brokenRewrite: startsAsRewrite(first),
  });
  return { kind: damageKind(line, recovered), offset, length, recovered };
}

function utf8Damage(line: Line): Damage | undefined {
  if (line.tooLong || isUtf8(line.bytes)) return undefined;
  return { kind: "bad_utf8", offset: line.offset, length: line.length, recovered: 1 };
}

function damageKind(line: Line, recovered: number): Damage["kind"] {
  if (line.tooLong) return "too_long";
  if (line.bytes.includes(0)) return "nul_run";
  if (recovered > 0) return "spliced";
  return line.complete ? "bad_json" : "torn_tail";
}

/** What can be read of a damaged line; the number of records that were. */
function* applyDamaged(
  window: ByteWindow,
  work: Books & { readonly line: Line; readonly number: number; readonly brokenRewrite: boolean },
): Generator<Damage, number> {
  const { line, number, index, unknown } = work;
  let recovered = 0;
  let firstEvent = 0;
  let waiting: (Element & { readonly record: JsonObject }) | undefined;
  const apply = function* (found: Element & { readonly record: JsonObject }, glued: boolean) {
    const { offset, length, record } = found;
    const place = { offset, length, line: number, firstEvent };
    const kind = kindOf(record);
    if (kind.kind === "message" && work.brokenRewrite && !glued) {
      countUnknownIn(record, unknown);
      index.recovered(kind.id, { ...place, rewritten: false });
      firstEvent += draftsOf(record).length;
    } else
      firstEvent += yield* applyRecord(window.fd, { index, unknown, record, place, counts: true });
    recovered += 1;
  };
  for (const found of wholeRecords(window, line.offset)) {
    if (waiting !== undefined) yield* apply(waiting, false);
    waiting = found;
  }
  // Of a rewrite that is not whole, only what was glued behind it is a record of its own.
  if (waiting !== undefined) yield* apply(waiting, line.complete);
  return recovered;
}

/** Applies one sound record; returns how many events its line has more by it. */
function* applyRecord(
  fd: number,
  work: Books & {
    readonly record: JsonObject;
    readonly place: Omit<Place, "rewritten">;
    /** Somebody asks how many events there are. */
    readonly counts?: boolean;
  },
): Generator<Damage, number> {
  const { index, unknown, record } = work;
  const place: Place = { ...work.place, rewritten: false };
  const kind = kindOf(record);
  switch (kind.kind) {
    case "rewind":
      index.rewind(kind.to);
      index.other(entryKind.rewind, place);
      return 1;
    case "message": {
      countUnknownIn(record, unknown);
      if (record["content"] === undefined && record["toolCalls"] === undefined) {
        const { offset, length } = place;
        const detail = "a message without content";
        yield { kind: "bad_record", offset, length, recovered: 1, detail };
      }
      index.message(kind.id, place);
      return work.counts ? draftsOf(record).length : 0;
    }
    case "set":
    case "header": {
      const fields = kind.kind === "set" ? kind.fields : record;
      if (kind.kind === "header") index.other(entryKind.header, place);
      if (fields["messages"] !== undefined) {
        const { offset, length, line, firstEvent } = place;
        const exact = new ByteWindow(fd, offset + length);
        return applyRewrite(exact, { index, unknown, number: line, offset, firstEvent }) ?? 0;
      }
      if (kind.kind === "header") return 1;
      countUnknownInSet(fields, unknown);
      if (hasMeta(fields)) index.other(entryKind.meta, place);
      return 1;
    }
    case "unknown":
      unknown.add("record");
      index.other(entryKind.unknown, place);
      return 1;
  }
}

/** Replaces the conversation by a rewritten one; undefined, and nothing done, where it is not sound. */
function applyRewrite(
  window: ByteWindow,
  work: Books & { readonly number: number; readonly offset: number; readonly firstEvent: number },
): number | undefined {
  const { index, unknown, number, offset } = work;
  const rewrite = rewriteAt(window, offset);
  if (rewrite === undefined) return undefined;
  let { firstEvent } = work;
  const fields = rewrite.frame["$set"];
  if (isObject(fields)) {
    countUnknownInSet(fields, unknown);
    if (hasMeta(fields)) {
      const length = window.end - offset;
      index.other(entryKind.meta, {
        offset,
        length,
        line: number,
        firstEvent,
        rewritten: false,
      });
      firstEvent += 1;
    }
  }
  index.clear();
  let ordinal = 0;
  for (const element of rewrite.messages()) {
    const { message } = element;
    const id = typeof message["id"] === "string" ? message["id"] : `#${number}.${ordinal}`;
    const place = { offset: element.offset, length: element.length, line: number, firstEvent };
    countUnknownIn(message, unknown);
    index.message(id, { ...place, rewritten: true });
    firstEvent += draftsOf(message).length;
    ordinal += 1;
  }
  return firstEvent - work.firstEvent;
}

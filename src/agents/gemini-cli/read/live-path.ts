import { isUtf8 } from "node:buffer";
import { ByteWindow } from "../../../base/byte-window.ts";
import { isObject, type JsonObject } from "../../../base/json.ts";
import type { Element } from "../../../json/array-elements.ts";
import { isBlank, type Line } from "../../../jsonl/line.ts";
import { linesForward } from "../../../jsonl/read-forward.ts";
import type { Damage } from "../../../model/damage.ts";
import { kindOf, tallyMessage, tallySet, type UnknownTally } from "../record-types.ts";
import { draftsOf } from "./bodies.ts";
import { entryKind, type Ledger, type Place } from "./message-index.ts";
import { rewriteAt } from "./message-rewrite.ts";
import { objectIn } from "./record-loader.ts";
import { startsAsRewrite } from "./rewrite-begin.ts";
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
  readonly ledger: Ledger;
  readonly tally: UnknownTally;
}

const touchStart = Buffer.from('{"$set":{"lastUpdated":"');

/**
 * Replays a session file into the ledger: which version of which message is in the conversation. Damage is
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
    const says = line.tooLong || !(isTouch(line.bytes) || isBlank(line.bytes));
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
    const record = objectIn(line.bytes);
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

/** Whether a line only says when the session was last touched; half of all lines do. */
export function isTouch(bytes: Buffer): boolean {
  return (
    bytes.length < 64 &&
    bytes.length > touchStart.length + 2 &&
    bytes.subarray(0, touchStart.length).equals(touchStart) &&
    bytes.indexOf(0x22, touchStart.length) === bytes.length - 3 &&
    bytes[bytes.length - 1] === 0x7d &&
    bytes[bytes.length - 2] === 0x7d
  );
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
  const { line, number, ledger, tally } = work;
  let recovered = 0;
  let firstEvent = 0;
  let waiting: (Element & { readonly record: JsonObject }) | undefined;
  const apply = function* (found: Element & { readonly record: JsonObject }, glued: boolean) {
    const { offset, length, record } = found;
    const place = { offset, length, line: number, firstEvent };
    const kind = kindOf(record);
    if (kind.kind === "message" && work.brokenRewrite && !glued) {
      tallyMessage(record, tally);
      ledger.recovered(kind.id, { ...place, rewritten: false });
      firstEvent += countOf(record);
    } else
      firstEvent += yield* applyRecord(window.fd, { ledger, tally, record, place, counts: true });
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
  const { ledger, tally, record } = work;
  const place: Place = { ...work.place, rewritten: false };
  const kind = kindOf(record);
  switch (kind.kind) {
    case "rewind":
      ledger.rewind(kind.to);
      ledger.other(entryKind.rewind, place);
      return 1;
    case "message": {
      tallyMessage(record, tally);
      if (record["content"] === undefined && record["toolCalls"] === undefined) {
        const { offset, length } = place;
        const detail = "a message without content";
        yield { kind: "bad_record", offset, length, recovered: 1, detail };
      }
      ledger.message(kind.id, place);
      return work.counts ? countOf(record) : 0;
    }
    case "set":
    case "header": {
      const fields = kind.kind === "set" ? kind.fields : record;
      if (kind.kind === "header") ledger.other(entryKind.header, place);
      if (fields["messages"] !== undefined) {
        const { offset, length, line, firstEvent } = place;
        const exact = new ByteWindow(fd, offset + length);
        return applyRewrite(exact, { ledger, tally, number: line, offset, firstEvent }) ?? 0;
      }
      if (kind.kind === "header") return 1;
      tallySet(fields, tally);
      if (hasMeta(fields)) ledger.other(entryKind.meta, place);
      return 1;
    }
    case "unknown":
      tally.add("record");
      ledger.other(entryKind.unknown, place);
      return 1;
  }
}

/** Replaces the conversation by a rewritten one; undefined, and nothing done, where it is not sound. */
function applyRewrite(
  window: ByteWindow,
  work: Books & { readonly number: number; readonly offset: number; readonly firstEvent: number },
): number | undefined {
  const { ledger, tally, number, offset } = work;
  const rewrite = rewriteAt(window, offset);
  if (rewrite === undefined) return undefined;
  let { firstEvent } = work;
  const fields = rewrite.frame["$set"];
  if (isObject(fields)) {
    tallySet(fields, tally);
    if (hasMeta(fields)) {
      const length = window.end - offset;
      ledger.other(entryKind.meta, {
        offset,
        length,
        line: number,
        firstEvent,
        rewritten: false,
      });
      firstEvent += 1;
    }
  }
  ledger.clear();
  let index = 0;
  for (const element of rewrite.messages()) {
    const { message } = element;
    const id = typeof message["id"] === "string" ? message["id"] : `#${number}.${index}`;
    const place = { offset: element.offset, length: element.length, line: number, firstEvent };
    tallyMessage(message, tally);
    ledger.message(id, { ...place, rewritten: true });
    firstEvent += countOf(message);
    index += 1;
  }
  return firstEvent - work.firstEvent;
}

function countOf(message: JsonObject): number {
  try {
    return draftsOf(message).length;
  } catch {
    // Too deep to look at; reading it will tell.
    return 1;
  }
}

/** Whether a `$set` says something worth an event. */
export function hasMeta(fields: JsonObject): boolean {
  return ["summary", "memoryScratchpad", "directories"].some((name) => fields[name] !== undefined);
}

import { hashText } from "../../../base/hash.ts";
import { asString, type JsonObject, parseObjectBytes } from "../../../base/json.ts";
import { isBlank } from "../../../jsonl/line.ts";
import { proofBefore } from "../../../jsonl/proof.ts";
import { linesForward } from "../../../jsonl/read-forward.ts";
import type { Damage } from "../../../model/damage.ts";
import { Batches } from "../../batches.ts";
import type { AgentEvent, ReadBatch } from "../../contract.ts";
import { countUnknownIn, countUnknownInSet, hasMeta, kindOf } from "../record-types.ts";
import { draftsOf } from "./bodies.ts";
import { CallPairing } from "./call-pairing.ts";
import { encodeCursor, type LineCursor, rememberedCalls, SeenMessages } from "./cursor.ts";
import { entryKind } from "./message-index.ts";
import { eventOf, numberOf } from "./numbering.ts";
import { sideEvent } from "./side-records.ts";

/** A sound record that was added after a cursor. */
interface Added {
  readonly record: JsonObject;
  readonly place: { readonly offset: number; readonly length: number; readonly line: number };
}

/**
 * Reads what was added after a cursor. False, and nothing yielded, where it changes what came before
 * (a rewind, a rewritten conversation, an old message again) or is damaged: then all must be read again.
 */
export function* readOn(
  fd: number,
  options: { readonly cursor: LineCursor; readonly size: number; readonly allBranches: boolean },
): Generator<ReadBatch, boolean> {
  const { cursor } = options;
  if (!onlyAdds(fd, options)) return false;
  const batches = new Batches();
  const seen = new SeenMessages(cursor);
  const pairing = new CallPairing(cursor.answered);
  let reached = { end: cursor.end, line: cursor.line, open: cursor.open };
  let parent = cursor.parent;
  const here = (): string =>
    encodeCursor({
      ...reached,
      sample: proofBefore(fd, reached.end),
      ...seen.state(),
      answered: pairing.answered(rememberedCalls),
      ...(parent === undefined ? {} : { parent }),
    });
  for (const item of added(fd, options)) {
    if (item.kind === "torn") {
      batches.damage(item.damage);
      break;
    }
    if (item.record !== undefined) {
      for (const event of eventsOf(
        { record: item.record, place: item.place },
        { seen, pairing, batches },
      )) {
        if (!event.live && !options.allBranches) continue;
        const linked = event.live && parent !== undefined ? { ...event, parent } : event;
        if (event.live) parent = event.number;
        batches.event(linked);
      }
    }
    reached = {
      end: item.place.offset + item.place.length,
      line: item.place.line,
      open: !item.complete,
    };
    batches.read(item.place.length);
    if (batches.isFull) yield batches.take(here());
  }
  yield batches.last(here());
  return true;
}

type AddedLine =
  | { readonly kind: "torn"; readonly damage: Damage }
  | {
      readonly kind: "line";
      /** Absent where the line says nothing new. */
      readonly record?: JsonObject;
      readonly place: Added["place"];
      readonly complete: boolean;
    }
  | { readonly kind: "broken" };

function* added(
  fd: number,
  options: { readonly cursor: LineCursor; readonly size: number },
): Generator<Exclude<AddedLine, { kind: "broken" }>> {
  for (const line of addedLines(fd, options)) if (line.kind !== "broken") yield line;
}

function* addedLines(
  fd: number,
  options: { readonly cursor: LineCursor; readonly size: number },
): Generator<AddedLine> {
  const { cursor, size } = options;
  let number = cursor.open ? cursor.line - 1 : cursor.line;
  let rest = cursor.open;
  for (const line of linesForward(fd, { from: cursor.end, end: size })) {
    number += 1;
    const { offset, length, complete } = line;
    const place = { offset, length, line: number };
    const silent = !line.tooLong && isBlank(line.bytes);
    // The rest of a line that was read before must be its newline; anything more was glued to it.
    if (rest && !isBlank(line.bytes)) yield { kind: "broken" };
    rest = false;
    if (silent) {
      yield { kind: "line", place, complete };
      continue;
    }
    const record = line.tooLong ? undefined : parseObjectBytes(line.bytes);
    if (record !== undefined) yield { kind: "line", record, place, complete };
    else if (complete || line.tooLong) yield { kind: "broken" };
    else yield { kind: "torn", damage: { kind: "torn_tail", offset, length, recovered: 0 } };
  }
}

/** Whether everything after the cursor only adds to what was handed out. */
function onlyAdds(
  fd: number,
  options: { readonly cursor: LineCursor; readonly size: number },
): boolean {
  const seen = new SeenMessages(options.cursor);
  for (const line of addedLines(fd, options)) {
    if (line.kind === "broken") return false;
    if (line.kind === "torn" || line.record === undefined) continue;
    const kind = kindOf(line.record);
    if (kind.kind === "rewind") return false;
    const fields = kind.kind === "set" ? kind.fields : line.record;
    if (kind.kind !== "message") {
      if (fields["messages"] !== undefined) return false;
      continue;
    }
    const keys = draftsOf(line.record).map(({ key }) => key);
    const before = seen.find(kind.id);
    const at = asString(line.record["timestamp"]);
    if (before === undefined) {
      if (at !== undefined && seen.at !== undefined && at < seen.at) return false;
    } else {
      const now = new Set(keys.map(hashText));
      if (!before.keys.every((key) => now.has(key))) return false;
    }
    seen.add({ id: kind.id, keys, ...(at === undefined ? {} : { at }) });
  }
  return true;
}

function eventsOf(
  item: Added,
  state: {
    readonly seen: SeenMessages;
    readonly pairing: CallPairing;
    readonly batches: Batches;
  },
): AgentEvent[] {
  const { record, place } = item;
  const { seen, pairing, batches } = state;
  const kind = kindOf(record);
  const spot = { ...place, firstEvent: 0 };
  if (kind.kind !== "message") {
    if (kind.kind === "set") countUnknownInSet(kind.fields, batches.unknown);
    if (kind.kind === "unknown") batches.unknown.add("record");
    if (kind.kind === "header" || (kind.kind === "set" && !hasMeta(kind.fields))) return [];
    const told = kind.kind === "set" ? entryKind.meta : entryKind.unknown;
    const event = sideEvent(record, { kind: told, place: spot });
    return event === undefined ? [] : [event];
  }
  countUnknownIn(record, batches.unknown);
  const onDamage = (damage: Damage): void => batches.damage(damage);
  const drafts = draftsOf(record, { place, onDamage });
  const before = new Set(seen.find(kind.id)?.keys);
  const at = asString(record["timestamp"]);
  seen.add({
    id: kind.id,
    keys: drafts.map((draft) => draft.key),
    ...(at === undefined ? {} : { at }),
  });
  return drafts.flatMap((draft, index) => {
    if (before.has(hashText(draft.key))) return [];
    const body = draft.live ? pairing.admit(draft.body) : draft.body;
    if (body === undefined) return [];
    const number = numberOf(spot, index);
    return [eventOf({ ...draft, body }, { number, message: record })];
  });
}

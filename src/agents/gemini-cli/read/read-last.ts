import { fstatSync } from "node:fs";
import { ByteWindow } from "../../../base/byte-window.ts";
import { type JsonObject, parseObjectBytes } from "../../../base/json.ts";
import { isBlank } from "../../../jsonl/line.ts";
import { linesBefore } from "../../../jsonl/line-number.ts";
import { proofBefore } from "../../../jsonl/proof.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import type { Damage } from "../../../model/damage.ts";
import { Batches, type UnknownCounts } from "../../batches.ts";
import type { AgentEvent, ReadBatch } from "../../contract.ts";
import { countUnknownIn, hasMeta, kindOf } from "../record-types.ts";
import { draftsOf } from "./bodies.ts";
import { CallPairing } from "./call-pairing.ts";
import { encodeCursor } from "./cursor.ts";
import { deadBody, emitEvents } from "./events.ts";
import { replay } from "./live-path.ts";
import { entryKind, MessageIndex } from "./message-index.ts";
import { eventOf, numberOf } from "./numbering.ts";
import { RecordLoader } from "./record-loader.ts";
import { sideEvent } from "./side-records.ts";

/** The last events, from the end where the file allows it, else by a pass that keeps only them. */
export function readLast(
  fd: number,
  options: { readonly last: number; readonly allBranches: boolean },
): ReadBatch {
  const { allBranches } = options;
  const count = Math.max(0, Math.floor(options.last));
  const size = fstatSync(fd).size;
  const batches = new Batches();
  const { unknown } = batches;
  const near = nearEnd(fd, { size, count, allBranches, unknown });
  if (near === undefined) wholePass(fd, { size, count, allBranches, batches });
  else {
    for (const damage of near.damage) batches.damage(damage);
    for (const event of near.events) batches.event(event);
  }
  const sample = proofBefore(fd, size);
  const place = { end: size, line: 0, open: false, done: 0, seen: [], answered: [] };
  return batches.last(encodeCursor({ ...place, sample }));
}

function wholePass(
  fd: number,
  work: {
    readonly size: number;
    readonly count: number;
    readonly allBranches: boolean;
    readonly batches: Batches;
  },
): void {
  const { size, count, allBranches, batches } = work;
  const onDamage = (damage: Damage): void => batches.damage(damage);
  const index = new MessageIndex();
  for (const damage of replay(fd, { end: size, index, unknown: batches.unknown })) onDamage(damage);
  index.seal();
  const loader = new RecordLoader(new ByteWindow(fd, size));
  const pairing = new CallPairing();
  let kept: AgentEvent[] = [];
  for (const event of emitEvents({ index, loader, allBranches, pairing, onDamage })) {
    kept.push(event);
    if (kept.length >= count * 2 + 256) kept = kept.slice(kept.length - count);
  }
  for (const event of count === 0 ? [] : kept.slice(-count)) batches.event(event);
}

/** One version of a message found from the end. */
interface Version {
  readonly record: JsonObject;
  readonly offset: number;
  readonly length: number;
  /** Lines between this one and the end of the file, it included. */
  readonly fromEnd: number;
}

/**
 * The last events of a file, read from its end. Undefined where the end does not tell: a rewind, a rewritten
 * conversation or damage stands there, or the whole file has fewer; then a full pass must.
 */
function nearEnd(
  fd: number,
  options: {
    readonly size: number;
    readonly count: number;
    readonly allBranches: boolean;
    readonly unknown: UnknownCounts;
  },
): { readonly events: readonly AgentEvent[]; readonly damage: readonly Damage[] } | undefined {
  const messages = new Map<string, Version[]>();
  const damage: Damage[] = [];
  let fromEnd = 0;
  let events = 0;
  for (const line of linesBackward(fd, { end: options.size })) {
    fromEnd += 1;
    if (line.tooLong) return undefined;
    if (isBlank(line.bytes)) continue;
    const { offset, length } = line;
    const record = parseObjectBytes(line.bytes);
    if (record === undefined) {
      if (line.complete) return undefined;
      damage.push({ kind: "torn_tail", offset, length, recovered: 0 });
      continue;
    }
    const kind = kindOf(record);
    const version = { record, offset, length, fromEnd };
    if (kind.kind !== "message") {
      if (kind.kind !== "set" || kind.fields["messages"] !== undefined) return undefined;
      if (hasMeta(kind.fields)) messages.set(`$set ${fromEnd}`, [version]);
      continue;
    }
    const versions = messages.get(kind.id);
    if (versions !== undefined) {
      versions.unshift(version);
      continue;
    }
    // A typed prompt begins a turn: nothing before it is completed or repeated after it.
    if (events >= options.count && beginsTurn(record)) {
      messages.set(kind.id, [version]);
      const found = eventsOf(fd, { ...options, messages, damage, fromEnd, offset });
      return found.length < options.count ? undefined : { events: found, damage };
    }
    messages.set(kind.id, [version]);
    events += liveCount(record);
  }
  return undefined;
}

/** The events a message surely gives; a result in a user message mostly repeats one. */
function liveCount(record: JsonObject): number {
  const drafts = draftsOf(record);
  const repeats = record["type"] === "user";
  return drafts.filter((draft) => draft.live && !(repeats && draft.body.type === "tool_result"))
    .length;
}

function beginsTurn(record: JsonObject): boolean {
  if (record["type"] !== "user") return false;
  const drafts = draftsOf(record);
  return drafts.length > 0 && drafts.every((draft) => draft.body.type === "user");
}

function eventsOf(
  fd: number,
  work: {
    readonly count: number;
    readonly allBranches: boolean;
    readonly unknown: UnknownCounts;
    readonly messages: ReadonlyMap<string, readonly Version[]>;
    readonly damage: Damage[];
    readonly fromEnd: number;
    readonly offset: number;
  },
): AgentEvent[] {
  const firstLine = linesBefore(fd, work.offset) + 1;
  const pairing = new CallPairing();
  const dead = new CallPairing();
  let parent: string | undefined;
  const events: AgentEvent[] = [];
  const onDamage = (damage: Damage): void => void work.damage.push(damage);
  const placeOf = ({ offset, fromEnd }: Version) => ({
    line: firstLine + work.fromEnd - fromEnd,
    offset,
    firstEvent: 0,
  });
  const push = (event: AgentEvent): void => {
    events.push(parent === undefined || !event.live ? event : { ...event, parent });
    if (event.live) parent = event.number;
  };
  const inOrder = [...work.messages.values()].sort((a, b) => a[0]!.offset - b[0]!.offset);
  for (const versions of inOrder) {
    const newest = versions.at(-1)!;
    if (newest.record["$set"] !== undefined) {
      const event = sideEvent(newest.record, { kind: entryKind.meta, place: placeOf(newest) });
      if (event !== undefined) push(event);
      continue;
    }
    countUnknownIn(newest.record, work.unknown);
    const current = draftsOf(newest.record, { place: newest, onDamage });
    const told = new Set<string>();
    for (const version of versions) {
      const drafts = draftsOf(version.record, { place: version, onDamage });
      for (const [index, draft] of drafts.entries()) {
        if (told.has(draft.key)) continue;
        told.add(draft.key);
        const kept = current.find((one) => one.key === draft.key);
        const live = kept?.live ?? false;
        if (!live && !work.allBranches) continue;
        const said = kept ?? draft;
        const body = live ? pairing.admit(said.body) : deadBody(said.body, { pairing, dead });
        if (body === undefined) continue;
        const number = numberOf(placeOf(version), index);
        const message = kept === undefined ? version.record : newest.record;
        push(eventOf({ ...said, live, body }, { number, message }));
      }
    }
  }
  return work.count === 0 ? [] : events.slice(-work.count);
}

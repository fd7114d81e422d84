import { readSync } from "node:fs";
import type { JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { isBlank, newline } from "../../jsonl/line.ts";
import { linesBackward } from "../../jsonl/read-backward.ts";
import type { Damage } from "../../model/damage.ts";
import type { AgentEvent } from "../contract.ts";
import { eventOf, numberOf, safeDrafts, sideBody } from "./emit.ts";
import { entryKind } from "./ledger.ts";
import { objectIn } from "./loader.ts";
import { CallPairing } from "./pairing.ts";
import { kindOf, tallyMessage, type UnknownTally } from "./record.ts";
import { hasMeta, isTouch } from "./replay.ts";

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
 * history or damage stands there, or the whole file has fewer; then a full pass must.
 */
export function lastEvents(
  fd: number,
  options: { readonly size: number; readonly count: number; readonly tally: UnknownTally },
): { readonly events: readonly AgentEvent[]; readonly damage: readonly Damage[] } | undefined {
  const messages = new Map<string, Version[]>();
  const damage: Damage[] = [];
  let fromEnd = 0;
  let events = 0;
  for (const line of linesBackward(fd, { end: options.size })) {
    fromEnd += 1;
    if (line.tooLong) return undefined;
    if (isBlank(line.bytes) || isTouch(line.bytes)) continue;
    const { offset, length } = line;
    const record = objectIn(line.bytes);
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
  const place = { offset: 0, length: 0 };
  const drafts = safeDrafts(record, { place, rewritten: false, onDamage: () => {} });
  const repeats = record["type"] === "user";
  return drafts.filter((draft) => draft.live && !(repeats && draft.body.type === "tool_result"))
    .length;
}

function beginsTurn(record: JsonObject): boolean {
  if (record["type"] !== "user") return false;
  const drafts = safeDrafts(record, {
    place: { offset: 0, length: 0 },
    rewritten: false,
    onDamage: () => {},
  });
  return drafts.length > 0 && drafts.every((draft) => draft.body.type === "user");
}

function eventsOf(
  fd: number,
  work: {
    readonly count: number;
    readonly tally: UnknownTally;
    readonly messages: ReadonlyMap<string, readonly Version[]>;
    readonly damage: Damage[];
    readonly fromEnd: number;
    readonly offset: number;
  },
): AgentEvent[] {
  const firstLine = linesBefore(fd, work.offset) + 1;
  const pairing = new CallPairing();
  const events: AgentEvent[] = [];
  const onDamage = (damage: Damage): void => void work.damage.push(damage);
  const lineOf = (version: Version): number => firstLine + work.fromEnd - version.fromEnd;
  const push = (event: AgentEvent): void => {
    const parent = events.at(-1)?.number;
    events.push(parent === undefined ? event : { ...event, parent });
  };
  const inOrder = [...work.messages.values()].sort((a, b) => a[0]!.offset - b[0]!.offset);
  for (const versions of inOrder) {
    const newest = versions.at(-1)!;
    if (newest.record["$set"] !== undefined) {
      const body = sideBody(newest.record, entryKind.meta);
      if (body !== undefined)
        push({ number: `${lineOf(newest)}`, live: true, body, native: newest.record });
      continue;
    }
    tallyMessage(newest.record, work.tally);
    const current = safeDrafts(newest.record, { place: newest, rewritten: false, onDamage });
    const told = new Set<string>();
    for (const version of versions) {
      const drafts = safeDrafts(version.record, { place: version, rewritten: false, onDamage });
      for (const [index, draft] of drafts.entries()) {
        const kept = current.find((one) => one.key === draft.key);
        if (told.has(draft.key) || kept === undefined || !kept.live) continue;
        told.add(draft.key);
        const body = pairing.admit(kept.body);
        if (body === undefined) continue;
        const place = { line: lineOf(version), firstEvent: 0, shared: false };
        const number = numberOf(place, { index, count: drafts.length });
        push(eventOf({ ...kept, body }, { number, message: newest.record }));
      }
    }
  }
  return work.count === 0 ? [] : events.slice(-work.count);
}

/** How many lines end before an offset. */
function linesBefore(fd: number, offset: number): number {
  const buffer = Buffer.allocUnsafe(limits.chunkBytes * 4);
  let lines = 0;
  for (let position = 0; position < offset; ) {
    const taken = readSync(fd, buffer, 0, Math.min(buffer.length, offset - position), position);
    if (taken === 0) break;
    const held = buffer.subarray(0, taken);
    for (let at = held.indexOf(newline); at >= 0; at = held.indexOf(newline, at + 1)) lines += 1;
    position += taken;
  }
  return lines;
}

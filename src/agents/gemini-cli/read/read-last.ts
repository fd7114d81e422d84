import type { JsonObject } from "../../../base/json.ts";
import { isBlank } from "../../../jsonl/line.ts";
import { linesBefore } from "../../../jsonl/line-number.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import type { Damage } from "../../../model/damage.ts";
import type { AgentEvent } from "../../contract.ts";
import { kindOf, tallyMessage, type UnknownTally } from "../record-types.ts";
import { CallPairing } from "./call-pairing.ts";
import { deadBody, eventOf, numberOf, safeDrafts, sideBody } from "./events.ts";
import { hasMeta, isTouch } from "./live-path.ts";
import { entryKind } from "./message-index.ts";
import { objectIn } from "./record-loader.ts";

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
  options: {
    readonly size: number;
    readonly count: number;
    readonly allBranches: boolean;
    readonly tally: UnknownTally;
  },
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
    readonly allBranches: boolean;
    readonly tally: UnknownTally;
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
      const body = sideBody(newest.record, entryKind.meta);
      if (body !== undefined)
        push({ number: numberOf(placeOf(newest), 0), live: true, body, native: newest.record });
      continue;
    }
    tallyMessage(newest.record, work.tally);
    const current = safeDrafts(newest.record, { place: newest, rewritten: false, onDamage });
    const told = new Set<string>();
    for (const version of versions) {
      const drafts = safeDrafts(version.record, { place: version, rewritten: false, onDamage });
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

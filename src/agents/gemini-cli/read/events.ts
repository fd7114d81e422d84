import { asString, type JsonObject } from "../../../base/json.ts";
import type { Damage } from "../../../model/damage.ts";
import type { EventBody } from "../../../model/event.ts";
import type { AgentEvent } from "../../contract.ts";
import { type Draft, draftsOf } from "./bodies.ts";
import { CallPairing } from "./call-pairing.ts";
import { entryKind, type MessageIndex, type Place } from "./message-index.ts";
import { eventOf, numberOf } from "./numbering.ts";
import type { RecordLoader } from "./record-loader.ts";
import { sideEvent } from "./side-records.ts";

/** A message with the keys of what was emitted of it; a cursor remembers the newest. */
export interface Emitted {
  readonly id: string;
  readonly keys: readonly string[];
  readonly at?: string;
}

/** What emitting needs and what it leaves behind. */
export interface EmitOptions {
  readonly index: MessageIndex;
  readonly loader: RecordLoader;
  readonly allBranches: boolean;
  readonly pairing: CallPairing;
  readonly onDamage: (damage: Damage) => void;
  readonly onMessage?: (emitted: Emitted) => void;
}

/**
 * The events of a replayed session: the conversation in its order, everything else where its line stands.
 * An event has the number of the first line that said it, so that numbers survive the program's rewrites.
 */
export function* emitEvents(options: EmitOptions): Generator<AgentEvent> {
  const { index, loader } = options;
  const dead = new CallPairing();
  let parent: string | undefined;
  let side = 0;
  let started = false;
  const chained = (event: AgentEvent): AgentEvent => {
    if (!event.live) return event;
    const linked = parent === undefined ? event : { ...event, parent };
    parent = event.number;
    return linked;
  };
  const sides = function* (untilLine: number): Generator<AgentEvent> {
    for (; side < index.size && index.lineAt(side) < untilLine; side += 1) {
      const kind = index.kindAt(side);
      if (kind === entryKind.message) {
        if (options.allBranches) yield* deadEvents(side, { ...options, dead });
        continue;
      }
      if (kind === entryKind.header) {
        if (started) continue;
        started = true;
      }
      // A rewrite may be too long to hold; what it says besides its messages is in its frame.
      const place = index.placeAt(side);
      const record = loader.load(place);
      const event = record && sideEvent(record, { kind, place });
      if (event !== undefined && (event.live || options.allBranches)) yield chained(event);
    }
  };
  for (let position = 0; position < index.liveSize; position += 1) {
    const entry = index.liveAt(position);
    const versions = index.versions(entry);
    const firstLine = index.lineAt(versions[0]!);
    for (const { event, line } of versionEvents(versions, options)) {
      const body = event.live
        ? options.pairing.admit(event.body)
        : deadBody(event.body, { pairing: options.pairing, dead });
      if (body === undefined) continue;
      if (!event.live && !options.allBranches) continue;
      // What is not live must not move what is: it keeps to where its message first stood.
      yield* sides(event.live ? line : firstLine);
      yield chained({ ...event, body });
    }
  }
  yield* sides(Number.POSITIVE_INFINITY);
}

/** A message that left the conversation, told once, where its first version stands. */
function* deadEvents(
  entry: number,
  options: EmitOptions & { readonly dead: CallPairing },
): Generator<AgentEvent> {
  const { index } = options;
  const newest = index.deadNewest(entry);
  if (newest === undefined) return;
  const versions = index.versions(newest);
  for (const { event } of versionEvents(versions, { ...options, onMessage: undefined })) {
    const body = deadBody(event.body, options);
    if (body !== undefined) yield { ...event, live: false, body };
  }
}

/** What is reported a body that left the conversation: no result a second time, wherever it was reported. */
export function deadBody(
  body: EventBody,
  told: { readonly pairing: CallPairing; readonly dead: CallPairing },
): EventBody | undefined {
  if (body.type === "tool_result" && told.pairing.hasAnswered(body.call)) return undefined;
  return told.dead.admit(body);
}

/** An event, and the line that first said it. */
interface Told {
  readonly event: AgentEvent;
  readonly line: number;
}

/** The events of all versions of one message: what the newest says, and what only older ones said as dead. */
function versionEvents(
  versions: readonly number[],
  options: Omit<EmitOptions, "onMessage"> & {
    readonly onMessage?: ((emitted: Emitted) => void) | undefined;
  },
): Told[] {
  const { index, loader } = options;
  const rewritten = versions.every((entry) => index.placeAt(entry).rewritten);
  const read = versions.flatMap((entry) => {
    const place = index.placeAt(entry);
    const message = loader.load(place);
    if (message === undefined) {
      options.onDamage({
        kind: "bad_record",
        offset: place.offset,
        length: place.length,
        recovered: 0,
      });
      return [];
    }
    return [
      {
        place,
        message,
        drafts: draftsOf(message, { place, rewritten, onDamage: options.onDamage }),
      },
    ];
  });
  const newest = read.at(-1);
  if (newest === undefined) return [];
  const events = read.length === 1 ? eventsIn(newest) : mergedEvents(read, newest);
  const id = asString(newest.message["id"]);
  const at = asString(newest.message["timestamp"]);
  if (id !== undefined) {
    const keys = newest.drafts.map((draft) => draft.key);
    options.onMessage?.({ id, keys, ...(at === undefined ? {} : { at }) });
  }
  return events;
}

interface Version {
  readonly place: Place;
  readonly message: JsonObject;
  readonly drafts: readonly Draft[];
}

function eventsIn({ place, message, drafts }: Version): Told[] {
  return drafts.map((draft, at) => ({
    event: eventOf(draft, { number: numberOf(place, at), message }),
    line: place.line,
  }));
}

function mergedEvents(versions: readonly Version[], newest: Version): Told[] {
  const current = new Map(newest.drafts.map((draft) => [draft.key, draft]));
  const told = new Set<string>();
  const events: Told[] = [];
  for (const { place, message, drafts } of versions) {
    for (const [at, draft] of drafts.entries()) {
      if (told.has(draft.key)) continue;
      told.add(draft.key);
      const kept = current.get(draft.key);
      const number = numberOf(place, at);
      const event =
        kept === undefined
          ? eventOf({ ...draft, live: false }, { number, message })
          : eventOf(kept, { number, message: newest.message });
      events.push({ event, line: place.line });
    }
  }
  return events;
}

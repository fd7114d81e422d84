import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import { isCounted, lineNumber } from "../../../jsonl/line-number.ts";
import type { Damage } from "../../../model/damage.ts";
import type { EventBody } from "../../../model/event.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { AgentEvent } from "../../contract.ts";
import { type Draft, draftsOf } from "./bodies.ts";
import { CallPairing } from "./call-pairing.ts";
import { entryKind, type Ledger, type Place } from "./message-index.ts";
import type { Loader } from "./record-loader.ts";

/** A message with the keys of what was emitted of it; a cursor remembers the newest. */
export interface Emitted {
  readonly id: string;
  readonly keys: readonly string[];
  readonly at?: string;
}

/** What emitting needs and what it leaves behind. */
export interface EmitOptions {
  readonly ledger: Ledger;
  readonly loader: Loader;
  readonly allBranches: boolean;
  /** Begin at this place of the conversation; what came before is passed over. */
  readonly fromPosition?: number;
  readonly pairing: CallPairing;
  readonly onDamage: (damage: Damage) => void;
  readonly onMessage?: (emitted: Emitted) => void;
}

/**
 * The events of a replayed session: the conversation in its order, everything else where its line stands.
 * An event has the number of the first line that said it, so that numbers survive the program's rewrites.
 */
export function* emitEvents(options: EmitOptions): Generator<AgentEvent> {
  const { ledger, fromPosition = 0 } = options;
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
    for (; side < ledger.size && ledger.lineAt(side) < untilLine; side += 1) {
      const kind = ledger.kindAt(side);
      if (kind === entryKind.message) {
        if (options.allBranches) yield* deadEvents(side, { ...options, dead });
        continue;
      }
      if (kind === entryKind.header) {
        if (started) continue;
        started = true;
      }
      for (const event of sideEvents(side, kind, options)) {
        if (event.live || options.allBranches) yield chained(event);
      }
    }
  };
  if (fromPosition > 0) {
    side = ledger.size;
    started = true;
  }
  for (let position = fromPosition; position < ledger.liveSize; position += 1) {
    const entry = ledger.liveAt(position);
    const versions = ledger.versions(entry);
    const firstLine = ledger.lineAt(versions[0]!);
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
  const { ledger } = options;
  const newest = ledger.deadNewest(entry);
  if (newest === undefined) return;
  const versions = ledger.versions(newest);
  for (const { event } of versionEvents(versions, { ...options, onMessage: undefined })) {
    const body = deadBody(event.body, options);
    if (body !== undefined) yield { ...event, live: false, body };
  }
}

/** What is told of a body that left the conversation: no result a second time, wherever it was told. */
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
  const { ledger, loader } = options;
  const rewritten = versions.every((entry) => ledger.placeAt(entry).rewritten);
  const read = versions.flatMap((entry) => {
    const place = ledger.placeAt(entry);
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
        drafts: safeDrafts(message, { place, rewritten, onDamage: options.onDamage }),
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
  return drafts.map((draft, index) => ({
    event: eventOf(draft, { number: numberOf(place, index), message }),
    line: place.line,
  }));
}

function mergedEvents(versions: readonly Version[], newest: Version): Told[] {
  const current = new Map(newest.drafts.map((draft) => [draft.key, draft]));
  const told = new Set<string>();
  const events: Told[] = [];
  for (const { place, message, drafts } of versions) {
    for (const [index, draft] of drafts.entries()) {
      if (told.has(draft.key)) continue;
      told.add(draft.key);
      const kept = current.get(draft.key);
      const number = numberOf(place, index);
      const event =
        kept === undefined
          ? eventOf({ ...draft, live: false }, { number, message })
          : eventOf(kept, { number, message: newest.message });
      events.push({ event, line: place.line });
    }
  }
  return events;
}

/** The drafts of a message; a value too deep to look at is told as damage. */
export function safeDrafts(
  message: JsonObject,
  options: {
    readonly place: Pick<Place, "offset" | "length">;
    readonly rewritten: boolean;
    readonly onDamage: (damage: Damage) => void;
  },
): readonly Draft[] {
  try {
    return draftsOf(message, { rewritten: options.rewritten });
  } catch (error) {
    const { offset, length } = options.place;
    options.onDamage({ kind: "bad_record", offset, length, recovered: 0, detail: String(error) });
    return [];
  }
}

/** The number of a record's event: by its line, beyond the counted lines by where the record begins. */
export function numberOf(
  place: Pick<Place, "line" | "offset" | "firstEvent">,
  index: number,
): string {
  const before = isCounted(place.offset) ? place.firstEvent : 0;
  return eventNumber(lineNumber(place), before + index + 1);
}

/** A draft with its number and its native record. */
export function eventOf(
  draft: Draft,
  options: { readonly number: string; readonly message: JsonObject },
): AgentEvent {
  const uuid = asString(options.message["id"]);
  return {
    number: options.number,
    ...(uuid === undefined ? {} : { uuid }),
    ...(draft.at === undefined ? {} : { at: draft.at }),
    live: draft.live,
    body: draft.body,
    native: options.message,
  };
}

function sideEvents(entry: number, kind: number, options: EmitOptions): AgentEvent[] {
  const place = options.ledger.placeAt(entry);
  // A rewrite may be too long to hold; what it says besides its messages is in its frame.
  const record = options.loader.load(place);
  if (record === undefined) return [];
  const body = sideBody(record, kind);
  if (body === undefined) return [];
  const number = numberOf(place, 0);
  const at = asString(record["startTime"]);
  const live = body.type !== "custom";
  return [{ number, ...(at === undefined ? {} : { at }), live, body, native: record }];
}

/** The event of a record that is no message. */
export function sideBody(record: JsonObject, kind: number): EventBody | undefined {
  switch (kind) {
    case entryKind.header: {
      const {
        sessionId,
        projectHash,
        startTime: _at,
        lastUpdated: _updated,
        messages: _,
        ...metadata
      } = record;
      return {
        type: "session_start",
        format: 1,
        session: String(sessionId),
        agent: { name: "gemini-cli" },
        metadata: { ...(projectHash === undefined ? {} : { projectHash }), ...metadata },
      };
    }
    case entryKind.meta:
      return isObject(record["$set"]) ? metaBody(record["$set"]) : undefined;
    case entryKind.rewind:
      return { type: "custom", name: "gemini-cli/rewind", data: { to: record["$rewindTo"] } };
    default:
      return { type: "custom", name: "gemini-cli/record", data: record };
  }
}

function metaBody(fields: JsonObject): EventBody {
  const summary = asString(fields["summary"]);
  const data: Record<string, unknown> = {};
  for (const name of ["memoryScratchpad", "directories"]) {
    if (fields[name] !== undefined) data[name] = fields[name];
  }
  return {
    type: "meta",
    ...(summary === undefined ? {} : { title: summary }),
    ...(Object.keys(data).length === 0 ? {} : { data }),
  };
}

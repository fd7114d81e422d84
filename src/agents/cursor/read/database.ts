import { checkReadable } from "../../../base/open-file.ts";
import { eventNumber } from "../../../model/event-number.ts";
import { signatureOf } from "../../../sqlite/private-copy.ts";
import { Batches } from "../../batches.ts";
import type { AgentEvent, ReadBatch, ReadOptions, SessionRef } from "../../contract.ts";
import { KeyValues } from "../key-values.ts";
import { meant } from "../part.ts";
import { isOfStore, messagesOf } from "./blob-tree.ts";
import { bodiesOf as bodiesOfBubble, frameOf } from "./bubbles.ts";
import { bubblesOf, composerOf, isOfComposer } from "./composer.ts";
import { editedFile } from "./edited-file.ts";
import { bodiesOf as bodiesOfMessage } from "./messages.ts";
import { savedKeys, savedRecords } from "./saved.ts";

/** Some part of a database as events; what is damaged goes to the batches. */
type Events = (values: KeyValues, batches: Batches) => Generator<AgentEvent>;

/** What is read of a database for a ref, and which keys that needs. */
interface Plan {
  wants(key: string): boolean;
  readonly events: Events;
}

/**
 * The events of what a ref means in a database. The program writes its records again as they grow: any change of the
 * files means to begin again.
 */
export function* readDatabase(ref: SessionRef, options: ReadOptions): Generator<ReadBatch> {
  checkReadable(ref.path);
  const cursor = `cursor2 ${signatureOf(ref.path).state}`;
  if (options.from === cursor) {
    yield { events: [], damage: [], cursor };
    return;
  }
  const plan = planOf(ref);
  const batches = new Batches({ restart: options.from !== undefined });
  const last = options.from === undefined ? options.last : undefined;
  const kept: AgentEvent[] = [];
  const values = new KeyValues(ref.path, plan);
  try {
    for (const event of plan.events(values, batches)) {
      if (!event.live && !options.allBranches) continue;
      if (last === undefined) batches.event(event);
      else {
        kept.push(event);
        if (kept.length > last) kept.shift();
      }
      if (batches.isFull) yield batches.take(cursor);
    }
    for (const damage of values.damage) batches.damage(damage);
  } finally {
    values.close();
  }
  for (const event of kept) batches.event(event);
  yield batches.last(cursor);
}

function planOf(ref: SessionRef): Plan {
  const of = meant(ref);
  switch (of.kind) {
    case "composer":
      return { wants: isOfComposer(of.id), events: composerEvents(of.id) };
    case "store":
      return { wants: isOfStore, events: storeEvents };
    default: {
      const wanted = new Set(savedKeys(of));
      return { wants: (key) => wanted.has(key), events: savedEvents(of) };
    }
  }
}

function composerEvents(id: string): Events {
  return function* (values, batches) {
    const record = composerOf(values, id);
    if (record === undefined) {
      const detail = "the record of the conversation is missing or no JSON";
      batches.damage({ kind: "bad_header", offset: 0, recovered: 0, detail });
    }
    const found = bubblesOf(values, { id, record }, (damage) => batches.damage(damage));
    for (const { place, bubble, isOrphan } of found) {
      const frame = { ...frameOf(bubble), live: !isOrphan, native: bubble };
      const bodies = [...bodiesOfBubble(bubble), ...editedFile(bubble, values)];
      for (const [index, body] of bodies.entries())
        yield { number: eventNumber(String(place), index + 1), ...frame, body };
    }
  };
}

function* storeEvents(values: KeyValues, batches: Batches): Generator<AgentEvent> {
  for (const { place, id, message } of messagesOf(values, (damage) => batches.damage(damage))) {
    for (const [index, body] of bodiesOfMessage(message, String(place)).entries()) {
      const number = eventNumber(String(place), index + 1);
      yield { number, uuid: id, live: true, body, native: message };
    }
  }
}

function savedEvents(of: ReturnType<typeof meant>): Events {
  return function* (values, batches) {
    const records = savedRecords(values, of);
    if (records === undefined) {
      const detail = "what is stored there is missing or no JSON";
      batches.damage({ kind: "bad_record", offset: 0, recovered: 0, detail });
    }
    for (const [place, { bodies, ...record }] of (records ?? []).entries())
      for (const [index, body] of bodies.entries())
        yield { number: eventNumber(String(place + 1), index + 1), ...record, live: true, body };
  };
}

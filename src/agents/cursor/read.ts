import { isRepriseError } from "../../base/errors.ts";
import { asString } from "../../base/json.ts";
import { checkReadable } from "../../base/open-file.ts";
import { eventNumber } from "../../model/event-number.ts";
import { partsOfPage } from "../../model/note-page.ts";
import { momentIn } from "../../model/usage-counts.ts";
import { isDatabaseDamage } from "../../sqlite/database.ts";
import { openForReading } from "../../sqlite/open.ts";
import { signatureOf } from "../../sqlite/private-copy.ts";
import { Batches } from "../batches.ts";
import type { AgentEvent, ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { readDocument } from "../document.ts";
import { frontPart, notePart } from "../note-parts.ts";
import { toldUnread } from "../session-file.ts";
import { agentName, isPage } from "./locate.ts";
import { bodiesOf } from "./read/bubbles.ts";
import { bubblesOf, composerOf } from "./read/composer.ts";

/** The events of a conversation, or the parts of a page. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  if (!isPage(ref)) return toldUnread(readComposer(ref, options), options);
  return readDocument(ref, options, (page) => ({
    parts: partsOfPage(page).map(({ kind, text }) =>
      kind === "front" ? frontPart(agentName, text) : notePart(text),
    ),
  }));
}

function* readComposer(ref: SessionRef, options: ReadOptions): Generator<ReadBatch> {
  checkReadable(ref.path);
  const cursor = `cursor1 ${signatureOf(ref.path).state}`;
  // The program writes bubbles again as they grow: any change of the database means to begin again.
  if (options.from === cursor) {
    yield { events: [], damage: [], cursor };
    return;
  }
  const batches = new Batches({ restart: options.from !== undefined });
  const last = options.from === undefined ? options.last : undefined;
  let kept: AgentEvent[] = [];
  try {
    for (const event of eventsOf(ref, batches)) {
      if (!event.live && !options.allBranches) continue;
      if (last === undefined) batches.event(event);
      else {
        kept.push(event);
        if (kept.length > last * 2 + 256) kept = kept.slice(-Math.max(1, last));
      }
      if (batches.isFull) yield batches.take(cursor);
    }
  } catch (error) {
    if (!isDatabaseDamage(error) && !isRepriseError(error, "damaged")) throw error;
    const detail = error instanceof Error ? error.message : String(error);
    batches.damage({ kind: "database", offset: 0, recovered: 0, detail });
  }
  if (last !== undefined && last > 0) for (const event of kept.slice(-last)) batches.event(event);
  yield batches.last(cursor);
}

function* eventsOf(ref: SessionRef, batches: Batches): Generator<AgentEvent> {
  const database = openForReading(ref.path);
  try {
    for (const damage of database.damage) batches.damage(damage);
    const id = ref.part ?? ref.session;
    const record = composerOf(database, id);
    if (record === undefined) {
      const detail = "the record of the conversation is missing or no JSON";
      batches.damage({ kind: "bad_header", offset: 0, recovered: 0, detail });
    }
    let ordinal = 0;
    const onDamage = batches.damage.bind(batches);
    for (const { bubble, isOrphan } of bubblesOf(database, { id, record }, onDamage)) {
      ordinal += 1;
      const ms = momentIn(bubble["createdAt"]);
      const uuid = asString(bubble["bubbleId"]);
      const frame = {
        ...(uuid !== undefined && { uuid }),
        ...(!Number.isNaN(ms) && { at: new Date(ms).toISOString() }),
      };
      for (const [index, body] of bodiesOf(bubble).entries()) {
        const number = eventNumber(String(ordinal), index + 1);
        yield { number, ...frame, live: !isOrphan, body, native: bubble };
      }
    }
  } finally {
    database.close();
  }
}

import type { Agent, Cursor, SessionRef } from "../agents/contract.ts";
import { timeOf } from "../base/clock.ts";
import { eventKey } from "./event-key.ts";
import { eventText, factText, restText, wordText } from "./event-text.ts";
import { kindNumber } from "./kind.ts";

/** One event as the index takes it; an array, because thousands of them cross from thread to thread. */
export type Row = readonly [
  number: string,
  kind: number,
  atSeconds: number | null,
  key: number | null,
  facts: string,
  textBytes: number,
];

/** What events say about their session, where they say something. */
export interface Learnt {
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly model?: string;
  readonly updatedMs?: number;
}

/** Some rows of a session, and where to go on. */
export interface RowBatch {
  readonly rows: readonly Row[];
  /** What the rows say, one behind the other, in UTF-8: SQLite takes it as it is, and it changes threads uncopied. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** What they say besides, a byte for each character: all that a sketch needs. */
  readonly rest: Uint8Array<ArrayBuffer>;
  /** All events, also those without words. */
  readonly events: number;
  readonly restart: boolean;
  readonly cursor: Cursor;
  readonly learnt: Learnt;
}

/** Reads a session, or what was added since a cursor, as rows of the index. */
export async function* readRows(
  agent: Agent,
  ref: SessionRef,
  from: Cursor | undefined,
): AsyncGenerator<RowBatch> {
  const options = { allBranches: true, ...(from !== undefined && { from }) };
  for await (const batch of agent.read(ref, options)) {
    const rows: Row[] = [];
    const texts: string[] = [];
    const rests: string[] = [];
    let bytes = 0;
    const learnt: { -readonly [K in keyof Learnt]: Learnt[K] } = {};
    for (const event of batch.events) {
      const { body } = event;
      const ms = timeOf(event.at);
      if (ms !== undefined && ms > (learnt.updatedMs ?? 0)) learnt.updatedMs = ms;
      if (body.type === "meta") {
        if (typeof body.title === "string") learnt.title = body.title;
        if (body.tags !== undefined) learnt.tags = body.tags;
        if (body.model !== undefined) learnt.model = body.model;
      } else if (body.type === "assistant" && body.model !== undefined) learnt.model = body.model;
      const text = eventText(body);
      if (text === undefined) continue;
      const words = wordText(text);
      const rest = restText(text);
      const at = ms === undefined ? null : Math.floor(ms / 1000);
      const key = eventKey(event, text) ?? null;
      const textBytes = Buffer.byteLength(words);
      rows.push([event.number, kindNumber(text.kind), at, key, factText(text), textBytes]);
      texts.push(words);
      bytes += textBytes;
      if (rest !== "") rests.push(rest);
    }
    const restart = batch.restart === true;
    const { cursor } = batch;
    const events = batch.events.length;
    const [said, rest] = [utf8Of(texts, bytes), latin1Of(rests)];
    yield { rows, texts: said, rest, events, restart, cursor, learnt };
  }
}

function utf8Of(texts: readonly string[], bytes: number): Uint8Array<ArrayBuffer> {
  const into = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const text of texts) at += into.write(text, at);
  return into;
}

function latin1Of(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const into = Buffer.allocUnsafeSlow(texts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const text of texts) at += into.write(text, at, "latin1");
  return into;
}

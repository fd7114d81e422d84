import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { blobNamesIn } from "../../src/blobs/names-in.ts";
import { decodeLine, LineEncoder, type LineFrame } from "../../src/log/line.ts";
import { newSeal, openSeal } from "../../src/log/make-seal.ts";
import { type Seal, secretFrom } from "../../src/log/seal.ts";
import type { EventBody, SessionEvent, SessionStart } from "../../src/model/event.ts";

const seed = 20261115;
const key = randomBytes(32);
const seal = newSeal({ key });
const frame: LineFrame = { id: 7, parent: 6, at: "2026-11-15T10:00:00.000Z" };
const secretText = "the launch code is 4711";
const sumBefore = "0123456789abcdef";
const said: EventBody = { type: "user", content: secretText };

/** The event as it comes back from the line it was written into. */
function written(by: Seal, place: LineFrame, body: EventBody, before = sumBefore): SessionEvent {
  const line = new LineEncoder().encode(place, by.sealBody(place, body, before), before);
  const event = decodeLine(line.bytes.subarray(0, -1));
  if (event === undefined) throw new Error("the line does not decode");
  return event;
}

const damaged = expect.objectContaining({ code: "damaged" });
const wrongKey = expect.objectContaining({ code: "wrong_key" });

test("a sealed line keeps its place and type readable and nothing else", () => {
  const event = written(seal, { ...frame, recoveredFrom: 3, metaAt: 200 }, said);
  expect(Object.keys(event)).toEqual([
    "id",
    "parent",
    "at",
    "type",
    "sealed",
    "after",
    "recoveredFrom",
    "metaAt",
    "sum",
  ]);
  expect(JSON.stringify(event)).not.toContain("launch");
});

test(`any event comes back as it was sealed, also with a seal opened anew (seed ${seed})`, () => {
  const again = openSeal(seal.header, { key });
  const places = fc.record({
    id: fc.integer({ min: 1 }),
    parent: fc.option(fc.integer({ min: 1 }), { nil: undefined }),
    at: fc.constant(frame.at),
    recoveredFrom: fc.option(fc.integer({ min: 1 }), { nil: undefined }),
    metaAt: fc.option(fc.nat(), { nil: undefined }),
  });
  fc.assert(
    fc.property(places, fc.string({ unit: "binary" }), fc.jsonValue(), (place, text, data) => {
      const body: EventBody = { type: "custom", name: text, data };
      const event = written(seal, place, body);
      const {
        sealed: _,
        after: _after,
        ...readable
      } = event as SessionEvent & {
        sealed: string;
        after: string;
      };
      const expected = JSON.parse(JSON.stringify({ ...readable, ...body })) as unknown;
      expect(again.openEvent(event)).toEqual(expected);
    }),
    { seed, numRuns: 300 },
  );
});

test("the same body sealed twice looks different", () => {
  expect(seal.sealBody(frame, said, "")).not.toBe(seal.sealBody(frame, said, ""));
});

test("a changed frame, a changed type or changed bytes do not open", () => {
  const event = written(seal, frame, said) as SessionEvent & { sealed: string };
  const flipped = Buffer.from(event.sealed, "base64");
  flipped[20]! ^= 1;
  const changes: readonly object[] = [
    { id: 8 },
    { parent: 5 },
    { parent: undefined },
    { at: "2026-11-15T10:00:00.001Z" },
    { type: "system" },
    { recoveredFrom: 2 },
    { metaAt: 1 },
    { sealed: flipped.toString("base64") },
    { after: "0123456789abcdee" },
    { after: undefined },
    { further: 1 },
    { sealed: "" },
    { sealed: undefined },
  ];
  for (const change of changes) {
    expect(() => seal.openEvent({ ...event, ...change } as SessionEvent)).toThrow(damaged);
  }
  expect(seal.openEvent(event)).toMatchObject(said);
});

test("a line moved to another number, or to another session with the same key, does not open", () => {
  const first = written(seal, frame, said);
  const second = written(seal, { ...frame, id: 8, parent: 7 }, { type: "user", content: "no" });
  const moved = { ...first, id: second.id, parent: second.parent } as SessionEvent;
  expect(() => seal.openEvent(moved)).toThrow(damaged);
  const other = newSeal({ key });
  expect(other.header.salt).not.toBe(seal.header.salt);
  expect(() => other.openEvent(first)).toThrow(damaged);
});

test("the first line keeps what finding and opening the session need, and cannot be changed", () => {
  const start: SessionStart = {
    type: "session_start",
    format: 1,
    session: "abc",
    cwd: "/home/dev/hidden",
    title: "hidden title",
    base: { session: "root", event: 3, endOffset: 400, sum: "0123456789abcdef" },
    seal: seal.header,
  };
  const place: LineFrame = { id: 4, parent: undefined, at: frame.at };
  const event = written(seal, place, start, "");
  const { sealed: _, sum: _sum, ...readable } = event as SessionEvent & { sealed: string };
  expect(readable).toEqual({
    id: 4,
    at: frame.at,
    type: "session_start",
    format: 1,
    session: "abc",
    base: start.base,
    seal: seal.header,
  });
  expect(openSeal(seal.header, { key }).openEvent(event)).toMatchObject(start);
  expect(() => seal.openEvent({ ...event, session: "xyz" } as SessionEvent)).toThrow(damaged);
});

test("the names of a sealed line's blobs stay readable for a collection, and cannot be changed", () => {
  const blob = seal.blobs.nameOf(Buffer.from(secretText));
  const body: EventBody = { type: "custom", name: "x", data: { big: { blob, size: 23 } } };
  const event = written(seal, frame, body);
  expect([...blobNamesIn([Buffer.from(JSON.stringify(event))])]).toEqual([blob]);
  const opened = seal.openEvent(event);
  expect(opened).toMatchObject(body);
  expect(opened).not.toHaveProperty("sealedBlobs");
  const changed: SessionEvent = Object.assign({}, event, { sealedBlobs: [] });
  expect(() => seal.openEvent(changed)).toThrow(damaged);
});

test("a passphrase opens what it sealed, composed or decomposed, and another does not", () => {
  const made = newSeal({ passphrase: "caf\u00e9" });
  const event = written(made, frame, said);
  const opened = openSeal(made.header, { passphrase: "cafe\u0301" });
  expect(opened.openEvent(event)).toMatchObject(said);
  expect(() => openSeal(made.header, { passphrase: "cafe" })).toThrow(wrongKey);
  expect(() => openSeal(made.header, { key })).toThrow(wrongKey);
  expect(() => openSeal(seal.header, { key: randomBytes(32) })).toThrow(wrongKey);
  expect(() => openSeal({ ...seal.header, salt: "../x" }, { key })).toThrow(damaged);
  expect(() => newSeal({ key: randomBytes(31) })).toThrow(
    expect.objectContaining({ code: "bad_input" }),
  );
});

test("REPRISE_KEY is a key where it is 32 bytes in hex or base64, and a passphrase otherwise", () => {
  expect(secretFrom({})).toBeUndefined();
  expect(secretFrom({ REPRISE_KEY: "" })).toBeUndefined();
  expect(secretFrom({ REPRISE_KEY: key.toString("hex") })).toEqual({ key });
  expect(secretFrom({ REPRISE_KEY: key.toString("base64") })).toEqual({ key });
  expect(secretFrom({ REPRISE_KEY: key.toString("base64url") })).toEqual({ key });
  expect(secretFrom({ REPRISE_KEY: "correct horse" })).toEqual({ passphrase: "correct horse" });
});

test("blobs are named by a keyed hash, and changed ones do not open", () => {
  const content = Buffer.from(secretText);
  const sealed = seal.blobs.seal(content);
  expect(sealed.includes(content)).toBe(false);
  expect(seal.blobs.open(sealed)).toEqual(content);
  expect(seal.blobs.nameOf(content)).toMatch(/^[0-9a-f]{64}$/);
  expect(seal.blobs.nameOf(content)).toBe(openSeal(seal.header, { key }).blobs.nameOf(content));
  expect(seal.blobs.nameOf(content)).not.toBe(newSeal({ key }).blobs.nameOf(content));
  sealed[15]! ^= 1;
  expect(() => seal.blobs.open(sealed)).toThrow(damaged);
});

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeLine, encodeBody, expectedSum, LineEncoder, sumOf } from "../../src/log/line.ts";
import { bodyOf } from "../../src/log/mend.ts";
import type { Damage } from "../../src/model/damage.ts";
import type { EventBody, SessionEvent } from "../../src/model/event.ts";
import { collect } from "../../src/store/collect.ts";
import { FileLog } from "../../src/store/file-log.ts";
import { folderHome } from "../../src/store/home.ts";
import { openBlobs } from "../../src/store/open-blobs.ts";
import { removeSession } from "../../src/store/remove.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { quickDisk } from "../log/damaged-session.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const seed = 20_261_115;

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.constantFrom("", "line\nbreak", "\u2028", "}{", '"sum":"0123456789abcdef"}', "\ud800"),
);
const body: fc.Arbitrary<EventBody> = fc.oneof(
  fc.record({ type: fc.constant("user" as const), content: text }),
  fc.record({ type: fc.constant("assistant" as const), content: text, endTurn: fc.boolean() }),
  fc.record({ type: fc.constant("note" as const), content: text }),
  fc.record({ type: fc.constant("custom" as const), name: text, data: fc.jsonValue() }),
  fc.record({ type: fc.constant("meta" as const), title: fc.string({ maxLength: 40 }) }),
);

function newLog(folder: string, session: string): FileLog {
  const start = { type: "session_start", format: 1, session } as const;
  const file = join(folder, `${session}.jsonl`);
  return FileLog.create(folderHome(folder), file, start, { disk: quickDisk, sync: "none" });
}

function openedLog(folder: string, session: string): FileLog {
  const file = join(folder, `${session}.jsonl`);
  return FileLog.open(folderHome(folder), file, { disk: quickDisk, sync: "none" });
}

function readWhole(log: FileLog): readonly SessionEvent[] {
  const damage: Damage[] = [];
  const events = [...log.events({ onDamage: (found) => damage.push(found) })];
  expect(damage).toEqual([]);
  return events;
}

test(`any byte cut of any log recovers a prefix, and appending goes on (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(body, { minLength: 1, maxLength: 8 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (bodies, share) => {
        const folder = temporaryFolder();
        const file = join(folder, "s.jsonl");
        const log = newLog(folder, "s");
        for (const one of bodies) log.appendSync([{ body: one }]);
        const events = readWhole(log);
        await log.close();
        const bytes = readFileSync(file);
        const headerEnd = bytes.indexOf("\n") + 1;
        const cut = headerEnd + Math.floor(share * (bytes.length - headerEnd));
        writeFileSync(file, bytes.subarray(0, cut));

        const again = openedLog(folder, "s");
        const sound = bytes.subarray(0, cut).toString("latin1").split("\n").length - 1;
        expect([...again.events()]).toEqual(events.slice(0, sound));
        again.appendSync([{ body: { type: "note", content: "after" } }]);
        const mended = readWhole(again);
        expect(mended.slice(0, sound)).toEqual(events.slice(0, sound));
        expect(mended.at(-1)).toMatchObject({ type: "note", content: "after" });
        await again.close();
      },
    ),
    { seed, numRuns: 200 },
  );
});

test(`a line decodes to what was encoded, and its sum chains (seed ${seed})`, () => {
  const encoder = new LineEncoder();
  const frames = fc.record({
    id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    parent: fc.option(fc.integer({ min: 1 }), { nil: undefined }),
    at: fc.constant("2026-11-15T10:00:00.000Z"),
    recoveredFrom: fc.option(fc.integer({ min: 1 }), { nil: undefined }),
    metaAt: fc.option(fc.nat(), { nil: undefined }),
  });
  const sums = fc.constantFrom("", "0123456789abcdef");
  fc.assert(
    fc.property(frames, body, sums, (frame, one, previous) => {
      const { bytes, sum } = encoder.encode(frame, encodeBody(one), previous);
      const line = Buffer.from(bytes.subarray(0, -1));
      expect(bytes.at(-1)).toBe(0x0a);
      expect(line.includes(0x0a)).toBe(false);
      const wellFormed = JSON.parse(
        JSON.stringify({ ...frame, ...one, sum }, (_key, value: unknown) =>
          typeof value === "string" ? value.toWellFormed() : value,
        ),
      ) as unknown;
      expect(decodeLine(line)).toEqual(wellFormed);
      expect(sumOf(line)).toBe(sum);
      expect(expectedSum(line, previous)).toBe(sum);
    }),
    { seed, numRuns: 1_000 },
  );
});

test(`a fork reads as the same history in one file, numbers included (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(body, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 5 }),
      async (parts) => {
        const folder = temporaryFolder();
        const whole = newLog(folder, "whole");
        const starts = new Set<number>();
        let tip: FileLog | undefined;
        for (const [index, bodies] of parts.entries()) {
          const base = tip?.forkBase();
          if (base !== undefined) {
            // The first line of a fork has a number too: something stands for it in the one file.
            whole.appendSync([{ body: { type: "note", content: "fork" } }]);
            starts.add(whole.lastId());
          }
          await tip?.close();
          const start = { type: "session_start", format: 1, session: `f${index}` } as const;
          tip = FileLog.create(
            folderHome(folder),
            join(folder, `f${index}.jsonl`),
            base === undefined ? start : { ...start, base },
            { disk: quickDisk, sync: "none" },
          );
          for (const one of bodies) {
            tip.appendSync([{ body: one }]);
            whole.appendSync([{ body: one }]);
          }
        }
        const outline = (log: FileLog) =>
          readWhole(log)
            .filter(({ id }) => id !== 1 && !starts.has(id))
            .map((event) => ({
              id: event.id,
              parent: event.parent,
              type: event.type,
              body: contentOf(event),
            }));
        expect(outline(tip!)).toEqual(outline(whole));
        expect(tip!.lastId()).toBe(whole.lastId());
        const path = (log: FileLog) =>
          [...log.path()].map((step) => (step.kind === "event" ? step.event.id : step.damage));
        expect(path(tip!)).toEqual(path(whole));
        await tip!.close();
        await whole.close();
      },
    ),
    { seed, numRuns: 100 },
  );
});

/** An event without its place; what a meta line repeats of the whole session differs between files. */
function contentOf(event: SessionEvent): unknown {
  return event.type === "meta" ? event.title : bodyOf(event);
}

function filesIn(place: string): readonly string[] {
  try {
    return readdirSync(place).filter((name) => name.endsWith(".jsonl"));
  } catch {
    return [];
  }
}

test(`removing and collecting in any order never breaks a fork (seed ${seed})`, async () => {
  const size = 5;
  const action = fc.oneof(
    fc.record({ do: fc.constant("remove" as const), which: fc.nat(size - 1) }),
    fc.record({ do: fc.constant("collect" as const) }),
  );
  const parents = fc.tuple(...Array.from({ length: size - 1 }, (_, index) => fc.nat(index)));
  await fc.assert(
    fc.asyncProperty(parents, fc.array(action, { maxLength: 9 }), async (tree, actions) => {
      const folder = temporaryFolder();
      const home = folderHome(folder);
      const expected = new Map<string, readonly string[]>();
      for (let index = 0; index < size; index += 1) {
        const parent = index === 0 ? undefined : `s${tree[index - 1]}`;
        const above = parent === undefined ? undefined : openedLog(folder, parent);
        const base = above?.forkBase();
        const start = { type: "session_start", format: 1, session: `s${index}` } as const;
        const log = FileLog.create(
          home,
          join(folder, `s${index}.jsonl`),
          base === undefined ? start : { ...start, base },
          { disk: quickDisk, sync: "none" },
        );
        // One that is packed, one that is not.
        const texts = [`${index} ${"p".repeat(70_000)}`, `${index} ${"f".repeat(270_000)}`];
        for (const content of texts) log.appendSync([{ body: { type: "note", content } }]);
        expected.set(`s${index}`, [...(expected.get(parent ?? "") ?? []), ...texts]);
        await log.close();
        await above?.close();
      }
      openBlobs(home).close();
      for (const one of actions) {
        if (one.do === "collect") {
          const nowMs = Date.now() + 60_000;
          collect(home, { nowMs, graceMs: 0, disk: quickDisk });
        } else if (expected.delete(`s${one.which}`)) {
          const file = join(folder, `s${one.which}.jsonl`);
          removeSession(home, file, { archive: false, disk: quickDisk });
        }
        for (const [session, texts] of expected) {
          const log = openedLog(folder, session);
          const notes = readWhole(log).flatMap((event) =>
            event.type === "note" ? [event.content] : [],
          );
          await log.close();
          expect(notes).toEqual(texts);
        }
      }
      if (expected.size === 0) expect([...filesIn(folder), ...filesIn(home.bases)]).toEqual([]);
    }),
    { seed, numRuns: 25 },
  );
});

type Move = { readonly append: EventBody } | { readonly back: number } | { readonly compact: true };

test(`a context is a function of the path: not of other branches, nor of what holds it (seed ${seed})`, async () => {
  const words = fc.string({ minLength: 1, maxLength: 40 });
  const said: fc.Arbitrary<EventBody> = fc.oneof(
    fc.record({ type: fc.constant("user" as const), content: words }),
    fc.record({ type: fc.constant("assistant" as const), content: words }),
    fc.record({ type: fc.constant("system" as const), content: words }),
    fc.record({ type: fc.constant("note" as const), content: words }),
  );
  const move: fc.Arbitrary<Move> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ append: said }) },
    { weight: 2, arbitrary: fc.record({ back: fc.nat(30) }) },
    { weight: 1, arbitrary: fc.record({ compact: fc.constant(true as const) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 14 }), async (moves) => {
      const folder = temporaryFolder();
      const sessions = [
        SessionManager.create(folder, folder, { id: "s", sync: "none" }),
        SessionManager.inMemory(folder, { id: "s" }),
      ];
      const seen = new Map<number, unknown>();
      for (const one of moves) {
        for (const session of sessions) await apply(session, one);
        const [inFile, inMemory] = sessions.map((session) => session.buildSessionContext());
        expect(inFile).toEqual(inMemory);
        seen.set(sessions[0]!.getLeafId(), inFile);
      }
      // What was appended since lies beside the path or after it, and changes nothing.
      for (const [at, context] of seen) {
        for (const session of sessions)
          expect(session.buildSessionContext({ at })).toEqual(context);
      }
      // Nor does it matter whether the path lies in one file or in a fork's base.
      const fork = sessions[0]!.fork();
      expect(fork.buildSessionContext().messages).toEqual(
        sessions[0]!.buildSessionContext().messages,
      );
      for (const session of [fork, ...sessions]) await session.close();
    }),
    { seed, numRuns: 60 },
  );
});

async function apply(session: SessionManager, move: Move): Promise<void> {
  if ("append" in move) session.appendSync(move.append);
  else if ("back" in move) await session.rewind(1 + (move.back % session.getLeafId()));
  else await session.compact({ keepTokens: 5, summarise: () => "summary" });
}

import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { codex } from "../../../src/agents/codex/index.ts";
import type { AgentEvent, SessionRef } from "../../../src/agents/contract.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import {
  answer,
  fixtures,
  prompt,
  putRollout,
  readAll,
  refsIn,
  rollBack,
  rolloutText,
  said,
  threadId,
  tokens,
  turn,
} from "./store.ts";

const one = threadId(1);

function line(record: object): string {
  return `${JSON.stringify({ timestamp: "2026-11-15T18:00:00.000Z", ...record })}\n`;
}

function lines(records: readonly object[]): string {
  return records.map(line).join("");
}

/** A copy of a fixture's sessions, with its files cut where the test wants. */
function copy(
  scenario: string,
  session: string,
): { path: string; bytes: Buffer; ref: () => SessionRef } {
  const home = temporaryFolder();
  let own = "";
  for (const ref of refsIn(join(fixtures, scenario)).values()) {
    const path = join(home, ".codex/sessions/2026/11/15", basename(ref.path));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, readFileSync(ref.path));
    if (ref.session === session) own = path;
  }
  return { path: own, bytes: readFileSync(own), ref: () => refsIn(home).get(session)! };
}

const scenarios = [
  ["0.166.0/resumed", "01a1e08b-f7ce-7440-976b-7c8a20004b4e"],
  ["0.166.0/compacted-auto", "01a1e08c-fbec-7fb1-8307-e4066993326b"],
  ["0.166.0/forked", "01a1e08c-49fb-7131-b597-53ed2198c5b3"],
  ["0.105.0/compacted", "01a1e099-5da3-7932-a7f1-d396f964d7cc"],
] as const;

for (const [scenario, session] of scenarios) {
  for (const allBranches of [false, true]) {
    const what = allBranches ? "all events" : "the live events";
    test(`${scenario}: ${what} of a growing file are those of the whole, wherever it was cut`, async () => {
      const { path, bytes, ref } = copy(scenario, session);
      const expected = JSON.stringify((await readAll(ref(), { allBranches })).events);
      const cuts = [0];
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) cuts.push(at + 1);
      // Within a line too: an unfinished line is not read before it is whole.
      const places = cuts
        .flatMap((at) => [at, at + 50, at + 333])
        .filter((at) => at < bytes.length);
      for (const at of places.filter((place) => place < bytes.length)) {
        writeFileSync(path, bytes.subarray(0, at));
        const first = await readAll(ref(), { allBranches });
        writeFileSync(path, bytes);
        const second = await readAll(ref(), { allBranches, from: first.cursor });
        const events = second.restarted ? second.events : [...first.events, ...second.events];
        expect(JSON.stringify(events), `cut at ${at}`).toBe(expected);
        expect(second.damage).toEqual([]);
      }
    });

    test(`${scenario}: reading ${what} on from any batch gives the rest`, async () => {
      const source = refsIn(join(fixtures, scenario)).get(session)!;
      const batches: { events: readonly AgentEvent[]; cursor: string }[] = [];
      for await (const batch of codex.read(source, { allBranches })) batches.push(batch);
      for (const [index, batch] of batches.entries()) {
        const rest = await readAll(source, { allBranches, from: batch.cursor });
        expect(rest.restarted).toBe(false);
        expect(rest.events).toEqual(batches.slice(index + 1).flatMap(({ events }) => events));
      }
    });
  }
}

test("only what was appended is read: a file that did not grow costs nothing", async () => {
  const home = temporaryFolder();
  const path = putRollout(home, { thread: one, paginated: false }, turn("p", "a"));
  const first = await readAll(refsIn(home).get(one)!);
  const again = await readAll(refsIn(home).get(one)!, { from: first.cursor });
  expect(again).toMatchObject({ events: [], restarted: false, cursor: first.cursor });
  appendFileSync(path, lines(turn("q", "b")));
  const second = await readAll(refsIn(home).get(one)!, { from: first.cursor });
  expect(said(second.events)).toEqual(["user: q", "assistant: b"]);
  expect(second.events.map((event) => event.number)).toEqual(["4", "5"]);
  expect(second.restarted).toBe(false);
});

test("a line finished after it was read unfinished comes once", async () => {
  const home = temporaryFolder();
  const path = putRollout(home, { thread: one, paginated: false }, []);
  const text = lines(turn("q", "b"));
  appendFileSync(path, text.slice(0, 30));
  const first = await readAll(refsIn(home).get(one)!);
  expect(first.damage.map((found) => found.kind)).toEqual(["torn_tail"]);
  appendFileSync(path, text.slice(30));
  const second = await readAll(refsIn(home).get(one)!, { from: first.cursor });
  expect(said(second.events)).toEqual(["user: q", "assistant: b"]);
  expect(second.damage).toEqual([]);
});

test("a whole last line without its newline is read once, and lines keep their numbers", async () => {
  const home = temporaryFolder();
  const path = putRollout(home, { thread: one, paginated: false }, turn("p", "a"));
  truncateSync(path, readFileSync(path).length - 1);
  const first = await readAll(refsIn(home).get(one)!);
  expect(said(first.events)).toEqual(["user: p", "assistant: a"]);
  appendFileSync(path, `\n${lines(turn("q", "b"))}`);
  const second = await readAll(refsIn(home).get(one)!, { from: first.cursor });
  expect(said(second.events)).toEqual(["user: q", "assistant: b"]);
  expect(second.events.map((event) => event.number)).toEqual(["4", "5"]);
});

for (const [what, record] of [
  ["compaction", { type: "compacted", payload: { message: "S" } }],
  ["roll-back", rollBack(1)],
] as const) {
  test(`an appended ${what} restarts the read, because what was live is not any more`, async () => {
    const home = temporaryFolder();
    const path = putRollout(home, { thread: one, paginated: false }, turn("p", "a"));
    const first = await readAll(refsIn(home).get(one)!);
    appendFileSync(path, line(record));
    const second = await readAll(refsIn(home).get(one)!, { from: first.cursor });
    expect(second.restarted).toBe(true);
    expect(second.events).toEqual((await readAll(refsIn(home).get(one)!)).events);
  });
}

test("a file rewritten in place, as a migration does, restarts the read", async () => {
  const home = temporaryFolder();
  const legacy = { thread: one, paginated: false };
  const path = putRollout(home, legacy, turn("p", "a"));
  const first = await readAll(refsIn(home).get(one)!);
  writeFileSync(path, rolloutText({ thread: one }, [...turn("p", "a"), ...turn("q", "b")]));
  const second = await readAll(refsIn(home).get(one)!, { from: first.cursor });
  expect(second.restarted).toBe(true);
  expect(said(second.events)).toEqual(["user: p", "assistant: a", "user: q", "assistant: b"]);
});

test("a file that became shorter restarts the read", async () => {
  const home = temporaryFolder();
  const path = putRollout(home, { thread: one }, [...turn("p", "a"), ...turn("q", "b")]);
  const first = await readAll(refsIn(home).get(one)!);
  writeFileSync(path, rolloutText({ thread: one }, turn("p", "a")));
  const second = await readAll(refsIn(home).get(one)!, { from: first.cursor });
  expect(second.restarted).toBe(true);
  expect(said(second.events)).toEqual(["user: p", "assistant: a"]);
});

test("a new segment restarts the read", async () => {
  const home = temporaryFolder();
  putRollout(home, { thread: one }, [...turn("p", "a"), ...turn("wrong", "b")]);
  const first = await readAll(refsIn(home).get(one)!);
  const base = { id: one, ordinal: 3 };
  putRollout(home, { thread: one, segment: threadId(9), second: 30, base }, turn("right", "c"));
  const second = await readAll(refsIn(home).get(one)!, { from: first.cursor });
  expect(second.restarted).toBe(true);
  expect(said(second.events)).toEqual(["user: p", "assistant: a", "user: right", "assistant: c"]);
});

test("a cursor stays good when the file is compressed and restored", async () => {
  const fixture = refsIn(join(fixtures, "0.166.0/forked-compressed"));
  const plain = refsIn(join(fixtures, "0.166.0/forked"));
  const [packed] = [...fixture.values()].filter((found) => found.path.endsWith(".zst"));
  const home = temporaryFolder();
  const path = join(home, ".codex/sessions/2026/11/15", basename(packed!.path));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, readFileSync(packed!.path));
  const first = await readAll(refsIn(home).get(packed!.session)!);
  expect(first.events.length).toBeGreaterThan(0);
  rmSync(path);
  const restored = path.slice(0, -".zst".length);
  writeFileSync(restored, readFileSync(plain.get(packed!.session)!.path));
  appendFileSync(restored, lines(turn("q", "b")));
  const second = await readAll(refsIn(home).get(packed!.session)!, { from: first.cursor });
  expect(second.restarted).toBe(false);
  expect(said(second.events)).toEqual(["user: q", "assistant: b"]);
});

test("tokens that arrive after their answer was read restart the read, so that none are lost", async () => {
  const home = temporaryFolder();
  const path = putRollout(home, { thread: one, paginated: false }, [
    ...prompt("p"),
    ...answer("a"),
  ]);
  const first = await readAll(refsIn(home).get(one)!);
  appendFileSync(path, line(tokens(10, 10)));
  const second = await readAll(refsIn(home).get(one)!, { from: first.cursor });
  expect(second.restarted).toBe(true);
  expect(second.events.at(-1)!.body).toMatchObject({ usage: { input: 10, output: 10 } });
});

test("tokens are the differences of the totals, and repeated totals count once", async () => {
  const home = temporaryFolder();
  putRollout(home, { thread: one, paginated: false }, [
    ...turn("p", "a"),
    tokens(10, 10),
    tokens(10, 10),
    ...turn("q", "b"),
    tokens(10, 10),
    tokens(25, 15),
    ...turn("r", "c"),
    tokens(7, 7),
  ]);
  const { events } = await readAll(refsIn(home).get(one)!);
  const used = events.flatMap(({ body }) => (body.type === "assistant" ? [body.usage?.input] : []));
  expect(used).toEqual([10, 15, 7]);
});

for (const cursor of ["", "{}", "null", '{"file":1}', "garbage", '{"state":{"calls":[]}}']) {
  test(`a cursor that is none (${cursor || "empty"}) restarts the read`, async () => {
    const home = temporaryFolder();
    putRollout(home, { thread: one }, turn("p", "a"));
    const read = await readAll(refsIn(home).get(one)!, { from: cursor });
    expect(read.restarted).toBe(true);
    expect(said(read.events)).toEqual(["user: p", "assistant: a"]);
  });
}

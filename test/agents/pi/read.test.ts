import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pi } from "../../../src/agents/pi/index.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { outlines } from "../kit/outline.ts";
import { fixture, readFile, refOf, scenarios } from "./sessions.ts";

const folder = temporaryFolder();

let files = 0;
function file(content: string): string {
  files += 1;
  const path = join(folder, `${files}.jsonl`);
  writeFileSync(path, content);
  return path;
}

const header =
  '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}';
const entry = (id: string, parentId: string | null, text: string): string =>
  JSON.stringify({
    type: "message",
    id,
    parentId,
    timestamp: "2026-01-01T00:00:01.000Z",
    message: { role: "user", content: text, timestamp: 1 },
  });
const file3 = (...lines: string[]): string => file(`${[header, ...lines].join("\n")}\n`);

test("every event has the number of its line, and the tree links the numbers", async () => {
  const { events } = await readFile(fixture("every-entry"), { allBranches: true });
  const calls = events.filter((event) => event.number.startsWith("15"));
  expect(calls.map(({ number, parent, body }) => [number, parent, body.type])).toEqual([
    ["15", "14", "thinking"],
    ["15.2", "15", "assistant"],
    ["15.3", "15.2", "tool_use"],
    ["15.4", "15.3", "tool_use"],
  ]);
  expect(events.find((event) => event.number === "16")?.parent).toBe("15.4");
});

test("what pi drops on sending is kept but not live", async () => {
  const { events } = await readFile(fixture("every-entry"), { allBranches: true });
  const dropped = events.filter((event) => !event.live).map((event) => event.body);
  expect(dropped).toMatchObject([
    { type: "user", ran: true, content: "Ran `secret`\n```\nhidden\n```" },
    { type: "assistant", content: "partial", stopReason: "aborted" },
    { type: "assistant", content: "503 overloaded", synthetic: true, stopReason: "error" },
  ]);
});

test("names and labels are told, also when they are cleared", async () => {
  const { events } = await readFile(fixture("every-entry"), { allBranches: true });
  const answer = events.find((event) => event.number === "5")!.uuid!;
  const meta = events.map((event) => event.body).filter((body) => body.type === "meta");
  expect(meta).toEqual([
    { type: "meta", model: "stub-1" },
    { type: "meta", data: { thinkingLevel: "high" } },
    { type: "meta", labels: { [answer]: "here" } },
    { type: "meta", title: "A name" },
    { type: "meta", labels: { [answer]: "" } },
  ]);
});

test("a compaction names the first line it keeps", async () => {
  const { events } = await readFile(fixture("compacted-twice"), { allBranches: true });
  const kept = events.flatMap(({ body }) => (body.type === "compaction" ? [body.keepFrom] : []));
  expect(kept).toEqual([7, 14]);
});

test("the history pi loses to a torn line is read whole", async () => {
  const path = fixture("torn-tail/3-after-two-pi-resumes");
  const { events, damage } = await readFile(path, { allBranches: true });
  expect(outlines(events)).toEqual([
    "user: First question",
    "assistant: Stub answer to: First question",
    "user: Second question",
    "assistant: Stub answer to: Second question",
    "user: Third question",
    "user: after truncation",
    "assistant: Stub answer to: after truncation",
    "user: second after truncation",
    "assistant: Stub answer to: second after truncation",
  ]);
  // The glued record is found, so the next one has its parent again.
  expect(damage.map(({ kind, recovered }) => [kind, recovered])).toEqual([["spliced", 1]]);
  expect(events.find((event) => event.number === "10")?.parent).toBe("9");
  expect(outlines((await readFile(path)).events)).toEqual(outlines(events).slice(-3));
});

test("a damaged middle is told with the orphan it leaves", async () => {
  const { damage } = await readFile(fixture("corrupt-middle"));
  expect(damage.map(({ kind }) => kind)).toEqual(["nul_run", "missing_parent"]);
});

test("a file without header is told and read, though pi would overwrite it", async () => {
  for (const name of ["headerless", "damaged-header"]) {
    const { events, damage } = await readFile(fixture(name), { allBranches: true });
    expect(damage[0]?.kind).toBe("bad_header");
    expect(outlines(events)).toHaveLength(6);
    expect(events.some((event) => event.live)).toBe(false);
  }
});

test("a broken line that looks whole at both ends cuts the replay as it does in pi", async () => {
  const lines = Array.from({ length: 1500 }, (_, at) =>
    entry(`e${at}`, at === 0 ? null : `e${at - 1}`, `text ${at}`),
  );
  for (const broken of [3, 1200, 1499]) {
    const path = file3(...lines.with(broken, lines[broken]!.replace("text", 'te"xt')));
    const live = await readFile(path);
    const all = await readFile(path, { allBranches: true });
    const ids = Array.from({ length: broken === 1499 ? 1499 : 1499 - broken }, (_, at) =>
      broken === 1499 ? `e${at}` : `e${broken + 1 + at}`,
    );
    expect(live.events.slice(1).map((event) => event.uuid)).toEqual(ids);
    expect(all.events.filter((event) => event.live)).toEqual(live.events);
    expect(all.events).toHaveLength(1500);
    expect(all.damage.map(({ kind }) => kind)).toEqual(
      broken === 1499 ? ["bad_json"] : ["bad_json", "missing_parent"],
    );
  }
});

test("an id used twice is told, the last one counts", async () => {
  const { events, damage } = await readFile(fixture("line-twice"), { allBranches: true });
  expect(damage.map(({ kind }) => kind)).toEqual(["duplicate_id"]);
  expect(
    events.filter(({ number }) => ["5", "6"].includes(number)).map(({ live }) => live),
  ).toEqual([false, true]);
  expect(events.find((event) => event.number === "7")?.parent).toBe("6");
});

test("parents that lead in a circle are cut and told", async () => {
  const path = file3(
    entry("a", null, "root"),
    entry("b", "d", "in the circle"),
    entry("c", "b", "in the circle"),
    entry("d", "c", "in the circle"),
    entry("e", "e", "its own parent"),
    entry("t", "c", "a tail"),
    entry("u", "t", "a longer tail"),
    entry("x", "y", "a second circle"),
    entry("y", "x", "a second circle"),
    entry("f", "d", "leaf"),
  );
  const { events, damage } = await readFile(path, { allBranches: true });
  expect(damage.map(({ kind }) => kind)).toEqual(["cycle", "cycle", "cycle"]);
  expect(outlines(events)).toHaveLength(10);
  expect(outlines((await readFile(path)).events)).toHaveLength(4);
  const parents = new Map(events.map(({ number, parent }) => [number, parent]));
  for (const { number } of events) {
    let at: string | undefined = number;
    for (let steps = 0; at !== undefined; steps += 1, at = parents.get(at)) {
      expect(steps).toBeLessThan(10);
    }
  }
});

test("unknown records are kept, counted and harmless", async () => {
  const { events, unknown } = await readFile(fixture("unknown-entries"), { allBranches: true });
  expect(unknown).toEqual(
    Object.fromEntries([
      ["future_entry", 1],
      ["(no type)", 1],
      ["__proto__", 1],
    ]),
  );
  expect(events.filter(({ body }) => body.type === "custom")).toHaveLength(3);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

test("a line with very many records, or a record with very many parts, is read in little time", async () => {
  const glued = Array.from({ length: 16_000 }, (_, at) => entry(`g${at}`, null, "x")).join("");
  const content = Array.from({ length: 20_000 }, () => ({ type: "text", text: "x" }));
  const wide = JSON.stringify({
    type: "message",
    id: "wide",
    parentId: "g0",
    timestamp: "2026-01-01T00:00:01.000Z",
    message: { role: "assistant", content },
  });
  const path = file3(glued, wide);
  const all = await readFile(path, { allBranches: true });
  expect(all.events).toHaveLength(36_001);
  const { events } = await readFile(path, { allBranches: true, last: 20_010 });
  expect(events.map((event) => event.number)).toEqual(
    all.events.slice(-20_010).map((event) => event.number),
  );
});

test("a missing file is told, not thrown", async () => {
  const ref = { ...refOf(fixture("plain")), path: join(folder, "gone.jsonl") };
  for await (const batch of pi.read(ref)) expect(batch.damage[0]?.kind).toBe("missing_file");
});

for (const scenario of scenarios) {
  test(`the last events of ${scenario} are the end of all of them`, async () => {
    for (const allBranches of [false, true]) {
      const all = await readFile(fixture(scenario), { allBranches });
      for (let last = 0; last <= all.events.length + 1; last += 1) {
        const { events, cursor } = await readFile(fixture(scenario), { allBranches, last });
        expect({ last, events }).toEqual({
          last,
          events: last === 0 ? [] : all.events.slice(-last),
        });
        const after = await readFile(fixture(scenario), { allBranches, from: cursor });
        expect(after.events).toEqual([]);
      }
    }
  });

  test(`reading ${scenario} as it grows gives what one reading gives`, async () => {
    const lines = readFileSync(fixture(scenario), "utf8").split(/(?<=\n)/);
    for (const allBranches of [false, true]) {
      const path = file("");
      let { cursor } = await readFile(path, { allBranches });
      let events: unknown[] = [];
      for (const line of lines) {
        appendFileSync(path, line);
        const read = await readFile(path, { allBranches, from: cursor });
        if (read.restarted) events = [];
        events.push(...read.events);
        cursor = read.cursor;
      }
      const whole = await readFile(path, { allBranches });
      const essence = (event: unknown): unknown =>
        // What an earlier reading called live may have left the path since.
        allBranches ? { ...(event as object), live: undefined } : event;
      expect(events.map(essence)).toEqual(whole.events.map(essence));
    }
  });
}

test("an append to the live branch is read alone, a change of branch begins again", async () => {
  const path = file3(entry("a", null, "one"), entry("b", "a", "two"));
  const { cursor } = await readFile(path);
  appendFileSync(path, `${entry("c", "b", "three")}\n`);
  const grown = await readFile(path, { from: cursor });
  expect([grown.restarted, outlines(grown.events)]).toEqual([false, ["user: three"]]);
  expect(grown.events[0]).toMatchObject({ number: "4", parent: "3" });
  appendFileSync(path, `${entry("d", "a", "other")}\n`);
  const branched = await readFile(path, { from: grown.cursor });
  expect([branched.restarted, outlines(branched.events)]).toEqual([
    true,
    ["user: one", "user: other"],
  ]);
  const all = await readFile(path, { from: grown.cursor, allBranches: true });
  expect([all.restarted, all.events[0]?.number, all.events[0]?.parent]).toEqual([false, "5", "2"]);
});

test("a rewritten or shortened file is read from its beginning", async () => {
  const path = file("");
  copyFileSync(fixture("migrated-v1/before.v1"), path);
  const { cursor } = await readFile(path);
  copyFileSync(fixture("migrated-v1/after.v3"), path);
  const rewritten = await readFile(path, { from: cursor });
  expect([rewritten.restarted, outlines(rewritten.events)]).toEqual([
    true,
    outlines((await readFile(path)).events),
  ]);
  writeFileSync(path, `${header}\n`);
  expect((await readFile(path, { from: rewritten.cursor })).restarted).toBe(true);
  expect((await readFile(path, { from: "not a cursor" })).restarted).toBe(true);
});

test("a line that is still being written is read once it is whole", async () => {
  const path = file3(entry("a", null, "one"));
  const line = entry("b", "a", "two");
  appendFileSync(path, line.slice(0, 40));
  const torn = await readFile(path);
  expect([outlines(torn.events), torn.damage.map(({ kind }) => kind)]).toEqual([
    ["user: one"],
    ["torn_tail"],
  ]);
  appendFileSync(path, `${line.slice(40)}\n`);
  const whole = await readFile(path, { from: torn.cursor });
  expect([whole.restarted, outlines(whole.events), whole.damage]).toEqual([
    false,
    ["user: two"],
    [],
  ]);
});

test("every cursor on the way leads to the same end", async () => {
  const lines = Array.from({ length: 2000 }, (_, at) =>
    entry(`e${at}`, at === 0 ? null : `e${at % 7 === 0 ? at - 3 : at - 1}`, `text ${at}`),
  );
  const path = file3(...lines);
  for (const allBranches of [false, true]) {
    const whole = await readFile(path, { allBranches });
    expect(whole.cursors.length).toBeGreaterThan(3);
    for (const cursor of whole.cursors) {
      const rest = await readFile(path, { allBranches, from: cursor });
      expect(rest.restarted).toBe(false);
      expect(rest.events).toEqual(whole.events.slice(whole.events.length - rest.events.length));
    }
  }
});

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  assistant,
  call,
  fixtures,
  lines,
  other,
  outlineOf,
  readAll,
  refAt,
  result,
  sessionsIn,
  user,
  written,
} from "./store.ts";

const start = [user("u1", null, "first"), assistant("a1", "u1", "one")];
const branches = { allBranches: true } as const;

test("reading on from the end tells nothing again", async () => {
  const ref = written(lines(start));
  for (const options of [{}, branches]) {
    const { cursor } = await readAll(ref, options);
    const on = await readAll(ref, { ...options, from: cursor });
    expect(on).toMatchObject({ events: [], damage: [], restarted: false });
  }
});

test("what is appended is told alone, numbered and threaded as in the whole", async () => {
  const more = [user("u2", "a1", "second"), assistant("a2", "u2", "two")];
  for (const options of [{}, branches]) {
    const ref = written(lines(start));
    const { cursor } = await readAll(ref, options);
    appendFileSync(ref.path, lines(more));
    const on = await readAll(ref, { ...options, from: cursor });
    const whole = await readAll(ref, options);
    expect(on.restarted).toBe(false);
    expect(on.events).toEqual(whole.events.slice(-2));
    expect(JSON.parse(on.cursor)).toEqual(JSON.parse(whole.cursor));
  }
});

test("any session read in two parts is the session read at once", async () => {
  const home = join(fixtures, "2.1.325");
  for (const scenario of ["tools", "parallel-tools", "hooks", "image"]) {
    const [from] = sessionsIn(join(home, scenario)).values();
    const bytes = readFileSync(from!.path);
    for (const options of [{}, branches]) {
      const whole = await readAll(written(bytes), options);
      for (let cut = 0; cut < 9; cut += 1) {
        const at = Math.floor((bytes.length * (cut + 1)) / 10);
        const ref = written(bytes.subarray(0, at));
        const first = await readAll(ref, options);
        appendFileSync(ref.path, bytes.subarray(at));
        const rest = await readAll(ref, { ...options, from: first.cursor });
        const events = rest.restarted ? rest.events : [...first.events, ...rest.events];
        expect(events.map(({ number }) => number)).toEqual(
          whole.events.map(({ number }) => number),
        );
      }
    }
  }
});

test("a message that only thinks so far is told when it says something", async () => {
  const message = { message: { id: "m" } };
  const thought = [{ type: "thinking", thinking: "hm", signature: "s" }];
  const ref = written(lines([...start, assistant("t", "a1", thought, message)]));
  const first = await readAll(ref);
  expect(outlineOf(first.events)).toEqual(["user: first", "assistant: one"]);
  appendFileSync(ref.path, lines([assistant("a2", "t", "well", message)]));
  const on = await readAll(ref, { from: first.cursor });
  expect(on.restarted).toBe(false);
  expect(outlineOf(on.events)).toEqual(["assistant <thinking>", "assistant: well"]);
  expect(on.events.at(-1)?.body).toHaveProperty("usage");
});

test("tokens of a message are not told again when its last part comes later", async () => {
  const message = { message: { id: "m" } };
  const ref = written(lines([...start, assistant("p1", "a1", "part", message)]));
  const { cursor, events } = await readAll(ref);
  appendFileSync(ref.path, lines([assistant("p2", "p1", "rest", message)]));
  const on = await readAll(ref, { from: cursor });
  expect(events.at(-1)?.body).toHaveProperty("usage");
  expect(on.events.at(-1)?.body).not.toHaveProperty("usage");
});

test("results of parallel calls that come in later go on, without a restart", async () => {
  const message = { message: { id: "m", stop_reason: "tool_use" } };
  const ref = written(
    lines([
      user("u1", null, "two things"),
      assistant("c1", "u1", [call("t1")], message),
      assistant("c2", "c1", [call("t2")], message),
    ]),
  );
  let { cursor } = await readAll(ref);
  for (const more of [
    [result("r2", "c2", "t2", { sourceToolAssistantUUID: "c2" })],
    [result("r1", "c1", "t1", { sourceToolAssistantUUID: "c1" }), assistant("a", "r1", "done")],
  ]) {
    appendFileSync(ref.path, lines(more));
    const on = await readAll(ref, { from: cursor });
    expect(on.restarted).toBe(false);
    expect(on.events.filter(({ body }) => body.type !== "meta")).toHaveLength(more.length);
    cursor = on.cursor;
  }
});

test("a line that was being written is told when it is whole, and told once", async () => {
  const [first, second] = start.map((record) => JSON.stringify(record));
  const ref = written(`${first}\n${second!.slice(0, 40)}`);
  const begun = await readAll(ref);
  expect(outlineOf(begun.events)).toEqual(["user: first"]);
  appendFileSync(ref.path, second!.slice(40));
  const whole = await readAll(ref, { from: begun.cursor });
  expect(outlineOf(whole.events)).toEqual(["assistant: one"]);
  appendFileSync(ref.path, `\n${lines([user("u2", "a1", "second")])}`);
  const on = await readAll(ref, { from: whole.cursor });
  expect(on.events.map(({ number }) => number)).toEqual(["3"]);
  expect(on.damage).toEqual([]);
});

test("a rewind, a compaction, a rewritten file and a shortened one start over", async () => {
  const long = [...start, user("u2", "a1", "second"), assistant("a2", "u2", "two")];
  const boundary = other("b", null, { type: "system", subtype: "compact_boundary" });
  const changes: readonly ((path: string) => void)[] = [
    (path) => appendFileSync(path, lines([user("u3", "u1", "rewound")])),
    (path) => appendFileSync(path, lines([boundary, user("s", "b", "all of it")])),
    (path) => appendFileSync(path, lines([{ type: "last-prompt", leafUuid: "elsewhere" }])),
    (path) => writeFileSync(path, lines([user("x", null, "another"), ...long.slice(1)])),
    (path) => writeFileSync(path, lines(start)),
  ];
  for (const change of changes) {
    const ref = written(lines(long));
    const { cursor } = await readAll(ref);
    change(ref.path);
    const on = await readAll(ref, { from: cursor });
    expect(on.restarted).toBe(true);
    expect(on.events).toEqual((await readAll(ref)).events);
  }
});

test("a cursor that is none starts over", async () => {
  const ref = written(lines(start));
  for (const from of ["", "{}", "[]", '{"v":1,"midway":true}', '{"v":1,"offset":-5,"line":0}']) {
    const on = await readAll(ref, { from });
    expect(on.restarted).toBe(true);
    expect(outlineOf(on.events)).toEqual(["user: first", "assistant: one"]);
  }
});

test("after the last events, reading on counts lines as the whole does", async () => {
  const ref = written(lines(start));
  const filler = user("u2", "a1", "x".repeat(400_000));
  appendFileSync(ref.path, lines([filler, assistant("a2", "u2", "two")]));
  const end = await readAll(ref, { last: 1 });
  expect(end.events.map(({ number }) => number)).toEqual(["4"]);
  appendFileSync(ref.path, lines([user("u3", "a2", "third")]));
  const on = await readAll(ref, { from: end.cursor });
  expect(on.events.map(({ number }) => number)).toEqual(["5"]);
});

test("a subagent's transcript is read on too", async () => {
  const ref = written(lines(start));
  const folder = join(ref.path.replace(/\.jsonl$/, ""), "subagents");
  mkdirSync(folder, { recursive: true });
  const child = join(folder, "agent-a1b2.jsonl");
  writeFileSync(child, lines([user("s1", null, "task", { isSidechain: true })]));
  const first = await readAll(refAt(ref.path), branches);
  expect(first.events.at(-1)).toMatchObject({ number: "a1b2/1", sidechain: "a1b2", live: false });
  appendFileSync(child, lines([assistant("s2", "s1", "done", { isSidechain: true })]));
  const on = await readAll(refAt(ref.path), { ...branches, from: first.cursor });
  expect(on.events.map(({ number }) => number)).toEqual(["a1b2/2"]);
});

import { expect, test } from "vitest";
import { opencode } from "../../../src/agents/opencode/index.ts";
import { readAll } from "./fixtures.ts";
import { MadeStore, sessionId } from "./made-store.ts";

const numbers = (told: Awaited<ReturnType<typeof readAll>>): string[] =>
  told.events.map(({ number }) => number);

test("reading on from a cursor tells only what came after it", async () => {
  const store = new MadeStore();
  store.user("one");
  store.assistant("answer one");
  const first = await readAll(store.ref());
  expect(numbers(first)).toEqual(["0", "1", "2"]);
  const nothing = await readAll(store.ref(), { from: first.cursor });
  expect(nothing).toMatchObject({ events: [], restarts: 0 });
  store.user("two");
  store.assistant("answer two");
  const second = await readAll(store.ref(), { from: nothing.cursor });
  expect(second.restarts).toBe(0);
  expect(second.events.map(({ number, parent }) => [number, parent])).toEqual([
    ["3", "2"],
    ["4", "3"],
  ]);
});

test("parts that are added to the newest message are told when reading on", async () => {
  const store = new MadeStore();
  store.user("one");
  const message = store.message({ role: "assistant" }, [{ type: "text", text: "begun" }]);
  const first = await readAll(store.ref());
  store.part(message, { type: "text", text: "gone on" });
  const second = await readAll(store.ref(), { from: first.cursor });
  expect(second.restarts).toBe(0);
  expect(numbers(second)).toEqual(["2.2"]);
});

test("a row that changed before the cursor makes the reader start again", async () => {
  const store = new MadeStore();
  const message = store.message({ role: "user" });
  const part = store.part(message, { type: "text", text: "one" });
  store.assistant("answer");
  const first = await readAll(store.ref());
  store.changePart(part, { type: "text", text: "changed" });
  const second = await readAll(store.ref(), { from: first.cursor });
  expect(second.restarts).toBe(1);
  expect(second.events[1]?.body).toEqual({ type: "user", content: "changed" });
});

test("a part of the newest message that changed after it was told makes the reader start again", async () => {
  const store = new MadeStore();
  store.user("one");
  const message = store.message({ role: "assistant" });
  const part = store.part(message, { type: "text", text: "half" });
  const first = await readAll(store.ref());
  store.changePart(part, { type: "text", text: "half and half" });
  expect((await readAll(store.ref(), { from: first.cursor })).restarts).toBe(1);
});

test("removed messages, a revert and a new compaction make the reader start again", async () => {
  const changes: ((store: MadeStore) => void)[] = [
    (store) => {
      store.run("delete from part where message_id in (select max(id) from message)");
      store.run("delete from message where id = (select max(id) from message)");
    },
    (store) =>
      store.run(
        "update session set revert = json_object('messageID', (select max(id) from message))",
      ),
    (store) => {
      const asked = store.message({ role: "user" }, [{ type: "compaction", auto: true }]);
      store.assistant("so far", { parentID: asked, summary: true });
    },
  ];
  for (const change of changes) {
    const store = new MadeStore();
    for (const text of ["one", "two", "three"]) store.user(text);
    const first = await readAll(store.ref());
    change(store);
    expect((await readAll(store.ref(), { from: first.cursor })).restarts).toBe(1);
  }
});

test("to-dos that changed are told again without starting over", async () => {
  const store = new MadeStore();
  store.user("one");
  const first = await readAll(store.ref());
  store.run("insert into todo values (?, 'new', 'pending', 'low', 0)", sessionId);
  const second = await readAll(store.ref(), { from: first.cursor });
  expect(second.restarts).toBe(0);
  expect(numbers(second)).toEqual(["0", "0.2"]);
});

test("a cursor that is not ours starts from the beginning", async () => {
  const store = new MadeStore();
  store.user("one");
  for (const from of ["", "{}", "null", '{"v":1,"index":"x"}', '{"v":1,"index":9,"before":{}}']) {
    const told = await readAll(store.ref(), { from });
    expect(told.restarts).toBe(1);
    expect(numbers(told)).toEqual(["0", "1"]);
  }
});

test("the last events are the end of the whole, with the same numbers, and can be read on from", async () => {
  const store = new MadeStore();
  for (let turn = 0; turn < 20; turn += 1) {
    store.user(`prompt ${turn}`);
    const message = store.assistant(`answer ${turn}`);
    store.part(message, { type: "patch", hash: "h", files: ["/a", "/b"] });
  }
  const all = await readAll(store.ref());
  for (const last of [1, 2, 3, 5, 50, 1000]) {
    const told = await readAll(store.ref(), { last });
    const expected = numbers(all).slice(-last);
    expect(numbers(told)).toEqual(expected);
  }
  expect(numbers(await readAll(store.ref(), { last: 0 }))).toEqual([]);
  const tail = await readAll(store.ref(), { last: 2 });
  store.user("one more");
  const more = await readAll(store.ref(), { from: tail.cursor });
  expect(more.restarts).toBe(0);
  expect(numbers(more)).toEqual(["41"]);
});

test("a long session comes in many batches, and any batch's cursor can be read on from", async () => {
  const store = new MadeStore();
  store.run("begin");
  for (let turn = 0; turn < 700; turn += 1) store.user(`prompt ${turn} ${"x".repeat(700)}`);
  store.run("commit");
  const all = numbers(await readAll(store.ref()));
  expect(all).toHaveLength(701);
  let batches = 0;
  let told = 0;
  for await (const batch of opencode.read(store.ref())) {
    batches += 1;
    told += batch.events.length;
    const rest = await readAll(store.ref(), { from: batch.cursor });
    expect(rest.restarts).toBe(0);
    expect(numbers(rest)).toEqual(all.slice(told));
  }
  expect(batches).toBeGreaterThan(2);
});

test("batches stay small whatever the size of the messages, so that memory stays flat", async () => {
  const store = new MadeStore();
  const state = { status: "completed", input: {}, output: "z".repeat(100_000), metadata: {} };
  store.run("begin");
  for (let turn = 0; turn < 100; turn += 1) {
    store.message({ role: "assistant" }, [
      { type: "tool", tool: "bash", callID: `c${turn}`, state },
    ]);
  }
  store.run("commit");
  const told = await readAll(store.ref());
  expect(told.events).toHaveLength(201);
  expect(told.batches).toBeGreaterThan(30);
});

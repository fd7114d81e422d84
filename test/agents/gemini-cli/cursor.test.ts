import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { geminiCli } from "../../../src/agents/gemini-cli/index.ts";
import { readAll, refOf, scenarios, sessionsOf } from "./fixtures.ts";
import { append, call, header, model, sessionFile, textFile, user } from "./write-lines.ts";

const lineScenarios = scenarios.filter((scenario) =>
  sessionsOf(scenario).every(({ path }) => path.endsWith(".jsonl")),
);

describe.each(lineScenarios)("%s", (scenario) => {
  for (const { path } of sessionsOf(scenario)) {
    test(`${path.slice(-30)}: read line by line, a session is the same as read at once`, async () => {
      const bytes = readFileSync(path);
      const grown = textFile("session-grown.jsonl", "");
      let cursor: string | undefined;
      let events: unknown[] = [];
      for (let start = 0; start < bytes.length; ) {
        const end = bytes.indexOf(0x0a, start) + 1;
        appendFileSync(grown, bytes.subarray(start, end));
        const read = await readAll(refOf(grown), cursor === undefined ? {} : { from: cursor });
        if (read.restarted) events = [];
        events.push(...read.events);
        cursor = read.cursor;
        start = end;
      }
      const whole = await readAll(refOf(path));
      const plain = (list: readonly unknown[]) =>
        list.map((event) => ({ ...(event as object), native: 0 }));
      expect(plain(events)).toEqual(plain(whole.events));
    });

    test.each([1, 3, 7])(
      `${path.slice(-30)}: the last %i events are the end of all events`,
      async (last) => {
        const whole = await readAll(refOf(path));
        const end = await readAll(refOf(path), { last });
        const plain = (list: typeof whole.events) => list.map(({ parent: _, ...event }) => event);
        expect(plain(end.events)).toEqual(plain(whole.events.slice(-last)));
      },
    );
  }
});

test("completing the newest message adds only what is new", async () => {
  const path = sessionFile(header, user("u", "ask"), model("g", "say"));
  const first = await readAll(refOf(path));
  const said = JSON.parse(readFileSync(path, "utf8").trim().split("\n").at(-1)!);
  append(path, { ...said, toolCalls: [call("c", "t", "r")] });
  const next = await readAll(refOf(path), { from: first.cursor });
  expect(next.restarted).toBe(false);
  expect(next.events.map(({ number, body }) => `${number} ${body.type}`)).toEqual([
    "4.2 tool_use",
    "4.3 tool_result",
  ]);
  const idle = await readAll(refOf(path), { from: next.cursor });
  expect([idle.events, idle.restarted]).toEqual([[], false]);
});

test("a rewind, a rewritten history, an old message again and a replaced file begin anew", async () => {
  const records = [
    header,
    ...Array.from({ length: 40 }, (_, index) => user(`u${index}`, `${index}`)),
  ];
  const changes: ((path: string) => void)[] = [
    (path) => append(path, { $rewindTo: "u3" }),
    (path) => append(path, { $set: { messages: [] } }),
    (path) => append(path, { ...records[2], content: "changed" }),
    (path) => writeFileSync(path, readFileSync(path).subarray(0, 300)),
    (path) => writeFileSync(path, Buffer.alloc(statSync(path).size + 10, "x")),
    (path) => appendFileSync(path, "broken\n"),
  ];
  for (const change of changes) {
    const path = sessionFile(...records);
    const { cursor } = await readAll(refOf(path));
    change(path);
    const next = await readAll(refOf(path), { from: cursor });
    expect(next.restarted).toBe(true);
    expect(next.events).toEqual((await readAll(refOf(path))).events);
  }
});

test("a cursor that is not one begins anew and does not fail", async () => {
  const path = sessionFile(header, user("u", "ask"));
  for (const from of [
    "",
    "{}",
    "null",
    '{"v":1,"end":-5,"line":0,"sample":""}',
    '{"v":1,"end":9e15,"line":1,"sample":"x"}',
  ]) {
    const read = await readAll(refOf(path), { from });
    expect([read.restarted, read.events.length]).toEqual([true, 2]);
  }
});

test("a reader that stopped between two batches goes on where it stopped", async () => {
  const path = sessionFile(
    header,
    ...Array.from({ length: 300 }, (_, index) => user(`u${index}`, `${index}`)),
  );
  const { events } = await readAll(refOf(path));
  for await (const batch of geminiCli.read(refOf(path))) {
    const rest = await readAll(refOf(path), { from: batch.cursor });
    const seen = events.findIndex((event) => event.number === batch.events.at(-1)?.number);
    expect(rest.events.map((event) => event.number)).toEqual(
      events.slice(seen + 1).map((event) => event.number),
    );
  }
});

test("a line that is still being written is read once it is whole", async () => {
  const path = sessionFile(header, user("u", "ask"));
  const whole = JSON.stringify(user("v", "more"));
  appendFileSync(path, whole.slice(0, 20));
  const first = await readAll(refOf(path));
  expect(first.damage).toMatchObject([{ kind: "torn_tail" }]);
  appendFileSync(path, whole.slice(20));
  const second = await readAll(refOf(path), { from: first.cursor });
  expect(second.events.map((event) => event.number)).toEqual(["3"]);
  appendFileSync(path, `\n${JSON.stringify(user("w", "end"))}\n`);
  const third = await readAll(refOf(path), { from: second.cursor });
  expect([third.restarted, third.events.map((event) => event.number)]).toEqual([false, ["4"]]);
});

test("an old single object is read again when it changed, and not when it did not", async () => {
  const text = (count: number) =>
    JSON.stringify({
      sessionId: "s",
      messages: Array.from({ length: count }, (_, i) => user(`u${i}`, `${i}`)),
    });
  const path = textFile("session-old.json", text(5));
  const { cursor } = await readAll(refOf(path));
  expect(await readAll(refOf(path), { from: cursor })).toMatchObject({
    events: [],
    restarted: false,
  });
  writeFileSync(path, text(6));
  const next = await readAll(refOf(path), { from: cursor });
  expect([next.restarted, next.events.length]).toEqual([true, 7]);
  const last = await readAll(refOf(path), { last: 2 });
  expect(last.events.map((event) => event.number)).toEqual(["5", "6"]);
});

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { aider } from "../../../src/agents/aider/index.ts";
import { project, readAll, realHistory, wholeFile } from "./histories.ts";

const modes = [{}, { allBranches: true }];

test.each(modes)("read line by line, a history is the same as read at once (%o)", async (mode) => {
  const bytes = readFileSync(realHistory);
  const { path } = project("");
  let cursor: string | undefined;
  let events: unknown[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start) + 1;
    appendFileSync(path, bytes.subarray(start, end));
    const read = await readAll(wholeFile(path), {
      ...mode,
      ...(cursor === undefined ? {} : { from: cursor }),
    });
    if (read.restarted) events = [];
    events.push(...read.events);
    cursor = read.cursor;
    start = end;
  }
  expect(events).toEqual((await readAll(wholeFile(realHistory), mode)).events);
});

test.each(modes)("the last events are the end of all events (%o)", async (mode) => {
  const { events } = await readAll(wholeFile(realHistory), mode);
  for (let last = 0; last <= events.length + 1; last += 1) {
    const end = await readAll(wholeFile(realHistory), { ...mode, last });
    const plain = (list: typeof events) => list.map(({ parent: _, ...event }) => event);
    expect(plain(end.events)).toEqual(plain(last === 0 ? [] : events.slice(-last)));
  }
});

test("a new turn is added without beginning anew; more of the last answer begins anew", async () => {
  const { path } = project("#### ask  \n\nanswer\n\n");
  const first = await readAll(wholeFile(path));
  appendFileSync(path, "\n#### again  \n");
  const next = await readAll(wholeFile(path), { from: first.cursor });
  expect([next.restarted, next.events.map((event) => event.number)]).toEqual([false, ["6"]]);
  appendFileSync(path, "#### and more  \n");
  const more = await readAll(wholeFile(path), { from: next.cursor });
  expect([more.restarted, more.events.map((event) => event.number)]).toEqual([
    true,
    ["1", "3", "6"],
  ]);
});

test("a rewritten history and a cursor that is none begin anew", async () => {
  const { path } = project("#### ask  \n\nanswer\n\n");
  const { cursor } = await readAll(wholeFile(path));
  writeFileSync(path, "#### other  \n\nanswer\n\n#### x  \n");
  for (const from of [cursor, "", "[]", '{"v":1,"end":-1,"line":0,"sample":""}']) {
    const read = await readAll(wholeFile(path), { from });
    expect([read.restarted, read.events.length]).toEqual([true, 3]);
  }
});

test("a reader that stopped between two batches goes on where it stopped", async () => {
  const { path } = project(
    Array.from({ length: 200 }, (_, i) => `\n#### ${i}  \n\nanswer ${i}\n\n`).join(""),
  );
  const { events } = await readAll(wholeFile(path));
  for await (const batch of aider.read(wholeFile(path))) {
    const rest = await readAll(wholeFile(path), { from: batch.cursor });
    const seen = events.findIndex((event) => event.number === batch.events.at(-1)?.number);
    expect(rest.events.map((event) => event.number)).toEqual(
      events.slice(seen + 1).map((event) => event.number),
    );
  }
});

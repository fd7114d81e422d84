import { join } from "node:path";
import { expect, test } from "vitest";
import { checkpointId, momentOfId } from "../../../src/agents/langgraph/checkpoint-id.ts";
import { langgraph } from "../../../src/agents/langgraph/index.ts";
import { isObject } from "../../../src/base/json.ts";
import { Connection } from "../../../src/sqlite/connection.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { describeWriter } from "../kit/writes.ts";
import { environmentIn, fixtureOf, readThread, threadsOf } from "./threads.ts";

const tables = `create table checkpoints (thread_id text not null, checkpoint_ns text not null default '', checkpoint_id text not null,
  parent_checkpoint_id text, type text, checkpoint blob, metadata blob, primary key (thread_id, checkpoint_ns, checkpoint_id))`;

test("a database that Python wrote says the same as its twin that JavaScript wrote", async () => {
  const python = threadsOf(environmentIn(fixtureOf("py-3.1.1"))).get("thread-1")!;
  const told = await readThread(python);
  expect(told.events.length).toBeGreaterThan(3);
  // The twin: the same messages, as the JavaScript serializer writes them.
  const natives = [...new Set(told.events.map(({ native }) => native))];
  const messages = natives.map((native) => {
    const { class: name, fields } = native as { class: string; fields: object };
    return { lc: 1, type: "constructor", id: ["langchain_core", "messages", name], kwargs: fields };
  });
  const cwd = temporaryFolder();
  const database = new Connection(join(cwd, "checkpoints.db"));
  database.exec(tables);
  const value = JSON.stringify({ v: 4, channel_values: { messages } });
  database
    .prepare("insert into checkpoints values ('thread-1', '', ?, null, 'json', ?, '{}')")
    .run(checkpointId(Date.now(), 0), Buffer.from(value));
  database.close();
  const twin = await readThread(threadsOf(environmentIn(cwd)).get("thread-1")!);
  const said = ({ events }: typeof told) =>
    events.map(({ number, uuid, body }) => ({ number, uuid, body }));
  expect(said(twin)).toEqual(said(told));
});

test("an id says when its checkpoint was made, and later ones are greater", () => {
  expect(new Date(momentOfId("1f1e128c-0d19-6c60-ffff-b34772bf5b0d")!).toISOString()).toMatch(
    /^2026-11-15T19:14:17/,
  );
  const nowMs = Date.now();
  expect(momentOfId(checkpointId(nowMs, 0))).toBe(nowMs);
  expect(checkpointId(nowMs + 1, 0) > checkpointId(nowMs, 9)).toBe(true);
});

test("of a thread with 1,000 checkpoints one is held at a time", async () => {
  const cwd = temporaryFolder();
  const database = new Connection(join(cwd, "checkpoints.db"));
  database.exec(`${tables}; begin`);
  const insert = database.prepare(
    "insert into checkpoints values ('long', '', ?, ?, 'json', ?, ?)",
  );
  const messages: object[] = [];
  let parent: string | null = null;
  let largest = 0;
  for (let step = 0; step < 1_000; step += 1) {
    const name = step % 2 === 0 ? "HumanMessage" : "AIMessage";
    messages.push({
      lc: 1,
      type: "constructor",
      id: ["m", name],
      kwargs: { id: `m${step}`, content: `${"word ".repeat(20)}${step}` },
    });
    const value = Buffer.from(JSON.stringify({ v: 4, channel_values: { messages } }));
    largest = value.length;
    const id = checkpointId(1_790_000_000_000 + step * 1000, step);
    insert.run(id, parent, value, JSON.stringify({ source: "loop", step }));
    parent = id;
  }
  database.exec("commit");
  database.close();
  const ref = threadsOf(environmentIn(cwd)).get("long")!;
  globalThis.gc?.();
  const before = process.memoryUsage();
  let events = 0;
  let held = 0;
  for await (const batch of langgraph.read(ref, { allBranches: true })) {
    events += batch.events.length;
    const { heapUsed, external } = process.memoryUsage();
    held = Math.max(held, heapUsed + external - before.heapUsed - before.external);
  }
  expect(events).toBe(2_000);
  // All of them together are 90 MB; one is 0.2 MB.
  expect(held).toBeLessThan(60 * largest + 30_000_000);
  expect(langgraph.head(ref, environmentIn(cwd))).toMatchObject({
    events: 1_000,
    state: "waiting",
  });
});

test("a cursor continues where messages were added, and begins anew where they were rewritten", async () => {
  const cwd = temporaryFolder();
  const path = join(cwd, "checkpoints.db");
  const put = (step: number, words: readonly string[]): void => {
    const database = new Connection(path);
    if (step === 0) database.exec(tables);
    const messages = words.map((content, index) => ({ type: "human", id: `m${index}`, content }));
    database
      .prepare("insert into checkpoints values ('t', '', ?, null, 'json', ?, '{}')")
      .run(
        checkpointId(1_790_000_000_000 + step * 1000, step),
        JSON.stringify({ v: 4, channel_values: { messages } }),
      );
    database.close();
  };
  const ref = () => threadsOf(environmentIn(cwd)).get("t")!;
  put(0, ["one", "two"]);
  const first = await readThread(ref());
  put(1, ["one", "two", "three"]);
  const second = await readThread(ref(), { from: first.cursor });
  expect(second.events.map(({ number, parent }) => [number, parent])).toEqual([["3", "2"]]);
  put(2, ["other", "two", "three"]);
  let restarts = 0;
  for await (const batch of langgraph.read(ref(), { from: second.cursor }))
    if (batch.restart) restarts += 1;
  expect(restarts).toBe(1);
  expect(isObject(JSON.parse(second.cursor))).toBe(true);
});

describeWriter(langgraph, {
  title: false,
  branch: false,
  model: true,
  shared: /\/\.reprise\b|\.langgraph$/,
});

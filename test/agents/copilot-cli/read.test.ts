import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { fixture, readFile } from "./sessions.ts";

const folder = temporaryFolder();
const path = join(folder, "events.jsonl");
const record = (type: string, data: object): string =>
  `${JSON.stringify({ type, data, id: "x", timestamp: "2026-11-10T10:00:00.000Z", parentId: null })}\n`;

test("a prompt is what was typed; what the program put around it is injected", async () => {
  const { events } = await readFile(fixture("rich"));
  const prompt = events.filter(({ number }) => number.startsWith("6"));
  expect(prompt.map(({ number, body }) => [number, body])).toEqual([
    ["6", expect.objectContaining({ injected: true })],
    [
      "6.2",
      {
        type: "user",
        content: [
          { type: "text", text: "Look into it" },
          expect.objectContaining({ type: "image", mediaType: "image/png", name: "dot.png" }),
        ],
      },
    ],
    ["6.3", { type: "user", content: "\n\n<reminder>Be brief.</reminder>", injected: true }],
  ]);
});

test("an answer is thinking, text and calls of one message, with its tokens on the last", async () => {
  const { events } = await readFile(fixture("rich"));
  const answer = events.filter(({ number }) => number.startsWith("8")).map(({ body }) => body);
  expect(answer.map(({ type }) => type)).toEqual(["thinking", "assistant", "tool_use", "tool_use"]);
  expect(answer.at(-1)).toMatchObject({ usage: { output: 40 }, message: "m-7" });
});

test("where requests are recorded, an answer has the tokens of its request, also across a cursor", async () => {
  const whole = await readFile(fixture("plain"), { allBranches: true });
  const answer = whole.events.find(({ body }) => body.type === "assistant")!;
  expect(answer.body).toMatchObject({
    usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 },
  });
  const lines = readFileSync(fixture("plain"), "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes('"type":"assistant.message"'));
  writeFileSync(path, `${lines.slice(0, at).join("\n")}\n`);
  const { cursor } = await readFile(path);
  appendFileSync(path, lines.slice(at).join("\n"));
  const { events } = await readFile(path, { from: cursor });
  expect(events[0]?.body).toEqual(answer.body);
});

test("what subagents say is theirs, and is not replayed", async () => {
  const { events } = await readFile(fixture("rich"), { allBranches: true });
  const theirs = events.filter(({ sidechain }) => sidechain !== undefined);
  expect(theirs.map(({ sidechain, live, body }) => [sidechain, live, body.type])).toEqual([
    ["a1", false, "subagent"],
    ["c3", false, "assistant"],
    ["a1", false, "assistant"],
    ["a1", false, "subagent"],
  ]);
});

test("a record of a type that nobody knows is kept and counted", async () => {
  const { events, unknown } = await readFile(fixture("rich"), { allBranches: true });
  expect(unknown).toEqual({ "session.from_the_future": 1 });
  const kept = events.find(({ body }) => body.type === "custom" && /future/.test(body.name));
  expect(kept?.body).toMatchObject({ data: { data: { anything: [1, { deep: true }] } } });
});

test("a summary hides what came before it, one that failed does not", async () => {
  const { events } = await readFile(fixture("compacted"));
  expect(events.map(({ number, body }) => `${number} ${body.type}`)).toEqual([
    "1 session_start",
    "9 compaction",
    "10 user",
    "11 assistant",
    "11.2 tool_use",
  ]);
  expect(events[1]?.body).toMatchObject({ tokensBefore: 9000 });
});

test("where the context was cleared, only what came after it is live", async () => {
  const { events } = await readFile(fixture("cleared"));
  expect(events.map(({ number, body }) => `${number} ${body.type}`)).toEqual([
    "1 session_start",
    "5 user",
    "6 assistant",
  ]);
});

test("what is added later is read from the cursor on; a summary begins anew", async () => {
  copyFileSync(fixture("plain"), path);
  const first = await readFile(path);
  appendFileSync(path, record("user.message", { content: "More" }));
  const more = await readFile(path, { from: first.cursor });
  expect(more.events.map(({ body }) => body)).toEqual([{ type: "user", content: "More" }]);
  expect(more.restarted).toBe(false);
  appendFileSync(
    path,
    record("session.compaction_complete", { success: true, summaryContent: "All of it" }),
  );
  const anew = await readFile(path, { from: more.cursor });
  expect(anew.restarted).toBe(true);
  expect(anew.events.map(({ body }) => body.type)).toEqual(["session_start", "compaction"]);
});

test("an unfinished last line is handed out once, and again when it is finished", async () => {
  const whole = readFileSync(fixture("plain"), "utf8") + record("user.message", { content: "End" });
  writeFileSync(path, whole.slice(0, -1));
  const first = await readFile(path);
  expect(first.events.at(-1)?.body).toEqual({ type: "user", content: "End" });
  expect((await readFile(path, { from: first.cursor })).events).toEqual([]);
  appendFileSync(path, `\n${record("user.message", { content: "After" })}`);
  const anew = await readFile(path, { from: first.cursor });
  expect(anew.restarted).toBe(true);
  expect(anew.events.at(-1)?.body).toEqual({ type: "user", content: "After" });
});

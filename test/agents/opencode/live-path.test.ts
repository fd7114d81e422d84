import { expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agents/contract.ts";
import { plainText } from "../../../src/model/block.ts";
import { readAll } from "./fixtures.ts";
import { MadeStore, sessionId } from "./made-store.ts";
import { openAiMessages } from "./openai-messages.ts";

function texts(events: readonly AgentEvent[]): string[] {
  return events.flatMap(({ body }) => {
    if (body.type === "user" || body.type === "assistant") return [plainText(body.content)];
    return body.type === "compaction" ? [`summary: ${body.summary}`] : [];
  });
}

function compaction(store: MadeStore, summary: string, part: object = {}, info: object = {}): void {
  const asked = store.message({ role: "user" }, [{ type: "compaction", auto: false, ...part }]);
  store.assistant(summary, { parentID: asked, summary: true, mode: "compaction", ...info });
}

test("only what follows the newest finished compaction is live", async () => {
  const store = new MadeStore();
  store.user("one");
  compaction(store, "first");
  store.user("two");
  compaction(store, "second");
  store.user("three");
  const live = await readAll(store.ref());
  expect(texts(live.events)).toEqual(["What did we do so far?", "summary: second", "three"]);
  const all = await readAll(store.ref(), { allBranches: true });
  expect(texts(all.events.filter((event) => !event.live))).toEqual([
    "one",
    "What did we do so far?",
    "summary: first",
    "two",
  ]);
  expect(live.events.find(({ body }) => body.type === "compaction")?.body).toMatchObject({
    trigger: "manual",
  });
});

test("a compaction that failed or never ended hides nothing", async () => {
  for (const info of [{ finish: undefined }, { error: { name: "APIError", data: {} } }]) {
    const store = new MadeStore();
    store.user("one");
    compaction(store, "half", {}, info);
    store.user("two");
    const { events } = await readAll(store.ref());
    expect(texts(events)[0]).toBe("one");
    expect(texts(events).at(-1)).toBe("two");
    expect(events.some(({ body }) => body.type === "compaction")).toBe(false);
  }
});

test("a compaction keeps the tail it names, sent after the summary", async () => {
  const store = new MadeStore();
  store.user("one");
  store.assistant("answer one");
  const tail = store.user("two");
  store.assistant("answer two");
  compaction(store, "so far", { auto: true, tail_start_id: tail });
  store.user("three");
  const { events } = await readAll(store.ref());
  expect(events.find(({ body }) => body.type === "compaction")?.body).toMatchObject({
    keepFrom: 3,
    trigger: "auto",
  });
  expect(openAiMessages(events).map(({ content }) => content)).toEqual([
    "What did we do so far?",
    "so far",
    "two",
    "answer two",
    "three",
  ]);
});

test("a tail that is not there makes everything live, as in the program", async () => {
  const store = new MadeStore();
  store.user("one");
  compaction(store, "so far", { tail_start_id: "msg_gone" });
  expect(texts((await readAll(store.ref())).events)[0]).toBe("one");
});

test("what a pending revert takes back is not live but still there", async () => {
  const store = new MadeStore();
  store.user("one");
  store.assistant("answer one");
  const second = store.user("two");
  store.assistant("answer two");
  store.run("update session set revert = ?", JSON.stringify({ messageID: second, snapshot: "x" }));
  const { events } = await readAll(store.ref());
  expect(texts(events)).toEqual(["one", "answer one"]);
  const all = await readAll(store.ref(), { allBranches: true });
  expect(texts(all.events)).toEqual(["one", "answer one", "two", "answer two"]);
});

test("a revert inside a message takes back its later parts only", async () => {
  const store = new MadeStore();
  store.user("one");
  const message = store.assistant("kept");
  const part = store.part(message, { type: "text", text: "taken back" });
  store.user("two");
  store.run("update session set revert = ?", JSON.stringify({ messageID: message, partID: part }));
  expect(texts((await readAll(store.ref())).events)).toEqual(["one", "kept"]);
});

test("a compaction that was reverted is not in force", async () => {
  const store = new MadeStore();
  store.user("one");
  const asked = store.message({ role: "user" }, [{ type: "compaction", auto: true }]);
  store.assistant("so far", { parentID: asked, summary: true });
  store.run("update session set revert = ?", JSON.stringify({ messageID: asked }));
  expect(texts((await readAll(store.ref())).events)).toEqual(["one"]);
});

test("a failed answer is not live unless it was stopped with something said", async () => {
  const failed = { name: "APIError", data: { message: "overloaded" } };
  const aborted = { name: "MessageAbortedError", data: { message: "stopped" } };
  const store = new MadeStore();
  store.user("one");
  store.assistant("failed", { error: failed });
  store.assistant("stopped", { error: aborted });
  store.message({ role: "assistant", error: aborted }, [
    { type: "step-start" },
    { type: "reasoning", text: "only thought" },
  ]);
  const { events } = await readAll(store.ref(), { allBranches: true });
  expect(texts(events.filter((event) => event.live))).toEqual(["one", "stopped"]);
  expect(texts(events)).toContain("APIError: overloaded");
  const synthetic = events.filter(({ body }) => body.type === "assistant" && body.synthetic);
  expect(synthetic.map(({ live }) => live)).toEqual([false, false, false]);
});

test("ignored text and files already turned into text are told but not live; injected text is marked", async () => {
  const store = new MadeStore();
  store.message({ role: "user" }, [
    { type: "text", text: "look at @a.png" },
    { type: "text", text: "read a file", synthetic: true },
    { type: "text", text: "for the screen", ignored: true },
    { type: "file", mime: "text/plain", url: "file:///home/dev/a%20b.txt", filename: "a b.txt" },
    { type: "file", mime: "image/png", url: "data:image/png;base64,AAAA", filename: "a.png" },
    { type: "agent", name: "general" },
  ]);
  const { events } = await readAll(store.ref(), { allBranches: true });
  expect(events.slice(1).map(({ number, live, body }) => ({ number, live, body }))).toEqual([
    { number: "1", live: true, body: { type: "user", content: "look at @a.png" } },
    { number: "1.2", live: true, body: { type: "user", content: "read a file", injected: true } },
    { number: "1.3", live: false, body: { type: "user", content: "for the screen" } },
    {
      number: "1.4",
      live: false,
      body: {
        type: "user",
        content: [
          {
            type: "file",
            mediaType: "text/plain",
            source: { kind: "path", path: "/home/dev/a b.txt" },
            name: "a b.txt",
          },
        ],
      },
    },
    {
      number: "1.5",
      live: true,
      body: {
        type: "user",
        content: [
          {
            type: "image",
            mediaType: "image/png",
            source: { kind: "base64", data: "AAAA" },
            name: "a.png",
          },
        ],
      },
    },
    { number: "1.6", live: false, body: { type: "agent", name: "general" } },
  ]);
});

test("a cleared result is told with its output and replayed with the program's placeholder", async () => {
  const store = new MadeStore();
  store.user("one");
  const state = {
    status: "completed",
    input: { command: "ls" },
    output: "a long list",
    title: "",
    metadata: { exit: 0 },
    time: { start: 1, end: 2, compacted: 3 },
  };
  store.message({ role: "assistant", finish: "tool-calls" }, [
    { type: "tool", tool: "bash", callID: "c1", state },
  ]);
  const { events } = await readAll(store.ref(), { allBranches: true });
  const results = events.filter(({ body }) => body.type === "tool_result");
  expect(results.map(({ live, body }) => [live, "content" in body && body.content])).toEqual([
    [false, "a long list"],
    [true, "[Old tool result content cleared]"],
  ]);
});

test("pending and running tools are open calls; a stopped one gives what it had", async () => {
  const store = new MadeStore();
  store.user("one");
  const tool = (callID: string, state: object) => ({ type: "tool", tool: "bash", callID, state });
  store.message({ role: "assistant" }, [
    tool("c1", { status: "pending", input: {}, raw: "" }),
    tool("c2", { status: "running", input: {}, time: { start: 1 } }),
    tool("c3", {
      status: "error",
      input: {},
      error: "aborted",
      metadata: { interrupted: true, output: "half" },
      time: { start: 1, end: 2 },
    }),
  ]);
  const { events } = await readAll(store.ref());
  expect(events.slice(2).map(({ body }) => [body.type, "call" in body && body.call])).toEqual([
    ["tool_use", "c1"],
    ["tool_use", "c2"],
    ["tool_use", "c3"],
    ["tool_result", "c3"],
  ]);
  expect(events.at(-1)?.body).toMatchObject({ content: "half" });
});

test("unknown part types are counted and kept; a message that says nothing is still told", async () => {
  const store = new MadeStore();
  store.message({ role: "user" }, [
    { type: "hologram", data: 1 },
    { type: "__proto__", data: 2 },
  ]);
  store.message({ role: "assistant" }, [{ type: "step-start" }, { type: "text", text: "" }]);
  const { events, unknown } = await readAll(store.ref(), { allBranches: true });
  expect(Object.entries(unknown)).toContainEqual(["hologram", 1]);
  expect(events.slice(1).map(({ body }) => "name" in body && body.name)).toEqual([
    "opencode.hologram",
    "opencode.__proto__",
    "opencode.message",
  ]);
  expect(({} as { data?: unknown }).data).toBeUndefined();
});

test("to-dos are tasks and a task's child session is a subagent", async () => {
  const store = new MadeStore();
  store.run("insert into todo values (?, 'first', 'completed', 'high', 0)", sessionId);
  store.run("insert into todo values (?, 'second', 'pending', 'low', 1)", sessionId);
  store.session("ses_child", { parent: sessionId });
  const state = {
    status: "completed",
    input: { subagent_type: "general", description: "look around" },
    output: "done",
    title: "",
    metadata: { sessionId: "ses_child" },
    time: { start: 1, end: 2 },
  };
  store.message({ role: "assistant" }, [{ type: "tool", tool: "task", callID: "c1", state }]);
  const { events } = await readAll(store.ref());
  const bodies = events.map(({ body }) => body);
  expect(bodies.filter(({ type }) => type === "task")).toMatchObject([
    { task: "0", title: "first", status: "completed" },
    { task: "1", title: "second", status: "pending" },
  ]);
  expect(bodies.find(({ type }) => type === "subagent")).toEqual({
    type: "subagent",
    session: "ses_child",
    name: "general",
    call: "c1",
    status: "completed",
    summary: "look around",
  });
});

test("a spill file is found by its name only, never by a path the result states", async () => {
  const store = new MadeStore();
  for (const outputPath of ["/etc/passwd", "../../tool_x/../../etc/passwd", "tool_..", 7]) {
    const state = { status: "completed", input: {}, output: "cut", metadata: { outputPath } };
    store.message({ role: "assistant" }, [{ type: "tool", tool: "bash", callID: "c", state }]);
  }
  const { events } = await readAll(store.ref());
  for (const { body } of events) {
    if (body.type === "tool_result") expect(body.details).not.toHaveProperty("spill");
  }
});

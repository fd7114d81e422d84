import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { plainText } from "../../src/model/block.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";
import { agentWith, modelAt, protocols, serve, toldText } from "./agent.ts";
import { brokenRules } from "./model-server.mjs";

const add = {
  name: "add",
  description: "Adds two numbers.",
  parameters: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  run: ({ a, b }: Readonly<Record<string, unknown>>) => String(Number(a) + Number(b)),
};

describe.each(protocols)("through the %s protocol", (protocol) => {
  test("a turn streams text, runs tools and ends; all of it is in the log and in the next request", async () => {
    const server = await serve([
      { text: "Let me add.", calls: [{ name: "add", input: { a: 2, b: 3 } }] },
      { text: "It is **5**." },
      { text: "You asked for 2 + 3." },
    ]);
    const model = modelAt(server.url, protocol);
    const { session, manager, told } = await agentWith({
      model,
      tools: [add],
      systemPrompt: "Be brief.",
    });
    const end = await session.prompt("What is 2 + 3?");
    expect(end).toMatchObject({ reason: "done", text: "It is **5**.", steps: 2 });
    expect(end.usage).toMatchObject({ input: 200, output: 40 });
    expect(toldText(told)).toBe("Let me add.It is **5**.");
    expect(told.map(({ type }) => type).filter((type) => type !== "message_update")).toEqual([
      "turn_start",
      "message_end",
      "usage",
      "tool_start",
      "tool_end",
      "message_end",
      "usage",
      "turn_end",
    ]);
    expect(manager.path().map(({ type }) => type)).toEqual([
      "session_start",
      "system",
      "user",
      "assistant",
      "tool_use",
      "tool_result",
      "assistant",
    ]);
    await session.prompt("What did I ask?");
    const last = server.requests.at(-1)!;
    expect(server.requests.flatMap(brokenRules)).toEqual([]);
    expect(last.atoms.map(({ kind, text = "" }) => `${kind} ${text}`.trim())).toEqual([
      "user What is 2 + 3?",
      "assistant Let me add.",
      "call",
      "result 5",
      "assistant It is **5**.",
      "user What did I ask?",
    ]);
    expect(JSON.stringify(last.body)).toContain("Be brief.");
  });

  test("a process that comes later gives the model everything that was said", async () => {
    const server = await serve([{ text: "Hello Alice." }, { text: "Alice." }]);
    const first = await agentWith({ model: modelAt(server.url, protocol) });
    await first.session.prompt("My name is Alice");
    await first.manager.close();
    const again = SessionManager.open(first.manager.getSessionFile()!);
    const second = await agentWith({ model: modelAt(server.url, protocol), sessionManager: again });
    await second.session.prompt("What's my name?");
    const texts = server.requests.at(-1)!.atoms.map(({ text }) => text);
    expect(texts).toEqual(["My name is Alice", "Hello Alice.", "What's my name?"]);
  });

  test("the key goes to the server and nowhere else", async () => {
    const server = await serve([
      { status: 401, body: { error: { message: "Incorrect key key-of-the-test provided" } } },
    ]);
    const { session, manager } = await agentWith({ model: modelAt(server.url, protocol) });
    const failure = await session.prompt("Hi").catch((error: unknown) => error);
    expect(JSON.stringify(server.requests[0]!.headers)).toContain("key-of-the-test");
    expect(String(failure)).toContain("refused the request (401)");
    expect(String(failure)).not.toContain("key-of-the-test");
    expect(readFileSync(manager.getSessionFile()!, "utf8")).not.toContain("key-of-the-test");
  });

  test("a server that is busy is asked again", async () => {
    const server = await serve([{ status: 529 }, { text: "Here." }]);
    const { session } = await agentWith({ model: modelAt(server.url, protocol) });
    expect((await session.prompt("Hi")).text).toBe("Here.");
    expect(server.requests.length).toBe(2);
  });

  test("an answer that breaks off is kept, reported, and does no harm to the next request", async () => {
    const server = await serve([{ cut: "The answer begins but" }, { text: "Fine." }]);
    const { session, manager, told } = await agentWith({ model: modelAt(server.url, protocol) });
    await expect(session.prompt("Hi")).rejects.toMatchObject({ code: "model_failed" });
    expect(told.at(-1)).toMatchObject({ type: "turn_end", reason: "failed" });
    expect(manager.path().at(-1)).toMatchObject({
      type: "assistant",
      content: "The answer begins but",
      unfinished: true,
    });
    await session.prompt("Again?");
    expect(server.requests.flatMap(brokenRules)).toEqual([]);
  });

  test("malformed events end the turn with an error, not the process", async () => {
    const server = await serve([
      { raw: 'data: {"type":"content_block_start"}\n\ndata: {oops\n\n' },
      { raw: "data: [1,2]\n\n" },
      { raw: "" },
      { raw: '\u0000\u0001{"choices":7}' },
      {
        raw: 'data: {"choices":[{"delta":{"tool_calls":[{"function":7}]}}],"candidates":[{"content":{"parts":[7]}}]}\n\n',
      },
      { text: "Fine." },
    ]);
    const { session } = await agentWith({ model: modelAt(server.url, protocol) });
    for (let round = 0; round < 5; round += 1)
      await expect(session.prompt("Hi")).rejects.toMatchObject({ code: "model_failed" });
    expect((await session.prompt("Hi")).text).toBe("Fine.");
    expect(server.requests.flatMap(brokenRules)).toEqual([]);
  });
});

test("tools that are unknown, given nonsense, failing or endless are answered, each call once", async () => {
  const never = {
    ...add,
    name: "never",
    parameters: {},
    timeoutMs: 50,
    run: () => new Promise<string>(() => {}),
  };
  const failing = {
    ...add,
    name: "failing",
    parameters: {},
    run: (): string => {
      throw new Error("No disk.");
    },
  };
  const large = { ...add, name: "large", parameters: {}, run: () => "x".repeat(100 * 1024 * 1024) };
  const server = await serve([
    {
      calls: [
        { name: "fly", input: {} },
        { name: "add", input: { a: "two", b: 3 } },
        { name: "never", input: {} },
        { name: "failing", input: {} },
        { name: "large", input: {} },
      ],
    },
    { text: "I see." },
  ]);
  const { session, manager } = await agentWith({
    model: modelAt(server.url, "openai"),
    tools: [add, never, failing, large],
  });
  expect((await session.prompt("Try all")).text).toBe("I see.");
  const results = manager.path().flatMap((event) => (event.type === "tool_result" ? [event] : []));
  expect(results.map(({ isError = false }) => isError)).toEqual([true, true, true, true, false]);
  const texts = results.map(({ content }) => plainText(content));
  expect(texts.slice(0, 4)).toEqual([
    'There is no tool "fly". The tools are: add, never, failing, large.',
    '"a" must be of type number.',
    expect.stringContaining("It was stopped after"),
    "No disk.",
  ]);
  expect(texts[4]!.length).toBeLessThan(70_000);
  expect(texts[4]).toContain("characters left out");
  expect(server.requests.flatMap(brokenRules)).toEqual([]);
});

test("a server that gives two calls the same id gets both answered", async () => {
  const call = { id: "call_0", name: "add", input: { a: 1, b: 1 } };
  const server = await serve([{ calls: [call] }, { calls: [call, call] }, { text: "Two." }]);
  const { session } = await agentWith({ model: modelAt(server.url, "openai"), tools: [add] });
  await session.prompt("Again and again");
  expect(server.requests.flatMap(brokenRules)).toEqual([]);
  expect(server.requests.at(-1)!.atoms.filter(({ kind }) => kind === "result").length).toBe(3);
});

test("a model that never stops calling is stopped after so many steps", async () => {
  const server = await serve([{ calls: [{ name: "add", input: { a: 1, b: 1 } }] }]);
  const { session } = await agentWith({
    model: modelAt(server.url, "anthropic"),
    tools: [add],
    maxSteps: 4,
  });
  expect(await session.prompt("Go")).toMatchObject({ reason: "steps", steps: 4 });
  expect((await session.prompt("More")).reason).toBe("steps");
  expect(server.requests.flatMap(brokenRules)).toEqual([]);
});

test("an answer that is stopped stays as far as it was shown; the session goes on", async () => {
  const server = await serve([
    { text: "one two three four five six seven eight nine ten", paceMs: 20 },
    { text: "Fine." },
  ]);
  const { session, manager, told } = await agentWith({ model: modelAt(server.url, "anthropic") });
  const shown = new Promise<void>((resolve) => {
    session.subscribe((event) => {
      if (event.type === "message_update" && toldText(told).includes("two")) resolve();
    });
  });
  const turn = session.prompt("Count");
  await shown;
  await session.abort();
  expect(await turn).toMatchObject({ reason: "aborted" });
  const last = manager.path().at(-1)!;
  expect(last).toMatchObject({ type: "assistant", unfinished: true });
  expect("content" in last && last.content).toBe(toldText(told));
  expect((await session.prompt("Again")).text).toBe("Fine.");
  expect(server.requests.flatMap(brokenRules)).toEqual([]);
});

test("a caller's signal stops a server that never answers, and a tool that does not listen", async () => {
  const server = await serve([
    { hang: true },
    { calls: [{ name: "never", input: {} }] },
    { text: "Fine." },
  ]);
  let begin = (): void => {};
  const started = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const never = {
    ...add,
    name: "never",
    parameters: {},
    run: () => {
      begin();
      return new Promise<string>(() => {});
    },
  };
  const { session, manager } = await agentWith({
    model: modelAt(server.url, "gemini"),
    tools: [never],
  });
  expect(await session.prompt("Hi", { signal: AbortSignal.timeout(50) })).toMatchObject({
    reason: "aborted",
  });
  const turn = session.prompt("Use it");
  await started;
  await session.abort();
  expect(await turn).toMatchObject({ reason: "aborted" });
  expect(manager.path().at(-1)).toMatchObject({ type: "tool_result", isError: true });
  expect((await session.prompt("Again")).text).toBe("Fine.");
  expect(server.requests.flatMap(brokenRules)).toEqual([]);
});

test("one turn at a time", async () => {
  const server = await serve([{ hang: true }]);
  const { session } = await agentWith({ model: modelAt(server.url, "openai") });
  const turn = session.prompt("Hi");
  expect(() => session.prompt("Hi again")).toThrow(expect.objectContaining({ code: "conflict" }));
  await session.abort();
  await turn;
});

test("calls with odd names, ids and inputs, and answers without words, do no harm", async () => {
  let deep: object = {};
  for (let depth = 0; depth < 200; depth += 1) deep = { deep };
  const server = await serve([
    {
      calls: [
        { id: "x".repeat(5_000), name: "n".repeat(5_000), input: {} },
        { name: "add", input: { a: 1, b: 2, note: "\ud800 half \u0000" } },
      ],
    },
    { text: "" },
    { calls: [{ name: "add", input: deep }] },
    { text: "Fine." },
  ]);
  const { session } = await agentWith({ model: modelAt(server.url, "openai"), tools: [add] });
  expect(await session.prompt("One")).toMatchObject({ reason: "done", text: "" });
  // What no session can hold ends the turn; the next one works.
  await session.prompt("Two").catch(() => undefined);
  expect((await session.prompt("Three")).text).toBe("Fine.");
  expect(server.requests.flatMap(brokenRules)).toEqual([]);
});

test("a session whose owner said how it makes room keeps to that, in the turn and after it", async () => {
  const folder = temporaryFolder();
  const autoCompact = { windowTokens: 50_000, strategy: "truncate" } as const;
  const manager = SessionManager.create(folder, folder, { autoCompact });
  const server = await serve([{ text: "Yes." }]);
  const model = modelAt(server.url, "openai", 8_000);
  const { session } = await agentWith({ model, sessionManager: manager });
  await session.prompt("word ".repeat(20_000));
  expect(server.requests.length).toBe(1);
  expect(manager.autoCompact).toEqual(autoCompact);
});

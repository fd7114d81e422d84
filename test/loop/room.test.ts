import { expect, test } from "vitest";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";
import { agentWith, modelAt, serve } from "./agent.ts";
import { brokenRules, type SeenRequest } from "./model-server.mjs";

const windowTokens = 200_000;

/** A session of 2 MB: turns with a tool call each, in words that differ. */
async function longSession(folder: string): Promise<SessionManager> {
  const manager = SessionManager.create(folder, folder, { title: "Long" });
  const words = (seed: number, count: number): string =>
    Array.from({ length: count }, (_, at) => `w${(seed * 7919 + at * 104_729) % 9973}`).join(" ");
  for (let turn = 0; turn < 200; turn += 1) {
    await manager.appendAll([
      { type: "user", content: `Question ${turn}: ${words(turn, 200)}` },
      { type: "tool_use", call: `c${turn}`, name: "look", input: { turn } },
      { type: "tool_result", call: `c${turn}`, content: `Found ${turn}: ${words(turn + 1, 1200)}` },
      { type: "assistant", content: `Answer ${turn}: ${words(turn + 2, 300)}`, endTurn: true },
    ]);
  }
  return manager;
}

/** As servers count: four characters are a token. */
function tokensIn({ body }: SeenRequest): number {
  return JSON.stringify(body).length / 4;
}

test.each(["truncate", "summarise", "rotate"] as const)(
  "2 MB of history in a window of 200k: %s makes room before the prompt, and the newest turns stay whole",
  async (strategy) => {
    const folder = temporaryFolder();
    const manager = await longSession(folder);
    const old = manager.getSessionId();
    const summaries = await serve([{ text: "They asked 200 questions." }]);
    const server = await serve([{ text: "Fine." }]);
    const { session, told } = await agentWith({
      model: modelAt(server.url, "anthropic", windowTokens),
      sessionManager: manager,
      compaction: { strategy, summaryModel: modelAt(summaries.url, "openai", 128_000) },
    });
    await session.prompt("And now?");
    const [request] = server.requests;
    expect(server.requests.length).toBe(1);
    expect(brokenRules(request!)).toEqual([]);
    expect(tokensIn(request!)).toBeLessThan(windowTokens);
    expect(told).toContainEqual(expect.objectContaining({ type: "compacted", strategy }));
    const texts = request!.atoms.map(({ text = "" }) => text);
    const text = texts.join("\n");
    if (strategy === "truncate") expect(summaries.requests.length).toBe(0);
    else {
      expect(summaries.requests.length).toBe(1);
      expect(tokensIn(summaries.requests[0]!)).toBeLessThan(128_000);
      expect(text).toContain("They asked 200 questions.");
    }
    if (strategy === "rotate") {
      expect(manager.getSessionId()).not.toBe(old);
      expect(manager.getHeader().continues?.session).toBe(old);
      const before = SessionManager.open(old, { dir: folder });
      const end = before.path().at(-1);
      expect(end).toMatchObject({ type: "session_end", rotatedTo: manager.getSessionId() });
      await before.close();
      return;
    }
    for (const turn of [197, 198, 199]) {
      expect(texts.filter((said) => said.startsWith(`Question ${turn}:`)).length).toBe(1);
      expect(texts.filter((said) => said.startsWith(`Found ${turn}:`)).length).toBe(1);
      expect(texts.filter((said) => said.startsWith(`Answer ${turn}:`)).length).toBe(1);
    }
    expect(text).not.toContain("Question 3:");
  },
);

test.each(["truncate", "summarise", "rotate"] as const)(
  "%s: tools that fill the window within a turn are compacted too, calls and results together",
  async (strategy) => {
    const look = {
      name: "look",
      description: "Looks.",
      parameters: {},
      run: () => "lots of words ".repeat(3_000),
    };
    const server = await serve((_, count) =>
      count < 30 ? { calls: [{ name: "look", input: { count } }] } : { text: "Enough." },
    );
    const { session, manager } = await agentWith({
      model: modelAt(server.url, "openai", 40_000),
      tools: [look],
      compaction: { strategy },
    });
    const first = manager.getSessionId();
    expect(await session.prompt("Look around")).toMatchObject({ text: "Enough." });
    expect(server.requests.flatMap(brokenRules)).toEqual([]);
    for (const request of server.requests) expect(tokensIn(request)).toBeLessThan(40_000);
    expect(manager.getSessionId()).toBe(first);
    for (const { atoms } of server.requests)
      expect(atoms.some(({ text = "" }) => text.includes("Look around"))).toBe(true);
  },
);

test("a result that is larger than the window is cut until it fits", async () => {
  const look = {
    name: "look",
    description: "Looks.",
    parameters: {},
    run: () => "many words in here ".repeat(3_400),
  };
  const server = await serve([{ calls: [{ name: "look", input: {} }] }, { text: "Seen." }]);
  const { session } = await agentWith({
    model: modelAt(server.url, "openai", 8_000),
    tools: [look],
  });
  await session.prompt("Look");
  expect(server.requests.flatMap(brokenRules)).toEqual([]);
  expect(server.requests.at(-1)!.atoms.at(-1)!.text).toContain("characters left out");
  expect(tokensIn(server.requests.at(-1)!)).toBeLessThan(8_000);
});

test("a summary that never comes does not hold the turn: once it is stopped the built-in one stands in", async () => {
  const folder = temporaryFolder();
  const manager = await longSession(folder);
  const server = await serve([{ hang: true }]);
  const { session, told } = await agentWith({
    model: modelAt(server.url, "anthropic", windowTokens),
    sessionManager: manager,
    compaction: { summaryModel: modelAt(server.url, "anthropic") },
  });
  const turn = session.prompt("And now?");
  while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await session.abort();
  expect(await turn).toMatchObject({ reason: "aborted" });
  expect(told.map(({ type }) => type)).toContain("compacted");
});

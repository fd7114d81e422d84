import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { AgentEvent, ReadOptions } from "../../src/agents/contract.ts";
import { limits } from "../../src/base/limits.ts";
import { encoded } from "../../src/convert/encode.ts";
import type { Source } from "../../src/convert/source.ts";
import { difference, Expectation } from "../../src/convert/verify.ts";
import { SessionManager } from "../../src/index.ts";
import { heldAt } from "../../src/json/json-text.ts";
import { contentOfBlocks } from "../../src/model/block.ts";
import { messagesOf, saidIn } from "./said.ts";
import { agentNamed, bring, fixtureSessions, newUser, removeUsers, sourceOf } from "./stores.ts";

const adjustable = limits as { lazyTextBytes: number };
const { lazyTextBytes } = limits;
afterEach(() => {
  adjustable.lazyTextBytes = lazyTextBytes;
});
afterAll(removeUsers);

async function eventsOf({ agent, ref }: Source, options: ReadOptions): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const batch of agent.read(ref, options)) {
    if (batch.restart) events.length = 0;
    events.push(...batch.events);
  }
  return events;
}

/** As JSON, with a text that stands alone as a string: a text that is still JSON stands in a block. */
function plain(events: readonly AgentEvent[]): string[] {
  return events.map((event) => {
    const { body } = event;
    const content = "content" in body ? body.content : undefined;
    if (!Array.isArray(content)) return JSON.stringify(event);
    const strings = JSON.parse(JSON.stringify(content)) as typeof content;
    return JSON.stringify({ ...event, body: { ...body, content: contentOfBlocks(strings) } });
  });
}

const lazyAgents = ["claude-code", "codex", "pi"];

describe("a session whose texts are left as JSON until they are read", () => {
  const sessions = fixtureSessions().filter(({ source }) => lazyAgents.includes(source.agent.name));
  test.each(sessions)("$name is the same session", async ({ source }) => {
    for (const allBranches of [false, true]) {
      const whole = await eventsOf(source, { allBranches });
      adjustable.lazyTextBytes = 8;
      const lazy = await eventsOf(source, { allBranches, lazyTexts: true });
      adjustable.lazyTextBytes = lazyTextBytes;
      expect(plain(lazy)).toEqual(plain(whole));
    }
  });

  test.each(lazyAgents)("has some in every store: %s", async (name) => {
    adjustable.lazyTextBytes = 8;
    const own = sessions.filter(({ source }) => source.agent.name === name);
    const read = await Promise.all(own.map(({ source }) => eventsOf(source, { lazyTexts: true })));
    const blocks = read
      .flat()
      .flatMap(({ body }) => ("content" in body && Array.isArray(body.content) ? body.content : []))
      .filter((block): block is object => typeof block === "object" && block !== null);
    expect(blocks.some((block) => heldAt(block, "text") !== undefined)).toBe(true);
  });

  test("of our own store is the same too", async () => {
    const env = newUser();
    const session = SessionManager.create(env.cwd, undefined, { env });
    const text = `"é 日本 \u{1f389}"\n\\ more. ${"word ".repeat(1000)}`;
    await session.appendAll([
      { type: "user", content: text, author: "dev" },
      { type: "assistant", content: [{ type: "text", text }], message: "m", model: "x" },
      { type: "tool_use", call: "c1", name: "bash", input: { command: text }, message: "m" },
      { type: "tool_result", call: "c1", content: text, isError: true },
      { type: "note", content: text },
    ]);
    await session.close();
    const agent = agentNamed("reprise");
    const source = { agent, ref: [...agent.locate(env)][0]! };
    const lazy = await eventsOf(source, { lazyTexts: true });
    const [first] = lazy.flatMap(({ body }) => (body.type === "user" ? [body.content] : []));
    expect(Array.isArray(first) && heldAt(first[0]!, "text") !== undefined).toBe(true);
    const bare = (events: readonly AgentEvent[]): unknown[] =>
      plain(events.map(({ native: _native, ...event }) => event)).map((json) => JSON.parse(json));
    expect(bare(lazy)).toEqual(bare(await eventsOf(source, {})));
  });

  test.each(["claude-code", "codex", "pi", "gemini-cli", "reprise"])(
    "becomes the same session of another agent: %s",
    async (to) => {
      const env = newUser();
      for (const { source } of sessions.filter((_, at) => at % 5 === 0)) {
        if ((await messagesOf(source)).length === 0) continue;
        const said: (readonly string[])[] = [];
        for (const bytes of [8, 1e9]) {
          adjustable.lazyTextBytes = bytes;
          const converted = await bring(source, to, env, { budgetTokens: 1e9 });
          const report = JSON.stringify([converted.losses, converted.unexpected]);
          said.push([report, ...(await saidIn(sourceOf(converted)))]);
        }
        expect(said[0]).toEqual(said[1]);
      }
    },
    60_000,
  );
});

describe("reading back", () => {
  const text = `It says "é 日本 \u{1f389}"\n\tand \\ more. ${"word ".repeat(1000)}\n`;

  async function converted(to: string): Promise<Source> {
    const env = newUser();
    const session = SessionManager.create(env.cwd, undefined, { env });
    await session.appendAll([
      { type: "user", content: text },
      { type: "tool_use", call: "c1", name: "bash", input: { command: text }, message: "m" },
      { type: "tool_result", call: "c1", content: text },
      { type: "assistant", content: text, message: "m2" },
    ]);
    await session.close();
    const agent = agentNamed("reprise");
    return sourceOf(await bring({ agent, ref: [...agent.locate(env)][0]! }, to, env));
  }

  test.each(["claude-code", "codex", "pi"])(
    "finds a single letter that is not as it was said, in any long text: %s",
    async (to) => {
      const { agent, ref } = await converted(to);
      const meant = new Expectation({});
      for (const message of await messagesOf({ agent, ref })) meant.add(encoded(message));
      expect(await difference(agent, ref, meant)).toBeUndefined();
      const file = readFileSync(ref.path, "utf8");
      const places = [...file.matchAll(/word word \S*",?/g)].map(({ index }) => index);
      expect(places.length).toBeGreaterThanOrEqual(4);
      // What the screen shows beside what the model is given is not read back.
      const lineOf = (at: number) => file.slice(file.lastIndexOf("\n", at) + 1, at);
      for (const at of places.filter((place) => !lineOf(place).includes('"event_msg"'))) {
        writeFileSync(ref.path, `${file.slice(0, at)}W${file.slice(at + 1)}`);
        expect(await difference(agent, ref, meant)).toMatch(/^item \d of \d was read as /);
      }
    },
  );
});

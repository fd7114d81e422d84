import { appendFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Agent } from "../../src/agents/contract.ts";
import { loadAgents } from "../../src/agents/registry.ts";
import { type ConvertRequest, convert, planConversion } from "../../src/convert/convert.ts";
import { Normaliser } from "../../src/convert/normalise.ts";
import { Losses, losesConversation } from "../../src/convert/report.ts";
import { SessionManager } from "../../src/index.ts";
import type { EventBody } from "../../src/model/event.ts";
import { lossReasons, mayBeLost } from "../../src/model/loss.ts";
import { filesBelow } from "../agents/kit/writes.ts";
import { pixel, richSession } from "./rich.ts";
import { messagesOf, saidIn } from "./said.ts";
import { agentNamed, bring, newUser, sourceOf, targets } from "./stores.ts";

const agents = await loadAgents();

async function request(to: string, more: Partial<ConvertRequest> = {}): Promise<ConvertRequest> {
  const env = newUser();
  const source = await richSession(env);
  const head = source.agent.head(source.ref, env)!;
  return { source, head, target: agentNamed(to), env, cwd: env.cwd, ...more };
}

/** Events of everything that any target may be unable to hold. */
const difficult: readonly EventBody[] = [
  { type: "user", content: "a" },
  { type: "thinking", content: "unsigned" },
  { type: "thinking", content: "signed", signature: "s" },
  { type: "tool_use", call: "c", name: "T", input: {} },
  {
    type: "tool_result",
    call: "c",
    content: [
      { type: "image", mediaType: "image/png", source: { kind: "base64", data: pixel } },
      { type: "opaque", from: "x", value: 1 },
    ],
  },
  {
    type: "user",
    content: [
      { type: "image", mediaType: "image/x-odd", source: { kind: "base64", data: pixel } },
      { type: "image", mediaType: "image/png", source: { kind: "url", url: "https://a/b.png" } },
      { type: "file", source: { kind: "base64", data: "AA==" } },
    ],
  },
  {
    type: "assistant",
    content: [{ type: "image", mediaType: "image/png", source: { kind: "base64", data: pixel } }],
  },
];

describe("the table of allowed losses", () => {
  test("names every target", () => {
    expect(targets.filter(({ losses }) => losses === undefined)).toEqual([]);
  });

  test.each(targets)(
    "names everything $name drops, and nothing it never drops",
    async ({ writer, tools, losses: allowed = [] }) => {
      const { holds } = await writer!();
      const told = [true, false].flatMap((sameAgent) => {
        const losses = new Losses();
        const normaliser = new Normaliser({
          holds,
          sameAgent,
          from: undefined,
          to: tools,
          mappings: [],
          losses,
        });
        for (const body of difficult) [...normaliser.next({ body })].length;
        [...normaliser.end()].length;
        return losses.list().filter((loss) => losesConversation([loss]));
      });
      expect(told.filter((loss) => !mayBeLost(loss, allowed))).toEqual([]);
      const dropped = new Set(told.map(({ reason }) => reason));
      const named = allowed.map((name) => lossReasons[name]);
      expect(named.filter((reason) => !dropped.has(reason))).toEqual([]);
    },
  );
});

describe("a plan", () => {
  test("says what would be lost and writes nothing", async () => {
    const asked = await request("gemini-cli");
    const before = filesBelow(asked.env.home);
    const plan = await planConversion(asked);
    expect(filesBelow(asked.env.home)).toEqual(before);
    expect(plan.losses).toContainEqual(
      expect.objectContaining({ field: "thinking", effect: "dropped", count: 1 }),
    );
    const done = await convert(asked);
    expect(done.messages).toBe(plan.messages);
    expect(done.losses).toEqual(expect.arrayContaining([...plan.losses]));
  });

  test("is refused for an agent that nothing can be written for", async () => {
    const { writer: _writer, ...silent } = agentNamed("pi");
    const asked = await request("pi", { target: silent as Agent });
    await expect(planConversion(asked)).rejects.toMatchObject({ code: "unsupported" });
    await expect(convert(asked)).rejects.toMatchObject({ code: "unsupported" });
  });
});

describe("strictly", () => {
  test("nothing is written where something of the conversation would be lost", async () => {
    const asked = await request("pi", { strict: true });
    const before = filesBelow(asked.env.home);
    await expect(convert(asked)).rejects.toMatchObject({ code: "conflict" });
    expect(filesBelow(asked.env.home)).toEqual(before);
  });

  test("nothing is written where turns would be summarised away", async () => {
    const asked = await request("reprise", { strict: true, budgetTokens: 20 });
    await expect(convert(asked)).rejects.toMatchObject({ code: "conflict" });
  });

  test("nothing is written where the last step alone is over the budget; else that is told", async () => {
    const asked = await request("reprise", { budgetTokens: 1 });
    expect((await planConversion(asked)).overBudget).toMatchObject({ budgetTokens: 1 });
    await expect(convert({ ...asked, strict: true })).rejects.toMatchObject({
      code: "conflict",
      details: { overBudget: { budgetTokens: 1 } },
    });
    expect((await convert(asked)).overBudget!.tokens).toBeGreaterThan(1);
  });

  test("a session goes where all of it fits", async () => {
    const done = await convert(await request("reprise", { strict: true }));
    expect(losesConversation(done.losses)).toBe(false);
  });
});

describe("a conversion", () => {
  test("within a budget keeps the newest turns and tells of the rest in a summary", async () => {
    const asked = await request("claude-code", { budgetTokens: 60 });
    const done = await convert(asked);
    const [first, ...rest] = await messagesOf(sourceOf(done));
    expect(first?.role).toBe("summary");
    expect(rest.length).toBeGreaterThan(0);
    expect(rest.length).toBeLessThan((await messagesOf(asked.source)).length);
    expect(done.losses).toContainEqual(
      expect.objectContaining({ field: "earlier turns", effect: "summarised" }),
    );
    expect(done.unexpected).toEqual([]);
    const said = await saidIn(sourceOf(done));
    expect(said.at(-1)).toBe("assistant Of course.");
  });

  test.each(["reprise", "claude-code", "opencode"])(
    "of a model's opening words goes into %s although a user must speak first",
    async (to) => {
      const env = newUser();
      const session = SessionManager.create(env.cwd, undefined, { env });
      await session.appendAssistant("I speak first.");
      await session.close();
      const agent = agentNamed("reprise");
      const done = await bring({ agent, ref: [...agent.locate(env)][0]! }, to, env);
      expect((await saidIn(sourceOf(done))).at(-1)).toBe("assistant I speak first.");
    },
  );

  test("of a session of system records alone is refused, and nothing is written", async () => {
    const env = newUser();
    const session = SessionManager.create(env.cwd, undefined, { env });
    await session.append({ type: "system", content: "You are helpful." });
    await session.close();
    const agent = agentNamed("reprise");
    const source = { agent, ref: [...agent.locate(env)][0]! };
    const before = filesBelow(env.home);
    for (const { name } of targets)
      await expect(bring(source, name, env)).rejects.toMatchObject({ code: "bad_input" });
    const left = [...filesBelow(env.home).keys()].filter((path) => !before.has(path));
    expect(
      left.filter((path) => !path.includes("/opencode.db") && !path.includes("/.reprise")),
    ).toEqual([]);
  });

  test("of a damaged session takes what is readable and says so", async () => {
    const env = newUser();
    const begun = sourceOf(await bring(await richSession(env), "claude-code", env));
    appendFileSync(begun.ref.path, '{"type":"user","message":{"role":"us');
    const done = await bring(begun, "codex", env);
    expect(done.damage).toMatch(/1 damaged record/);
    expect(await saidIn(sourceOf(done))).toEqual(
      (await saidIn(begun)).map((line) => expect.stringContaining(line.split(" ", 2).join(" "))),
    );
  });

  test("up to a named event stops there", async () => {
    const asked = await request("pi");
    let at = "";
    for await (const { events } of asked.source.agent.read(asked.source.ref))
      for (const { number, body } of events)
        if (body.type === "assistant" && body.content === "A pixel.") at = number;
    const done = await convert({ ...asked, source: { ...asked.source, at } });
    expect((await saidIn(sourceOf(done))).at(-1)).toBe("assistant A pixel.");
    const missing = convert({ ...asked, source: { ...asked.source, at: "99999" } });
    await expect(missing).rejects.toMatchObject({ code: "not_found" });
  });

  test("that is not read back as it was meant is removed, with a word about where", async () => {
    const asked = await request("pi");
    const pi = agentNamed("pi");
    const target: Agent = {
      ...pi,
      async *read(ref, options) {
        for await (const batch of pi.read(ref, options))
          yield {
            ...batch,
            events: batch.events.filter(({ body }) => body.type !== "tool_result"),
          };
      },
    };
    const before = filesBelow(asked.env.home);
    await expect(convert({ ...asked, target })).rejects.toThrow(/not read back.*item \d+ of \d+/);
    const isJournal = (path: string): boolean =>
      /\/\.reprise\/(running|journal\.jsonl)$/.test(path);
    const after = [...filesBelow(asked.env.home).keys()].filter((path) => !isJournal(path));
    expect(after).toEqual([...before.keys()]);
  });

  test("of a session that is rewritten meanwhile is refused", async () => {
    const asked = await request("pi");
    const { agent } = asked.source;
    const rewriting: Agent = {
      ...agent,
      async *read(ref, options) {
        yield* agent.read(ref, options);
        yield { events: [], damage: [], cursor: "", restart: true };
      },
    };
    const source = { ...asked.source, agent: rewriting };
    await expect(convert({ ...asked, source })).rejects.toMatchObject({ code: "changed_outside" });
  });

  test.each(["pi", "codex", "reprise"])(
    "of a session of %s that cannot be read says why",
    async (from) => {
      const asked = await request("claude-code");
      const path = join(asked.env.home, "loop.jsonl");
      symlinkSync("loop.jsonl", path);
      const source = { agent: agentNamed(from), ref: { ...asked.source.ref, path } };
      await expect(convert({ ...asked, source })).rejects.toMatchObject({
        code: "not_a_file",
        message: expect.stringContaining("links lead in a circle"),
      });
    },
  );

  test("into a store that is a file says so and changes nothing", async () => {
    const asked = await request("codex");
    writeFileSync(`${asked.env.home}/.codex`, "");
    const before = filesBelow(asked.env.home);
    await expect(convert(asked)).rejects.toMatchObject({ code: "write_failed" });
    const after = new Map(filesBelow(asked.env.home));
    // Where processes leave notes; this one took its own away.
    after.delete(join(asked.env.home, ".reprise/running"));
    expect(after).toEqual(before);
  });
});

test("every agent whose sessions can be written also reads them", () => {
  expect(targets.length).toBeGreaterThan(6);
  expect(targets.every((agent) => agents.includes(agent))).toBe(true);
});

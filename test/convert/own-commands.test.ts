import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Source } from "../../src/agents/source.ts";
import type { Environment } from "../../src/base/env.ts";
import { putRollout, threadId, turn } from "../agents/codex/store.ts";
import { saidIn } from "./said.ts";
import { agentNamed, bring, newUser, sourceOf, targets } from "./stores.ts";

const id = "0a0b0c0d-1111-4222-8333-444455556666";
const at = "2026-11-15T09:00:01.000Z";

function put(path: string, records: readonly object[]): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return path;
}

function source(
  agent: string,
  path: string,
  more: { root?: string; session?: string } = {},
): Source {
  const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(path);
  const ref = { agent, session: id, path, sizeBytes, modifiedMs, ...more };
  return { agent: agentNamed(agent), ref };
}

/** A Claude Code transcript of these messages. */
function claudeSession({ home }: Environment, messages: readonly (readonly [string, unknown])[]) {
  const root = join(home, ".claude");
  let parentUuid: string | null = null;
  const records = messages.map(([role, content], index) => {
    const uuid = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
    const record = { type: role, uuid, parentUuid, timestamp: at, sessionId: id };
    parentUuid = uuid;
    return { ...record, message: { role, content } };
  });
  return source("claude-code", put(join(root, "projects/-home-dev", `${id}.jsonl`), records), {
    root,
  });
}

const ranInClaude = [
  "<bash-input>npm test</bash-input>",
  "<bash-stdout>2 passed</bash-stdout><bash-stderr>a warning</bash-stderr>",
];
const ranInPi = "Ran `npm test`\n```\n2 passed\n```\n\nCommand exited with code 1";
const ranInCodex =
  "<user_shell_command>\n<command>\nnpm test\n</command>\n<result>\nExit code: 0\n2 passed\n</result>\n</user_shell_command>";

/** A session of each agent in which a person ran a command themselves, and what a model was told of it. */
const sessions: Readonly<
  Record<string, { readonly made: (env: Environment) => Source; readonly told: readonly string[] }>
> = {
  "claude-code": {
    made: (env) =>
      claudeSession(env, [
        ["user", "Mend the tests"],
        ["assistant", [{ type: "text", text: "I did." }]],
        ...ranInClaude.map((text) => ["user", text] as const),
        ["user", "Why the warning?"],
        ["assistant", [{ type: "text", text: "It is old." }]],
      ]),
    told: ranInClaude,
  },
  codex: {
    made: ({ home }) => {
      const thread = threadId(1);
      putRollout(home, { thread }, [...turn("Mend the tests", "I did."), shellItem(ranInCodex)]);
      const [ref] = [
        ...agentNamed("codex").locate({ variables: {}, platform: "linux", home, cwd: home }),
      ];
      return { agent: agentNamed("codex"), ref: ref! };
    },
    told: [ranInCodex],
  },
  pi: {
    made: ({ home }) => {
      const line = (n: number, message: object): object => ({
        type: "message",
        id: `0000000${n}`,
        parentId: n === 1 ? null : `0000000${n - 1}`,
        timestamp: at,
        message,
      });
      const path = put(join(home, ".pi/agent/sessions/--home-dev--/s.jsonl"), [
        { type: "session", version: 3, id, timestamp: at, cwd: "/home/dev" },
        line(1, { role: "user", content: "Mend the tests" }),
        line(2, {
          role: "assistant",
          content: [{ type: "text", text: "I did." }],
          stopReason: "stop",
        }),
        line(3, { role: "bashExecution", command: "npm test", output: "2 passed", exitCode: 1 }),
        line(4, {
          role: "bashExecution",
          command: "cat secret",
          output: "x",
          exitCode: 0,
          excludeFromContext: true,
        }),
      ]);
      return source("pi", path);
    },
    told: [ranInPi],
  },
};

function shellItem(text: string): object {
  const content = [{ type: "input_text", text }];
  return { type: "response_item", payload: { type: "message", role: "user", content } };
}

describe.each(Object.entries(sessions))("a command that a person ran in %s", (from, one) => {
  test.each(targets.map(({ name }) => name))("is carried over into %s", async (to) => {
    const env = newUser();
    const made = await bring(one.made(env), to, env, { strict: true });
    expect(made.losses).toEqual([]);
    const said = await saidIn(sourceOf(made));
    for (const text of one.told) expect(said).toContain(`user ${text}`);
    expect(said.join("\n")).not.toContain("cat secret");
  });

  test("is neither the session's title nor a prompt, and is searched as the user's", async () => {
    const env = newUser();
    const { agent, ref } = one.made(env);
    expect([undefined, "Mend the tests"]).toContain(agent.head(ref, env)?.title);
    const ran: string[] = [];
    for await (const { events } of agent.read(ref)) {
      for (const { body } of events) {
        if (body.type === "user" && body.ran) ran.push(String(body.content));
      }
    }
    expect(ran).toEqual(one.told);
    expect(from).toBe(ref.agent);
  });
});

const references = ["WebFetch", "NotebookEdit"].map((tool_name) => ({
  type: "tool_reference",
  tool_name,
}));

function searched(env: Environment): Source {
  const call = { type: "tool_use", id: "toolu_1", name: "ToolSearch", input: { query: "web" } };
  return claudeSession(env, [
    ["user", "Look it up"],
    ["assistant", [call]],
    ["user", [{ type: "tool_result", tool_use_id: "toolu_1", content: references }]],
    ["assistant", [{ type: "text", text: "Found." }]],
  ]);
}

describe("the tools that a search for tools found", () => {
  test("are written as the agent's own blocks by the same agent, through our own store too", async () => {
    const env = newUser();
    const own = await bring(searched(env), "reprise", env, { strict: true });
    for (const made of [
      await bring(searched(env), "claude-code", env, { strict: true }),
      await bring(sourceOf(own), "claude-code", env, { strict: true }),
    ]) {
      const { agent, ref } = sourceOf(made);
      const natives: unknown[] = [];
      for await (const { events } of agent.read(ref)) natives.push(...events.map((e) => e.native));
      expect(JSON.stringify(natives)).toContain(JSON.stringify(references).slice(1, -1));
    }
  });

  test.each(targets.map(({ name }) => name))("are named in %s", async (to) => {
    const env = newUser();
    const made = await bring(searched(env), to, env, { strict: true });
    const said = (await saidIn(sourceOf(made))).join("\n");
    expect(said).toContain("Tool found: WebFetch\nTool found: NotebookEdit");
    expect(made.losses.filter(({ field }) => field === "foreign block")).toEqual(
      ["claude-code", "reprise"].includes(to)
        ? []
        : [expect.objectContaining({ effect: "rewritten", count: 2 })],
    );
  });
});

test.each(targets.map(({ name }) => name))(
  "what a model says behind its own searches in one message is read back from %s",
  async (to) => {
    const env = newUser();
    const search = { type: "web_search_call", status: "completed", action: { type: "search" } };
    const answer = [{ type: "output_text", text: "Found it." }];
    putRollout(env.home, { thread: threadId(1) }, [
      ...turn("Look it up", "I will."),
      { type: "response_item", payload: search },
      { type: "response_item", payload: search },
      {
        type: "response_item",
        payload: { type: "message", role: "assistant", content: answer },
      },
    ]);
    const codex = agentNamed("codex");
    const [ref] = [...codex.locate(env)];
    const made = await bring({ agent: codex, ref: ref! }, to, env);
    expect((await saidIn(sourceOf(made))).join("\n")).toContain("Found it.");
  },
);

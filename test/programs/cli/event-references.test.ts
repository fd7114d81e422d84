import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Agent, AgentEvent } from "../../../src/agents/contract.ts";
import { findSessions } from "../../../src/agents/find-sessions.ts";
import { readSession } from "../../../src/agents/reading.ts";
import { type NamedSession, referenceTo, resolveReference } from "../../../src/agents/reference.ts";
import { loadAgent } from "../../../src/agents/registry.ts";
import { sourceEvents } from "../../../src/agents/source.ts";
import type { Environment } from "../../../src/base/env.ts";
import { resume } from "../../../src/programs/cli/commands/resume.ts";
import { show } from "../../../src/programs/cli/commands/show.ts";
import { parseInvocation } from "../../../src/programs/cli/run/parse.ts";
import { selectEvents } from "../../../src/programs/cli/sessions/select.ts";
import { putRollout, threadId, turn } from "../../agents/codex/store.ts";
import { copyOf, scenarios as opencodeScenarios } from "../../agents/opencode/fixtures.ts";
import { fixture as piFixture, scenarios as piScenarios } from "../../agents/pi/sessions.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";

const fixtures = join(import.meta.dirname, "../../fixtures");

const derived = temporaryFolder();

interface Scene {
  readonly name: string;
  readonly agent: string;
  readonly env: Environment;
}

function scene(agent: string, name: string, home: string): Scene {
  return { name: `${agent} ${name}`, agent, env: at(home) };
}

function at(home: string): Environment {
  // Fixtures are homes too: what is derived from them goes elsewhere.
  return { variables: { REPRISE_HOME: derived }, platform: "linux", home, cwd: home };
}

/** Every fixture that is laid out like a home folder. */
function homesOf(agent: string): readonly Scene[] {
  const versions = readdirSync(join(fixtures, agent), { withFileTypes: true });
  return versions
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: version }) =>
      readdirSync(join(fixtures, agent, version), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) =>
          scene(agent, `${version}/${name}`, join(fixtures, agent, version, name)),
        ),
    );
}

function piHome(scenario: string): Scene {
  const home = temporaryFolder();
  const folder = join(home, ".pi", "agent", "sessions", "--home-dev-acme-api--");
  mkdirSync(folder, { recursive: true });
  copyFileSync(piFixture(scenario), join(folder, "session.jsonl"));
  return scene("pi", scenario, home);
}

/** A thread that was rewound twice, and a fork of what it became. */
function rewoundCodex(): Scene {
  const home = temporaryFolder();
  const [thread, fork] = [threadId(1), threadId(2)];
  putRollout(home, { thread }, [...turn("p", "a"), ...turn("wrong", "b")]);
  const first = { id: thread, ordinal: 3 };
  putRollout(
    home,
    { thread, segment: threadId(9), second: 30, base: first },
    turn("also wrong", "c"),
  );
  putRollout(home, { thread, segment: threadId(10), second: 60, base: first }, turn("right", "d"));
  const second = { id: threadId(10), ordinal: 6 };
  putRollout(home, { thread: fork, second: 90, base: second }, turn("q", "e"));
  return scene("codex", "rewound twice and forked", home);
}

/** A session with a task list beside it. */
function claudeTasks(): Scene {
  const home = temporaryFolder();
  const session = "0a0b0c0d-1111-4222-8333-444455556666";
  const folder = join(home, ".claude", "projects", "-home-dev-acme-api");
  mkdirSync(folder, { recursive: true });
  const said = (type: string, uuid: string, parentUuid: string | null): string =>
    `${JSON.stringify({ type, uuid, parentUuid, sessionId: session, timestamp: "2026-11-15T09:00:01.000Z", message: { role: type, content: `I am ${uuid}` } })}\n`;
  writeFileSync(
    join(folder, `${session}.jsonl`),
    `${said("user", "u-first-1", null)}${said("assistant", "a-first-1", "u-first-1")}`,
  );
  const tasks = join(home, ".claude", "tasks", session);
  mkdirSync(tasks, { recursive: true });
  for (const name of ["1", "two"]) {
    writeFileSync(join(tasks, `${name}.json`), JSON.stringify({ id: name, subject: "Test" }));
  }
  return scene("claude-code", "with tasks", home);
}

const scenes: readonly Scene[] = [
  ...homesOf("claude-code"),
  claudeTasks(),
  ...homesOf("codex"),
  rewoundCodex(),
  ...homesOf("gemini-cli"),
  ...homesOf("aider"),
  ...opencodeScenarios.map((name) => scene("opencode", name, copyOf(name))),
  ...piScenarios.map(piHome),
];

async function all(events: AsyncIterable<AgentEvent>): Promise<readonly string[]> {
  const numbers: string[] = [];
  for await (const { number } of events) numbers.push(number);
  return numbers;
}

describe.each(scenes)("$name", ({ agent: name, env }) => {
  test("every event's number, as it is printed, names that event in every command", async () => {
    const agent = (await loadAgent(name))!;
    const sessions = findSessions({ agents: [agent], env }, { subagents: true });
    expect(sessions.length).toBeGreaterThan(0);
    for (const session of sessions) {
      const events: AgentEvent[] = [];
      for await (const event of readSession(session, { allBranches: true }).events)
        events.push(event);
      for (const event of events) await resolves(event, { agent, env, session, events });
    }
  });
});

async function resolves(
  { number, body }: AgentEvent,
  from: {
    readonly agent: Agent;
    readonly env: Environment;
    readonly session: NamedSession;
    readonly events: readonly AgentEvent[];
  },
): Promise<void> {
  const { agent, env, session, events } = from;
  const printed = `${referenceTo(session)}@${number}`;
  const found = resolveReference(printed, { agents: [agent], env });
  expect(found).toMatchObject({ event: number, ref: { session: session.ref.session } });
  for (const command of [show, resume]) {
    const flag = command === show ? "--from" : "--at";
    const read = parseInvocation(command, ["ref", flag, number], { nowMs: 0 });
    expect(read).toMatchObject({ args: ["ref"] });
  }
  const everything = async function* (): AsyncGenerator<AgentEvent> {
    yield* events;
  };
  const shown = await all(selectEvents(everything(), { focus: number }));
  expect(shown).toContain(number);
  for (const range of [{ from: number }, { to: number }, { from: number, to: number }]) {
    expect(await all(selectEvents(everything(), range))).toContain(number);
  }
  const upTo = await all(sourceEvents({ agent, ref: found.ref, at: number }));
  const isSaid = ["user", "assistant", "tool_use", "tool_result"].includes(body.type);
  if (isSaid) expect(upTo.at(-1)).toBe(number);
  if (body.type === "task")
    expect(upTo).toEqual(await all(sourceEvents({ agent, ref: found.ref })));
}

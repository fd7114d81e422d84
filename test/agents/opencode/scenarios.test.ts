import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { opencode } from "../../../src/agents/opencode/index.ts";
import type { NativeMessage } from "../../../src/agents/opencode/read/source.ts";
import { stateOf } from "../../sqlite/folder.ts";
import { copyOf, environment, fixture, json, readAll, refsOf, scenarios } from "./fixtures.ts";

interface Counts {
  readonly parent_id: string | null;
  readonly title: string;
  readonly version: string;
  readonly directory?: string;
  readonly tokens_input?: number;
  readonly tokens_output?: number;
  readonly users: number;
  readonly assistants: number;
  readonly parts: Readonly<Record<string, number>>;
  readonly tools: readonly string[];
}

const counts = json<Record<string, Record<string, Counts>>>("counts.json");

test("every scenario has been counted by other means", () => {
  expect(Object.keys(counts).sort()).toEqual(scenarios);
});

function messagesOf(events: Awaited<ReturnType<typeof readAll>>["events"]): NativeMessage[] {
  const natives = events
    .filter(({ number }) => !number.startsWith("0"))
    .map(({ native }) => native);
  return [...new Set(natives)] as NativeMessage[];
}

describe.each(scenarios)("%s", (scenario) => {
  const expected = counts[scenario]!;

  test("every session is found once", () => {
    expect([...refsOf(fixture(scenario)).keys()].sort()).toEqual(Object.keys(expected).sort());
  });

  test.each(Object.keys(expected))("messages, parts and tools are all there: %s", async (id) => {
    const { events, damage, unknown } = await readAll(refsOf(fixture(scenario)).get(id)!, {
      allBranches: true,
    });
    const wanted = expected[id]!;
    const messages = messagesOf(events);
    const roles = messages.map(({ info }) => info["role"]);
    const parts = messages.flatMap((message) => message.parts);
    const types: Record<string, number> = {};
    for (const part of parts) types[String(part["type"])] = (types[String(part["type"])] ?? 0) + 1;
    const tools = parts
      .filter((part) => part["type"] === "tool")
      .map((part) => `${part["tool"]}:${(part["state"] as { status: string }).status}`);
    expect(damage).toEqual([]);
    expect(unknown).toEqual({});
    expect({ parts: types, tools }).toEqual({ parts: wanted.parts, tools: wanted.tools });
    expect(roles.filter((role) => role === "user")).toHaveLength(wanted.users);
    expect(roles.filter((role) => role === "assistant")).toHaveLength(wanted.assistants);
    const bodies = events.map(({ body }) => body);
    expect(bodies.filter(({ type }) => type === "tool_use")).toHaveLength(wanted.tools.length);
    const finished = wanted.tools.filter((tool) => !/pending|running/.test(tool));
    expect(bodies.filter(({ type }) => type === "tool_result")).toHaveLength(finished.length);
    const thoughts = wanted.parts["reasoning"] ?? 0;
    expect(bodies.filter(({ type }) => type === "thinking")).toHaveLength(thoughts);
  });

  test.each(Object.keys(expected))("the head says what the store says: %s", (id) => {
    const folder = fixture(scenario);
    const head = opencode.head(refsOf(folder).get(id)!, environment(folder));
    const wanted = expected[id]!;
    expect(head).toMatchObject({
      agent: "opencode",
      session: id,
      version: wanted.version,
      model: "stub-1",
      cwd: "/home/dev/acme-api-o",
      state: scenario.endsWith("killed-in-tool") ? "interrupted" : "waiting",
    });
    if (wanted.title.startsWith("New session")) expect(head?.titled).toBe(false);
    else expect(head).toMatchObject({ title: wanted.title, titled: true });
    if (wanted.tokens_input !== undefined && wanted.tokens_input > 0) {
      const { tokens_input: input, tokens_output: output } = wanted;
      expect(head?.usage).toMatchObject({ input, output });
    }
    const relation =
      wanted.parent_id === null ? undefined : { kind: "subagent", session: wanted.parent_id };
    expect(head?.relation).toEqual(relation);
    expect(head?.problem).toBeUndefined();
  });

  test.each(Object.keys(expected))("the canonical events stay the same: %s", async (id) => {
    const { events } = await readAll(refsOf(fixture(scenario)).get(id)!, { allBranches: true });
    const lines = events.map(({ native: _native, ...event }) =>
      JSON.stringify(event).replaceAll(fixture(scenario), "~"),
    );
    const golden = join(fixture(scenario), "golden", `${id}.jsonl`);
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden);
  });

  const exported = Object.keys(expected).filter((id) =>
    existsSync(join(fixture(scenario), "export", `${id}.json`)),
  );

  test.each(exported)("native records are what the program exports: %s", async (id) => {
    const { events } = await readAll(refsOf(fixture(scenario)).get(id)!, { allBranches: true });
    const { messages } = json<{ messages: NativeMessage[] }>(scenario, "export", `${id}.json`);
    expect(messagesOf(events)).toEqual(messages);
  });

  test("reading everything leaves the store as it was", async () => {
    const folder = copyOf(scenario);
    const before = stateOf(folder);
    for (const ref of refsOf(folder).values()) {
      opencode.head(ref, environment(folder));
      await readAll(ref);
      await readAll(ref, { allBranches: true, last: 3 });
    }
    expect(stateOf(folder)).toEqual(before);
  });
});

test("the full output of a cut result is found in the store, wherever the store was moved", async () => {
  const folder = fixture("1.18.33/unicode-long");
  const [ref] = refsOf(folder).values();
  const { events } = await readAll(ref!);
  const result = events.find(({ body }) => body.type === "tool_result")?.body;
  expect(result).toMatchObject({
    details: {
      spill: {
        path: join(folder, ".local/share/opencode/tool-output/tool_1e08dd3f1001RZPUfR7k2eKVLy"),
        sizeBytes: 244890,
      },
    },
  });
});

import { expect, test } from "vitest";
import { readSession } from "../../../src/agents/reading.ts";
import { json } from "../../../src/programs/cli/render/json.ts";
import { jsonText } from "../../../src/programs/cli/render/json-text.ts";
import { transcript } from "../../../src/programs/cli/render/transcript.ts";
import { colours } from "../../../src/programs/cli/terminal/colours.ts";
import { foundIn, scriptedAgent, streamOf, textOf } from "./scripted-agent.ts";

const deep: unknown = JSON.parse(`${'{"a":['.repeat(50_000)}${"]}".repeat(50_000)}`);
const event = { type: "tool_use", call: "1", name: "Deep", input: deep } as const;

test("what is nested deeper than the stack is cut, not fatal", async () => {
  expect(jsonText(deep)).toContain("[nested too deep]");
  const view = { tools: "full", thinking: true, colours: colours(false) } as const;
  expect(await textOf(transcript(streamOf([event]), view))).toContain("[nested too deep]");
  const session = foundIn(scriptedAgent("pi", [{ head: { session: "s" }, bodies: [event] }]));
  const { events, tally } = readSession(session);
  const text = await textOf(json(session.head, events, { native: false, tally }));
  expect(JSON.parse(text)).toMatchObject({ format: 1, session: { session: "s" } });
});

test("a key named __proto__ stays a key", () => {
  const value: unknown = JSON.parse('{"__proto__":{"x":1}}');
  expect(jsonText(value)).toBe('{"__proto__":{"x":1}}');
});

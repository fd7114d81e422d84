import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { acceptedDifferences } from "../accepted-differences.ts";
import { fixture, json, readAll, refsOf, scenarios } from "./fixtures.ts";
import { type OpenAiMessage, openAiMessages } from "./openai-messages.ts";

const probe = "INTEROP PROMPT";
const compared = scenarios.filter((scenario) => existsSync(join(fixture(scenario), "expect")));

describe.each(compared)("%s", (scenario) => {
  const files = readdirSync(join(fixture(scenario), "expect"));
  const accepted = acceptedDifferences.filter(
    (difference) => difference.agent === "opencode" && difference.scenario === scenario,
  );

  test.each(files)("what is live is what the program sends on resume: %s", async (file) => {
    const ref = refsOf(fixture(scenario)).get(file.replace(".request.json", ""));
    const { events, damage } = await readAll(ref!);
    expect(damage).toEqual([]);
    const { messages } = json<{ messages: OpenAiMessage[] }>(scenario, "expect", file);
    expect(messages.at(-1)).toEqual({ role: "user", content: probe });
    const sent = messages.slice(0, -1);
    const expected = sent.filter((_, index) => !accepted.some((each) => each.index === index));
    expect(openAiMessages(events)).toEqual(expected);
    expect(sent.length - expected.length).toBe(accepted.length);
  });
});

test("every scenario of the newest version is compared", () => {
  expect(compared).toEqual(scenarios.filter((scenario) => scenario.startsWith("1.18.33/")));
});

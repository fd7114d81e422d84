import { test } from "vitest";
import { copilotCli } from "../../../src/agents/copilot-cli/index.ts";
import { assertSurvives } from "../kit/survives.ts";
import { fixture, refOf, scenarios } from "./sessions.ts";

test("500 damaged copies are read, and what was not touched comes back unchanged", async () => {
  await assertSurvives({
    agent: copilotCli,
    kind: "lines",
    sources: scenarios.map(fixture),
    ref: refOf,
    rounds: 500,
    match: (event) => JSON.stringify(event.native),
  });
}, 60_000);

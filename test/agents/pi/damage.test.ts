import { test } from "vitest";
import { pi } from "../../../src/agents/pi/index.ts";
import { assertSurvives } from "../kit/survives.ts";
import { fixture, refOf } from "./sessions.ts";

test("500 damaged copies are read, and what was not touched comes back unchanged", async () => {
  await assertSurvives({
    agent: pi,
    kind: "lines",
    sources: [
      "every-entry",
      "branched-labels-custom",
      "compacted-twice",
      "tools",
      "handwritten/rich",
    ].map((name) => fixture(name)),
    ref: refOf,
    rounds: 500,
    match: (event) => JSON.stringify(event.native),
  });
}, 60_000);

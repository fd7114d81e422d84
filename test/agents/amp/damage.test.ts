import { statSync } from "node:fs";
import { basename } from "node:path";
import { test } from "vitest";
import { amp } from "../../../src/agents/amp/index.ts";
import { printedSpans } from "../kit/printed-spans.ts";
import { envOf, refsIn, scenesOf } from "../kit/scenes.ts";
import { assertSurvives } from "../kit/survives.ts";

const sources = scenesOf("amp").flatMap(({ home }) =>
  [...refsIn(amp, envOf(home)).values()].map(({ path }) => path),
);

test("500 damaged copies are read, and what was not touched comes back unchanged", async () => {
  await assertSurvives({
    agent: amp,
    kind: "json",
    sources,
    ref: (path) => {
      const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(path);
      const session = basename(path, ".json");
      return { agent: "amp", session, path, sizeBytes, modifiedMs };
    },
    rounds: 500,
    // One is an export in one line: of that only survival is asked.
    spans: (original) => (original.includes("\n") ? printedSpans("    ")(original) : []),
    match: ({ body, native }) =>
      body.type === "session_start" ? undefined : JSON.stringify(native),
  });
}, 60_000);

import { statSync } from "node:fs";
import { basename } from "node:path";
import { test } from "vitest";
import { qwenCode } from "../../../src/agents/qwen-code/index.ts";
import { envOf, refsIn, scenesOf } from "../kit/scenes.ts";
import { assertSurvives } from "../kit/survives.ts";

const sources = scenesOf("qwen-code").flatMap(({ home }) =>
  [...refsIn(qwenCode, envOf(home)).values()].map(({ path }) => path),
);

test("500 damaged copies are read, and what was not touched comes back unchanged", async () => {
  await assertSurvives({
    agent: qwenCode,
    kind: "lines",
    sources,
    ref: (path) => {
      const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(path);
      const session = basename(path, ".jsonl");
      return { agent: "qwen-code", session, path, sizeBytes, modifiedMs };
    },
    rounds: 500,
    match: (event) => JSON.stringify(event.native),
  });
}, 60_000);

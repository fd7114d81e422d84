import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { aider } from "../../../src/agents/aider/index.ts";
import { seeded } from "../../random.mjs";
import { damageText } from "../kit/damage.ts";
import { assertSurvives } from "../kit/survives.ts";
import { environment, handwritten, project, readAll, realHistory, wholeFile } from "./histories.ts";

test("500 damages: no read fails, hangs or loses text in secret", async () => {
  await assertSurvives({
    agent: aider,
    sources: [realHistory, handwritten],
    // Plain text has no records that could be told apart, so only survival can be asked for.
    kind: "json",
    ref: (path) => wholeFile(path),
    rounds: 500,
  });
});

test("200 damages of lines: every run is still located, headed and read", async () => {
  const original = Buffer.concat([readFileSync(realHistory), readFileSync(handwritten)]);
  const { folder, path } = project(original);
  const env = environment(folder);
  for (let round = 0; round < 200; round += 1) {
    const { bytes } = damageText(original, { kind: "lines", random: seeded(20261115, round) });
    writeFileSync(path, bytes);
    for (const ref of aider.locate(env)) {
      aider.head(ref, env);
      await readAll(ref, { allBranches: true });
      await readAll(ref, { last: 3 });
    }
  }
});

test("bytes that are no text are told and the rest of their line is kept", async () => {
  const { path } = project(Buffer.from("#### ask \xff  \n\nans\x00wer\n", "latin1"));
  const { events, damage } = await readAll(wholeFile(path));
  expect(damage.map((one) => one.kind)).toEqual(["bad_utf8", "nul_run"]);
  expect(events.map((event) => event.body.type)).toEqual(["user", "assistant"]);
});

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { geminiCli } from "../../../src/agents/gemini-cli/index.ts";
import { plainText } from "../../../src/model/block.ts";
import { printedSpans } from "../kit/printed-spans.ts";
import { assertSurvives } from "../kit/survives.ts";
import { fixtureRoot, homeOf, readAll, refOf, scenarios, sessionsOf } from "./fixtures.ts";

const files = scenarios.flatMap(sessionsOf).map(({ path }) => path);
const lineFiles = files.filter((path) => path.endsWith(".jsonl") && statSync(path).size < 100_000);
const objectFiles = files.filter((path) => path.endsWith(".json"));
const savedFiles = ["chat-save-share", "compressed"].flatMap((scenario) => {
  const folder = join(fixtureRoot, "0.61.0", scenario, ".gemini/tmp/acme-api-g");
  return readdirSync(folder)
    .filter((name) => name.startsWith("checkpoint-"))
    .map((name) => join(folder, name));
});

const match = ({
  body,
}: Parameters<NonNullable<Parameters<typeof assertSurvives>[0]["match"]>>[0]) =>
  body.type === "user" || body.type === "assistant"
    ? `${body.type} ${plainText(body.content)}`
    : undefined;

test("500 damages of line files: nothing untouched is lost, nothing is lost in secret", async () => {
  await assertSurvives({
    agent: geminiCli,
    sources: lineFiles,
    kind: "lines",
    ref: refOf,
    rounds: 500,
    match,
  });
});

test("250 damages of single-object sessions are survived", async () => {
  await assertSurvives({
    agent: geminiCli,
    sources: objectFiles,
    kind: "json",
    ref: refOf,
    rounds: 250,
    spans: printedSpans("    "),
  });
});

test("250 damages of saved chats are survived", async () => {
  await assertSurvives({
    agent: geminiCli,
    sources: savedFiles,
    kind: "json",
    ref: refOf,
    rounds: 250,
    spans: printedSpans("    "),
  });
});

test("reading leaves the program's folder as it was", async () => {
  const state = () =>
    readdirSync(fixtureRoot, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        const sum = createHash("sha256").update(readFileSync(path)).digest("hex");
        return `${path} ${statSync(path).mtimeMs} ${sum}`;
      });
  const before = state();
  for (const scenario of scenarios) {
    for (const ref of geminiCli.locate(homeOf(scenario))) {
      geminiCli.head(ref, homeOf(scenario));
      await readAll(ref, { allBranches: true });
    }
  }
  expect(state()).toEqual(before);
});

import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compressionIn } from "../../src/agents/gemini-cli/hooks/newest-compression.ts";
import { geminiCliHooks as hooks } from "../../src/agents/gemini-cli/hooks.ts";
import { processEvent } from "../../src/bridge/process.ts";
import { folder } from "./folder.ts";

let ids = 0;

/** A message as Gemini CLI writes it; every one with an id of its own. */
function message(type: "user" | "gemini", text: string, more: object = {}) {
  ids += 1;
  return { id: `id-${ids}`, timestamp: "2026-11-15T18:30:00Z", type, content: [{ text }], ...more };
}

function lines(...records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function compressed(summary: string, ...kept: readonly object[]): object {
  const thanks = "Got it. Thanks for the additional context!";
  const messages = [
    message("user", "<session_context>\nToday</session_context>"),
    message("user", summary),
    message("gemini", thanks),
    ...kept,
  ];
  return { $set: { messages } };
}

function geminiSession() {
  const root = join(folder(), "bridge");
  const cwd = join(root, "..", "project");
  const transcript = join(root, "..", "chat.jsonl");
  mkdirSync(cwd, { recursive: true });
  const say = async (prompt: string) => {
    const told = {
      kind: "prompt",
      agent: "gemini-cli",
      session: "s1",
      name: "BeforeAgent",
    } as const;
    const processed = await processEvent({ ...told, prompt, cwd, transcript }, { root, hooks });
    const tokens = { input: 10, output: 5, cached: 0, thoughts: 0, tool: 0, total: 15 };
    appendFileSync(
      transcript,
      lines(
        message("user", prompt),
        message("gemini", "Said.", { tokens, model: "gemini-2.5-pro" }),
      ),
    );
    return processed;
  };
  writeFileSync(transcript, lines({ sessionId: "s1", kind: "main" }));
  return { transcript, say };
}

test("a compression that nobody announced is found at the next prompt, and the hand-off given once", async () => {
  const { transcript, say } = geminiSession();
  await say("Build the parser in src/parse.ts");
  expect((await say("Now its tests")).output).toBe("");
  appendFileSync(transcript, lines(compressed("<state_snapshot>a parser</state_snapshot>")));
  const after = await say("Go on");
  expect(after.output).toContain("# Hand-off");
  expect(after.output).toContain("Now its tests");
  expect((await say("And on")).output).toBe("");
  // A resume writes the same conversation down again, under the same or other ids.
  appendFileSync(transcript, lines(compressed("<state_snapshot>a parser</state_snapshot>")));
  expect((await say("And on again")).output).toBe("");
  appendFileSync(transcript, lines(compressed("<state_snapshot>parser, tests</state_snapshot>")));
  expect((await say("A second time")).output).toContain("# Hand-off");
});

test("after it the context has the size that was counted since, or none is claimed", async () => {
  const { transcript, say } = geminiSession();
  await say("One");
  expect((await say("Two")).metrics).toMatchObject({
    contextTokens: 15,
    contextFrom: "transcript",
  });
  appendFileSync(transcript, lines(compressed("<state_snapshot>one</state_snapshot>")));
  expect((await say("Three")).metrics).toMatchObject({
    contextTokens: 1800,
    contextFrom: "estimate",
  });
  expect((await say("Four")).metrics).toMatchObject({
    contextTokens: 15,
    contextFrom: "transcript",
  });
});

test("where the context is full again at once only a word is given, and the hand-off when there is room", async () => {
  const { transcript, say } = geminiSession();
  await say("Build the parser in src/parse.ts");
  await say("Now its tests");
  const counted = (input: number): object =>
    message("gemini", "Said.", {
      tokens: { input, output: 5, cached: 0, thoughts: 0, tool: 0, total: input + 5 },
      model: "gemini-2.5-pro",
    });
  const snapshot = compressed("<state_snapshot>a parser</state_snapshot>");
  appendFileSync(transcript, lines(snapshot, counted(1_040_000)));
  const full = await say("Go on");
  expect(full.bracket).toBe("CRITICAL");
  expect(full.output).toContain("nearly full");
  expect(full.output).not.toContain("# Hand-off");
  // The answer to it was counted small.
  const after = await say("And on");
  expect(after.output).toContain("# Hand-off");
  expect(after.output).toContain("Now its tests");
});

test("only what the program wrote as a compression is one", () => {
  const { transcript } = geminiSession();
  const thanks = "Got it. Thanks for the additional context!";
  appendFileSync(
    transcript,
    lines(
      { $set: { messages: [message("user", `<state_snapshot> and "${thanks}"`)] } },
      message("gemini", thanks),
    ),
  );
  expect(compressionIn(transcript, 0)?.compaction).toBeUndefined();
});

test("what was looked through is not looked through again, unless the file became shorter", () => {
  const { transcript } = geminiSession();
  appendFileSync(transcript, lines(compressed("one")));
  const found = compressionIn(transcript, 0);
  expect(found?.compaction).toMatch(/^[0-9a-f]{32}$/);
  expect(compressionIn(transcript, found?.bytes ?? 0)).toEqual({ bytes: found?.bytes });
  expect(compressionIn(transcript, 1_000_000)).toEqual(found);
  expect(compressionIn(`${transcript}.gone`, 0)).toBeUndefined();
});

import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { claudeCode } from "../../../src/agents/claude-code/index.ts";
import { askedIn } from "../../../src/programs/cli/home/preview.ts";
import { SessionManager } from "../../../src/store/session-manager.ts";
import {
  assistant,
  homeAt,
  lines,
  sessionId,
  sessionsIn,
  user,
  written,
} from "../../agents/claude-code/store.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { commandsIn } from "./in-process.ts";

const fixtures = resolve(import.meta.dirname, "../../fixtures");

interface Prompt {
  readonly event: string;
  readonly text: string;
  readonly live: boolean;
  readonly before?: string;
}

/** A session of four prompts: the first two were compacted, the third was taken back. */
function compactedSession(): string {
  const home = temporaryFolder();
  const boundary = {
    type: "system",
    subtype: "compact_boundary",
    uuid: "c0",
    parentUuid: null,
    logicalParentUuid: "a2",
    timestamp: "2026-11-15T18:00:00.000Z",
    compactMetadata: { trigger: "auto", preTokens: 100_000 },
  };
  const summary = {
    ...user("c1", "c0", "The bridge was drawn and built."),
    isCompactSummary: true,
  };
  const talk = [
    user("u1", null, "Draw a bridge\nwith two arches"),
    assistant("a1", "u1", "Drawn."),
    user("u2", "a1", "Build it"),
    assistant("a2", "u2", "Built."),
    boundary,
    summary,
    user("u3", "c1", "Paint it red"),
    assistant("a3", "u3", "It is red."),
    user("u4", "c1", "Paint it blue"),
    assistant("a4", "u4", "It is blue."),
  ];
  written(lines(talk), home);
  return home;
}

test("every prompt of a session is listed and counted, and those that are not in the context are marked", async () => {
  const run = commandsIn(compactedSession());
  const { prompts } = JSON.parse((await run("show", sessionId, "--prompts", "--json")).text);
  expect(prompts).toMatchObject([
    { event: "1", live: false, text: "Draw a bridge\nwith two arches" },
    { event: "3", live: false, before: "2" },
    { event: "7", live: false, before: "6" },
    { event: "9", live: true, before: "6" },
  ]);
  const shown = (await run("show", sessionId, "--prompts")).text;
  expect(shown).toMatch(/^@1 {2}\* .* Draw a bridge with two arches\n@3 {2}\* .* Build it\n/);
  expect(shown).toMatch(/^@7 {2}\* .* Paint it red\n@9 {4}.* Paint it blue$/m);
  expect(shown).toContain("* 3 prompts are not in the context any more");
  const last = (await run("show", sessionId, "--prompts", "--last", "2")).text;
  expect(last).toMatch(/^@7 .*\n@9 .*\n/);
  const [listed] = JSON.parse((await run("list", "--prompts", "--json")).text).sessions;
  expect(listed).toMatchObject({ prompts: 4, turns: 4 });
  const { sessions } = JSON.parse((await run("search", "bridge", "--json")).text);
  expect(sessions).toMatchObject([{ prompts: 4 }]);
  const literal = JSON.parse((await run("search", "bridge", "--substring", "--json")).text);
  expect(literal.sessions).toMatchObject([{ prompts: 4 }]);
});

test("the home screen offers the same prompts to copy up to", async () => {
  const home = compactedSession();
  const ref = sessionsIn(home).get(sessionId)!;
  const session = { agent: claudeCode, ref, head: claudeCode.head(ref, homeAt(home))! };
  expect(await askedIn(session, () => true)).toEqual([
    { number: "1", live: false, text: "Draw a bridge with two arches" },
    { number: "3", live: false, text: "Build it" },
    { number: "7", live: false, text: "Paint it red" },
    { number: "9", live: true, text: "Paint it blue" },
  ]);
});

test("prompts are printed in full with --full, which goes with --prompts alone", async () => {
  const run = commandsIn(compactedSession());
  const { text } = await run("show", sessionId, "--prompts", "--full");
  expect(text).toContain("#1 ❯ You (not in the context)");
  expect(text).toMatch(/^ {2}Draw a bridge\n {2}with two arches$/m);
  expect(text).not.toContain("Drawn.");
  expect((await run("show", sessionId, "--full")).error).toMatchObject({ code: "usage" });
});

test("a transcript that begins with a summary says how many prompts came before, and how to see them", async () => {
  const run = commandsIn(compactedSession());
  const says = "3 prompts are not in the context any more: --prompts lists them";
  const whole = (await run("show", sessionId)).text;
  expect(whole.indexOf(says)).toBeGreaterThan(0);
  expect(whole.indexOf(says)).toBeLessThan(whole.indexOf("Summary of what came before"));
  expect((await run("show", sessionId, "--all-branches")).text).not.toContain(says);
  expect((await run("show", sessionId, "--last", "1")).text).not.toContain(says);
});

test("a range whose ends were compacted is shown all the same, and one without events is an error", async () => {
  const run = commandsIn(compactedSession());
  const begin = (await run("show", sessionId, "--to", "2")).text;
  expect(begin).toContain("#1 ❯ You (not in the context)");
  expect(begin).toContain("Drawn.");
  expect(begin).not.toContain("Build it");
  const between = await run("show", sessionId, "--from", "3", "--to", "4", "--json");
  const numbers = JSON.parse(between.text).events.map(({ number }: { number: string }) => number);
  expect(numbers).toEqual(["3", "4"]);
  // Where both ends are in the context, nothing else is shown.
  expect((await run("show", sessionId, "--from", "6", "--to", "9")).text).not.toContain("red");
  expect(await run("show", sessionId, "--from", "500")).toMatchObject({ code: "not_found" });
});

test("of an own session what was compacted and what was rewound is listed, and can be asked instead of", async () => {
  const home = temporaryFolder();
  const env = { home, cwd: home, platform: process.platform, variables: { HOME: home } };
  const made = SessionManager.create(home, undefined, { env, sync: "none" });
  const say = async (type: "user" | "assistant", content: string) => made.append({ type, content });
  const turn = async (asked: string, answered: string) => {
    await say("user", asked);
    return (await say("assistant", answered)).id;
  };
  await turn("Draw it", "Drawn.");
  await turn("Build it", "Built.");
  await made.append({ type: "compaction", summary: "It was drawn and built." });
  const built = await turn("Paint it", "Painted.");
  await turn("Paint it red", "It is red.");
  await made.rewind(built);
  await turn("Paint it blue", "It is blue.");
  const ref = made.getSessionId();
  await made.close();
  const run = commandsIn(home);
  const prompts: readonly Prompt[] = JSON.parse(
    (await run("show", ref, "--prompts", "--json")).text,
  ).prompts;
  expect(prompts.map(({ text, live }) => [text, live])).toEqual([
    ["Draw it", false],
    ["Build it", false],
    ["Paint it", true],
    ["Paint it red", false],
    ["Paint it blue", true],
  ]);
  await expectUsable(run, ref, prompts);
});

test.each([
  "claude-code/2.0.30/old-2.0.30",
  "claude-code/2.1.325/compacted-print",
  "claude-code/2.1.325/tui-rewind-interrupt",
  "codex/0.105.0/compacted",
  "codex/0.166.0/compacted-auto",
  "copilot-cli/1.0.102/compact",
  "copilot-cli/handwritten/compacted",
  "gemini-cli/0.61.0/chat-save-share",
  "gemini-cli/0.61.0/compressed",
  "gemini-cli/0.61.0/hooks",
  "opencode/1.18.33/compacted",
  "qwen-code/0.24.4/compressed",
  "qwen-code/handwritten/compressed-twice",
])(
  "every prompt that is listed can be shown, copied and asked instead of, and is counted (%s)",
  async (folder) => {
    const home = temporaryFolder();
    cpSync(join(fixtures, folder), home, { recursive: true });
    const run = commandsIn(home);
    const { sessions } = JSON.parse((await run("list", "--all", "--prompts", "--json")).text);
    expect(sessions.length).toBeGreaterThan(0);
    for (const { ref, prompts: counted } of sessions) {
      const text = (await run("show", ref, "--prompts", "--json")).text;
      const prompts: readonly Prompt[] = JSON.parse(text).prompts;
      expect(prompts).toHaveLength(counted);
      await expectUsable(run, ref, prompts);
    }
  },
);

test("of a pi session, too", async () => {
  const home = temporaryFolder();
  const folder = join(home, ".pi", "agent", "sessions", "--home-dev--");
  cpSync(join(fixtures, "pi/0.73.1/compacted-twice"), folder, { recursive: true });
  const run = commandsIn(home);
  const [{ ref, prompts: counted }] = JSON.parse(
    (await run("list", "--prompts", "--json")).text,
  ).sessions;
  const { prompts } = JSON.parse((await run("show", ref, "--prompts", "--json")).text);
  expect(prompts).toHaveLength(counted);
  expect(prompts.some(({ live }: Prompt) => !live)).toBe(true);
  await expectUsable(run, ref, prompts);
});

async function expectUsable(
  run: ReturnType<typeof commandsIn>,
  ref: string,
  prompts: readonly Prompt[],
): Promise<void> {
  for (const { event, before } of prompts) {
    const place = `${ref}@${event}`;
    expect((await run("show", place)).code).toBeUndefined();
    expect((await run("fork", place, "--dry-run")).code).toBeUndefined();
    const instead = await run("fork", place, "--before", "--dry-run");
    expect(instead.code, place).toBe(before === undefined ? "usage" : undefined);
  }
}

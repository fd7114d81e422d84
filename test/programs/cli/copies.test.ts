import { expect, test } from "vitest";
import {
  assistant,
  lines,
  sessionId,
  user,
  written as writtenClaude,
} from "../../agents/claude-code/store.ts";
import { putRollout, threadId, turn } from "../../agents/codex/store.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { commandsIn } from "./in-process.ts";

interface Listed {
  readonly ref: string;
  readonly title?: string;
  readonly model?: string;
  readonly updatedAt: string;
  readonly copyOf?: string;
}

type Run = ReturnType<typeof commandsIn>;

async function copiesIn(run: Run): Promise<readonly Listed[]> {
  const listed = JSON.parse((await run("list", "--json")).text) as { sessions: readonly Listed[] };
  return listed.sessions.filter(({ copyOf }) => copyOf !== undefined);
}

function claudeHome(): string {
  const home = temporaryFolder();
  const old = { timestamp: "2026-01-02T03:04:05.000Z", cwd: home };
  writtenClaude(
    lines([user("u1", null, "Paint it", old), assistant("a1", "u1", "Painted.", old)]),
    home,
  );
  return home;
}

test.each(["claude-code", "codex", "gemini-cli", "pi", "qwen-code", "copilot-cli"])(
  "a copy for %s is as new as its writing, and lists say what it is a copy of",
  async (target) => {
    const home = claudeHome();
    const run = commandsIn(home);
    const begunMs = Date.now();
    const at = target === "claude-code" ? "@1" : "";
    const made = await run("resume", `${sessionId}${at}`, "--in", target);
    expect(made.error).toBeUndefined();
    const [copy, ...others] = await copiesIn(run);
    expect(others).toEqual([]);
    expect(copy).toMatchObject({ title: "Paint it", copyOf: `claude-code:${sessionId}` });
    expect(Date.parse(copy!.updatedAt)).toBeGreaterThanOrEqual(begunMs);
    const short = `claude-code:${sessionId.slice(0, 8)}`;
    expect((await run("list")).text).toContain(`(copy of ${short}) Paint it`);
    const shown = (await run("show", copy!.ref)).text;
    expect(shown).toContain(`copy of claude-code:${sessionId}`);
    expect(shown).not.toContain("unknown type");
  },
);

test("a search says of a copy that it is as new as its writing, as lists do", async () => {
  const run = commandsIn(claudeHome());
  for (const target of ["codex", "pi"]) {
    await run("resume", sessionId, "--in", target);
    // The index learns of the second one after it has the first.
    await run("search", "Paint");
  }
  const listed = await copiesIn(run);
  for (const { ref } of listed) await run("rename", ref, "Quince");
  const expected = listed.map(({ ref, updatedAt }) => ({ ref, updatedAt }));
  for (const way of [[], ["--deep"], ["--substring"]]) {
    const { text } = await run("search", "--json", "Quince", ...way);
    const { sessions } = JSON.parse(text) as { sessions: readonly Listed[] };
    const found = sessions.map(({ ref, updatedAt }) => ({ ref, updatedAt }));
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining(expected));
  }
});

test("a shortened copy keeps the title and the model of the original", async () => {
  const home = temporaryFolder();
  const turns = Array.from({ length: 20 }, (_, at) => turn(`Question ${at}`, "word ".repeat(400)));
  const settings = { type: "turn_context", payload: { cwd: home, model: "gpt-5.5" } };
  putRollout(home, { thread: threadId(1), meta: { cwd: home } }, [
    settings,
    { type: "event_msg", payload: { type: "user_message", message: "Question 0" } },
    ...turns.flat(),
  ]);
  const run = commandsIn(home);
  const made = await run("resume", threadId(1), "--in", "codex", "--budget", "2000", "--json");
  expect(made.error).toBeUndefined();
  expect(made.text).toContain("summarised");
  const [copy] = await copiesIn(run);
  expect(copy).toMatchObject({ title: "Question 0", model: "gpt-5.5" });
});

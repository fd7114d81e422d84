import { expect, test } from "vitest";
import { assistant, lines, user, written } from "../../agents/claude-code/store.ts";
import { putRollout, threadId, turn } from "../../agents/codex/store.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { commandsIn } from "./in-process.ts";

test("a list can begin with the session of most prompts, and say how many each has", async () => {
  const home = temporaryFolder();
  for (const digit of [1, 2, 3]) {
    const meta = { cwd: "/p", timestamp: `2026-01-0${digit}T00:00:00.000Z` };
    const turns = Array.from({ length: digit === 2 ? 3 : 1 }, () => turn("ask", "answer"));
    putRollout(home, { thread: threadId(digit), meta }, turns.flat());
  }
  const run = commandsIn(home);
  for (const flags of [["--sort", "prompts", "-n", "1"], ["--prompts", "-n", "0"], ["--turns"]]) {
    const { text } = await run("list", "--json", ...flags);
    const { sessions } = JSON.parse(text) as { sessions: { ref: string; prompts: number }[] };
    const most = sessions.find(({ prompts }) => prompts === 3);
    expect(most).toMatchObject({ ref: `codex:${threadId(2)}`, turns: 3 });
  }
  expect((await run("list", "--sort", "prompts")).text).toMatch(/^.* 3 prompts /);
});

test("a list begins with the newest, oldest or largest session, the last two in one list with projects", async () => {
  const home = temporaryFolder();
  const at = (day: number) => ({ timestamp: `2026-11-0${day}T00:00:00.000Z`, cwd: "/p/new" });
  written(lines([user("u1", null, "new", at(9)), assistant("a1", "u1", "a", at(9))]), home);
  for (const [digit, length] of [
    [1, 10],
    [2, 90_000],
  ] as const) {
    const meta = { cwd: `/p/${digit}`, timestamp: "2026-01-01T00:00:00.000Z" };
    putRollout(home, { thread: threadId(digit), meta }, turn("old", "x".repeat(length)));
  }
  const run = commandsIn(home);
  const firstOf = async (...flags: string[]): Promise<string> => {
    const { text } = await run("list", "--json", "-n", "1", ...flags);
    return (JSON.parse(text) as { sessions: { ref: string }[] }).sessions[0]!.ref;
  };
  expect(await firstOf("--sort", "newest")).toBe(await firstOf());
  expect(await firstOf("--sort", "largest")).toBe(`codex:${threadId(2)}`);
  const all = JSON.parse((await run("list", "--json")).text) as { sessions: { ref: string }[] };
  expect(await firstOf("--sort", "oldest")).toBe(all.sessions.at(-1)!.ref);
  const rows = (await run("list", "--sort", "largest")).text.split("\n").slice(0, 3);
  const projects = rows.map((row) => /waiting {2,}(\S+)/.exec(row)?.[1]);
  expect(projects).toEqual(["2", "acme-api", "1"]);
});

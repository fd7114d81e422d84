import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { brokenRules } from "../loop/model-server.mjs";
import { putClaudeSession } from "./agents-home.ts";
import { chatMachine } from "./chat-machine.ts";
import { openTerminal } from "./terminal.ts";

const id = "3f9a0000-1111-4222-8333-444455556666";

test("a session of another agent is continued in the chat, and what came of it in another agent", async () => {
  const here = await chatMachine([{ text: "You like tea." }]);
  const file = putClaudeSession(here, { id }, [
    { user: "I like tea", says: "Noted." },
    { user: "And biscuits", says: "Noted, too." },
  ]);
  const { stdout, stderr } = await here.chat("What do I like?\n", "--resume", `claude-code:${id}`);
  expect(stdout).toBe("You like tea.\n");
  expect(stderr).toContain("Brought over as reprise:");
  const [request] = here.server.requests;
  expect(brokenRules(request!)).toEqual([]);
  expect(request!.atoms.map(({ text }) => text)).toEqual([
    "I like tea",
    "Noted.",
    "And biscuits",
    "Noted, too.",
    "What do I like?",
  ]);
  expect(existsSync(file)).toBe(true);
  const ref = /Kept as (\S+)\./.exec(stderr)![1]!;
  const codex = here.json("resume", ref, "--in", "codex");
  const shown = here.run("show", String(codex["ref"])).stdout;
  for (const said of ["I like tea", "What do I like?", "You like tea."])
    expect(shown).toContain(said);
});

test("`resume --in chat` prints the command, plans, forks at an event, and is not taken back once somebody talked in it", async () => {
  const here = await chatMachine([{ text: "Hm." }]);
  putClaudeSession(here, { id }, [
    { user: "One", says: "First." },
    { user: "Two", says: "Second." },
  ]);
  const plan = here.run("resume", "3f9a", "--in", "chat", "--dry-run");
  expect(plan.stdout).toContain("4 messages would be carried over");
  const answer = here.json("resume", "3f9a", "--in", "chat");
  expect(answer).toMatchObject({
    agent: "chat",
    installed: true,
    command: { argv: ["reprise", "chat", "--resume", answer["ref"]], cwd: here.cwd },
  });
  // It is one of ours now: nothing is written again.
  const again = here.run("resume", String(answer["ref"]), "--in", "chat", "--print");
  expect(again.stdout).toBe(`cd ${here.cwd} && reprise chat --resume ${answer["ref"]}\n`);
  await here.chat("Three\n", "--resume", `${answer["ref"]}@3`);
  const texts = here.server.requests[0]!.atoms.map(({ text }) => text);
  expect(texts).toEqual(["One", "First.", "Three"]);
  // Somebody talked in it since: it is not taken back.
  expect(here.run("undo", "--yes").status).toBe(4);
});

test("on a terminal `resume --in chat` starts the chat", async () => {
  const here = await chatMachine([{ text: "I do." }]);
  putClaudeSession(here, { id }, [{ user: "Remember me", says: "Yes." }]);
  const screen = openTerminal(["resume", "3f9a", "--in", "chat"], {
    columns: 100,
    rows: 30,
    machine: here,
  });
  await screen.shows("❯");
  screen.type("Do you?\r");
  await screen.shows("I do.");
  screen.type("\u0004");
  expect(await screen.end()).toBe(0);
  expect(here.server.requests[0]!.atoms.map(({ text }) => text)).toEqual([
    "Remember me",
    "Yes.",
    "Do you?",
  ]);
  expect(existsSync(join(here.home, ".claude"))).toBe(true);
});

test("what chat's own tools did to files is known to `files` and told in another agent's words", async () => {
  const here = await chatMachine([
    { calls: [{ name: "write", input: { path: "made.txt", content: "one\n" } }] },
    { text: "Made." },
  ]);
  const screen = openTerminal(["chat"], { columns: 100, rows: 30, machine: here });
  await screen.shows("❯");
  screen.type("Make it\r");
  await screen.shows("Allow it?");
  screen.type("y");
  await screen.shows("Made.");
  screen.type("\u0004");
  await screen.end();
  expect(here.run("files", "@last").stdout).toContain("made.txt");
  const { ref } = here.json("resume", "@last", "--in", "claude-code");
  expect(here.run("show", String(ref)).stdout).toContain("Write");
});

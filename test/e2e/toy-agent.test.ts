import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";

const source = join(import.meta.dirname, "children", "toy-agent.mjs");

/** A machine whose user keeps agents of others, in the settings that name them. */
function machineWith(agents: Readonly<Record<string, string>>): Machine {
  const here = machine();
  mkdirSync(join(here.home, ".reprise"));
  writeFileSync(join(here.home, ".reprise", "settings.json"), JSON.stringify({ agents }));
  return here;
}

/** A machine with the toy agent and one of its chats. */
function machineWithToy(): Machine {
  const folder = machine().home;
  const module = join(folder, "toy.mjs");
  copyFileSync(source, module);
  const here = machineWith({ toy: module });
  const at = "2026-11-16T10:00:00.000Z";
  putChat(here, "first", [
    { cwd: here.cwd, title: "About herons" },
    { who: "me", text: "Do herons fly?", at },
    { who: "it", text: "They do, slowly.", at, model: "toy-1", tokens: { in: 700, out: 30 } },
  ]);
  return here;
}

function putChat(here: Machine, session: string, lines: readonly object[]): void {
  mkdirSync(join(here.home, ".toy"), { recursive: true });
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(here.home, ".toy", `${session}.jsonl`), text);
}

/** Nothing on the machine was changed lately. */
function age(folder: string): void {
  const hourAgo = Date.now() / 1000 - 3600;
  for (const name of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
    utimesSync(join(folder, name), hourAgo, hourAgo);
}

test("an agent that one file describes is listed, shown, searched and counted", () => {
  const here = machineWithToy();
  const { sessions } = here.json("list") as { sessions: { agent: string; title: string }[] };
  expect(sessions).toMatchObject([{ agent: "toy", session: "first", title: "About herons" }]);
  expect(here.run("show", "toy:first").stdout).toContain("They do, slowly.");
  for (const mode of [[], ["--substring"], ["--deep"]]) {
    const found = here.run("search", "slowly", ...mode);
    expect(found.stdout, mode.join()).toContain("toy:first");
  }
  const { totals } = here.json("stats", "--agent", "toy") as { totals: { tokens: object } };
  expect(totals.tokens).toMatchObject({ input: 700, output: 30 });
  // What is added is found and counted as well, also where all was as it was for a while before.
  age(here.home);
  for (const _time of [1, 2]) {
    here.run("search", "slowly");
    here.run("stats", "--agent", "toy");
  }
  const more = { who: "it", text: "And quietly.", at: "2026-11-16T11:00:00.000Z", model: "toy-1" };
  const line = JSON.stringify({ ...more, tokens: { in: 50, out: 5 } });
  appendFileSync(join(here.home, ".toy", "first.jsonl"), `${line}\n`);
  expect(here.run("search", "quietly").stdout).toContain("toy:first");
  const after = here.json("stats", "--agent", "toy") as { totals: { tokens: object } };
  expect(after.totals.tokens).toMatchObject({ input: 750, output: 35 });
});

test("a session is converted into it and out of it, and taken back", () => {
  const here = machineWithToy();
  const into = here.json("fork", "toy:first", "--in", "codex") as { ref: string };
  expect(into.ref).toMatch(/^codex:/);
  expect(here.run("show", into.ref).stdout).toContain("They do, slowly.");
  putClaudeSession(here, { id: "5a3e1c0f-7b64-4d0e-9c55-0000000000aa" }, [
    { user: "Where do storks go?", says: "South." },
  ]);
  const from = here.json("fork", "claude-code:5a3e1c0f", "--in", "toy") as { ref: string };
  expect(from.ref).toMatch(/^toy:chat-/);
  expect(here.run("show", from.ref).stdout).toMatch(/Where do storks go\?[\s\S]*South\./);
  expect(here.run("undo").status).toBe(0);
  expect(here.run("show", from.ref).status).not.toBe(0);
});

test("threads load it as the program does", () => {
  const here = machineWithToy();
  const loaded = join(here.home, "loaded");
  const text = "a heron ".repeat(4_000);
  const at = "2026-11-16T10:00:00.000Z";
  const said = { who: "it", text, at, model: "toy-1", tokens: { in: 1, out: 1 } };
  for (const session of ["large", "larger"]) {
    const lines = Array.from({ length: 450 }, () => [{ who: "me", text: "And?", at }, said]);
    putChat(here, session, [{ cwd: here.cwd, title: session }, ...lines.flat()]);
  }
  here.env["TOY_LOADED"] = loaded;
  const { totals } = here.json("stats", "--agent", "toy") as { totals: { messages: number } };
  expect(totals.messages).toBe(901);
  expect(readFileSync(loaded, "utf8")).toMatch(/thread/);
});

test("a module that cannot be loaded is told of once, by its name, and costs no other agent anything", () => {
  const broken = join(machine().home, "broken.mjs");
  writeFileSync(broken, "throw new Error('out of order');\n");
  const nameless = join(machine().home, "nameless.mjs");
  writeFileSync(nameless, "export const agent = { name: 'other' };\n");
  const here = machineWith({
    broken,
    nameless,
    absent: "/nowhere/absent.mjs",
    near: "./near.mjs",
    codex: broken,
    "Odd Name": broken,
  });
  putClaudeSession(here, { id: "5a3e1c0f-7b64-4d0e-9c55-0000000000aa" }, [
    { user: "hello", says: "hi" },
  ]);
  const { status, stdout, stderr } = here.run("list", "--json");
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ sessions: [{ agent: "claude-code" }] });
  for (const said of [
    "The agent broken could not be loaded: out of order",
    'The agent nameless could not be loaded: its name is "other"',
    "The agent absent could not be loaded: Cannot find module '/nowhere/absent.mjs'",
    "The agent near cannot be registered: its module is neither a file URL nor an absolute path.",
    "The agent codex cannot be registered: there is an agent of this name.",
    "The agent Odd Name cannot be registered: a name is small letters",
  ]) {
    expect(stderr.split(said), said).toHaveLength(2);
  }
});

test("a project's files name no agent", () => {
  const here = machine();
  const module = join(here.cwd, "toy.mjs");
  copyFileSync(source, module);
  const settings = JSON.stringify({ agents: { toy: module } });
  mkdirSync(join(here.cwd, ".reprise"));
  writeFileSync(join(here.cwd, ".reprise", "settings.json"), settings);
  writeFileSync(join(here.cwd, "settings.json"), settings);
  here.env["TOY_LOADED"] = join(here.home, "loaded");
  putChat(here, "first", [{ cwd: here.cwd, title: "About herons" }]);
  expect(here.run("search", "herons").stdout).not.toContain("toy");
  expect(here.run("list", "--agent", "toy").status).not.toBe(0);
});

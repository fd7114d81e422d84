import { spawnSync } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasCompleteEngine } from "../../src/sqlite/engine.ts";
import { fixtureHome } from "../catalog/home.ts";
import { temporaryFolder } from "../temporary-folder.mjs";
import { putClaudeSession } from "./agents-home.ts";
import { machine, program, root } from "./program.ts";

/* What must hold on every Node we run on: these tests are run on each of them. */

const id = "5a3e1c0f-7b64-4d0e-9c55-000000000001";

interface Found {
  readonly sessions: readonly {
    readonly agent: string;
    readonly events: readonly { readonly number: string; readonly ref: string }[];
  }[];
}

interface Shown {
  readonly events: readonly { readonly number: string; readonly body: { content?: unknown } }[];
}

test("what a search names can be shown, in the sessions of every agent", () => {
  const here = machine();
  const { home } = fixtureHome();
  here.env["HOME"] = home;
  // Of pi's fixtures many are states of one session: its id would name none of them.
  const pi = join(home, ".pi", "agent", "sessions", "--home-dev-acme--");
  rmSync(pi, { recursive: true });
  cpSync(join(root, "test", "fixtures", "pi", "0.73.1", "forked"), pi, { recursive: true });
  const everything = ["--limit", "1000", "--events", "1000"];
  const { sessions } = here.json("search", "role:user", ...everything) as unknown as Found;
  const agents = new Set(sessions.map(({ agent }) => agent));
  expect([...agents].sort()).toEqual(["claude-code", "codex", "gemini-cli", "opencode", "pi"]);
  for (const { events } of sessions) {
    const chosen = events.find(({ number }) => number.includes(".")) ?? events[0]!;
    const shown = here.json("show", chosen.ref) as unknown as Shown;
    expect(
      shown.events.map(({ number }) => number),
      chosen.ref,
    ).toContain(chosen.number);
  }
});

test("an event numbered 2.10 is found as that, and is not the one numbered 2.1", () => {
  const here = machine();
  const content = Array.from({ length: 12 }, (_, at) => ({ type: "text", text: `fig${at} tree` }));
  const message = { id: "msg_1", type: "message", role: "assistant", model: "m", content };
  putClaudeSession(here, { id }, [
    { user: "Name some trees" },
    { record: { type: "assistant", message: { ...message, usage: {} } } },
  ]);
  const found = (word: string): readonly { readonly number: string; readonly ref: string }[] =>
    (here.json("search", word) as unknown as Found).sessions[0]!.events;
  const numbers = content.map(({ text }) => found(text.split(" ")[0]!)[0]!.number);
  expect(new Set(numbers).size).toBe(12);
  expect(numbers).toContain("2.10");
  for (const [at, number] of numbers.entries()) {
    const [{ ref } = { ref: "" }] = found(`fig${at}`);
    expect(ref).toBe(`claude-code:${id}@${number}`);
    const { events } = here.json("show", ref) as unknown as Shown;
    const event = events.find((one) => one.number === number);
    expect(JSON.stringify(event?.body.content)).toContain(`fig${at} tree`);
  }
});

test("no command warns of SQLite, and the warnings of others are still printed", () => {
  const here = machine();
  putClaudeSession(here, { id }, [{ user: "line one" }]);
  const warning = `setImmediate(() => process.emitWarning("of another", "ExperimentalWarning"));`;
  const preload = join(here.home, "warn.mjs");
  writeFileSync(preload, warning);
  const search = [program, "search", "line", "--json"];
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", preload, ...search], {
    cwd: here.cwd,
    env: here.env,
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ freshness: { indexed: 1 } });
  expect(stderr).toContain("ExperimentalWarning: of another");
  expect(stderr).not.toContain("SQLite");
  expect(here.run("search", "line").stderr).toBe("");
});

test("without the optional package a Node with an engine of its own has an index, another one reads", () => {
  const folder = temporaryFolder();
  for (const name of ["dist", "package.json"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const here = machine();
  putClaudeSession(here, { id }, [{ user: "The heron stands", says: "It does." }]);
  const alone = join(folder, "dist", "bin", "reprise.js");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [alone, "search", "heron", "--json"],
    { cwd: here.cwd, env: here.env, encoding: "utf8" },
  );
  expect(status, stderr).toBe(0);
  const { total, freshness } = JSON.parse(stdout) as {
    readonly total: number;
    readonly freshness: { readonly indexed: number; readonly streamed: number };
  };
  expect(total).toBe(1);
  const isIndexed = hasCompleteEngine(process.versions.node);
  expect(freshness).toMatchObject({ indexed: isIndexed ? 1 : 0, streamed: isIndexed ? 0 : 1 });
});

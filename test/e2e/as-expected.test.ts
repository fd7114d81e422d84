import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { hasCompleteEngine } from "../../src/sqlite/engine.ts";
import { temporaryFolder } from "../temporary-folder.mjs";
import { machineWith, putClaudeSession, putFixture } from "./agents-home.ts";
import { type Machine, machine, root } from "./program.ts";
import { openTerminal } from "./terminal.ts";

let here: Machine;
beforeEach(() => {
  here = machine();
});

const id = (number: number): string =>
  `0f0e0d0c-0b0a-4900-8800-${String(number).padStart(12, "0")}`;

interface Listed {
  readonly total: number;
  readonly sessions: readonly {
    readonly ref: string;
    readonly session: string;
    readonly title?: string;
    readonly group?: { readonly path?: string };
  }[];
}
const listed = (...args: readonly string[]) => here.json("list", ...args) as unknown as Listed;

describe("a list", () => {
  test("of a machine without sessions is empty, and points to the sample", () => {
    expect(listed()).toEqual({ total: 0, sessions: [] });
    for (const args of [["list"], ["list", "--here"], ["--here"], ["list", "--agent", "codex"]]) {
      const { status, stdout, stderr } = here.run(...args);
      expect([status, stdout]).toEqual([
        args.length === 1 && args[0] === "list" ? 0 : 1,
        "No sessions.\n",
      ]);
      expect(stderr).toContain("reprise --sample list");
    }
    expect(here.run("--json").stdout).toBe('{"total":0,"sessions":[]}\n');
    expect(here.run("show", "rate limit").status).toBe(3);
  });

  test("has every session with --limit 0, as a search has", () => {
    for (let number = 1; number <= 34; number += 1)
      putClaudeSession(here, { id: id(number) }, [{ user: `Mend part ${number}`, says: "Done" }]);
    expect(listed().sessions).toHaveLength(30);
    expect(listed("--limit", "0").sessions).toHaveLength(34);
    expect(here.run("list", "--limit", "0").stdout.match(/Mend part/g)).toHaveLength(34);
    const found = here.json("search", "mend", "--limit", "0")["sessions"];
    expect(found).toHaveLength(34);
  });

  test("of what an ambiguous reference may mean says how many more there are", () => {
    for (let number = 1; number <= 13; number += 1)
      putClaudeSession(here, { id: id(number) }, [{ user: `Mend part ${number}` }]);
    const { status, stderr } = here.run("show", "mend");
    expect(status).toBe(3);
    expect(stderr).toContain('"mend" matches 13 sessions:');
    expect(stderr.match(/claude-code:/g)).toHaveLength(10);
    expect(stderr).toContain("\n  3 more\n");
  });
});

test("list, index, search and the picker count the same sessions, subagents' apart", async () => {
  putFixture(here, "claude-code/2.1.325/subagent");
  putFixture(here, "codex/0.166.0/subagent");
  putFixture(here, "codex/0.166.0/plain");
  const { total } = listed();
  const all = listed("--all").total;
  expect(all).toBeGreaterThan(total);
  here.run("index");
  const index = here.json("index", "--status") as Record<string, unknown>;
  expect([index["sessions"], index["subagents"]]).toEqual([total, all - total]);
  expect(here.run("index", "--status").stdout).toContain(
    `${total} sessions and ${all - total} of subagents with `,
  );
  const freshness = here.json("search", "the")["freshness"];
  expect(freshness).toMatchObject({ sessions: total, subagents: all - total });
  const screen = openTerminal(["pick"], { columns: 80, rows: 24, machine: here });
  await screen.shows(`${total}/${total}`);
  screen.type("\u001b");
  expect(await screen.end()).toBe(0);
});

test("a fork is called as the session it was made from, also where nobody gave it a title", () => {
  const session = here.run("new").stdout.trim();
  const said = { role: "user", content: "Mend the flaky test" };
  here.runWith({ input: JSON.stringify(said) }, "append", session);
  const fork = here.run("fork", session).stdout.trim();
  const second = here.run("fork", fork).stdout.trim();
  const other = here.run("fork", session, "--title", "Another way").stdout.trim();
  const titles = new Map(listed().sessions.map(({ session, title }) => [session, title]));
  expect([fork, second, other].map((one) => titles.get(one))).toEqual([
    "Mend the flaky test",
    "Mend the flaky test",
    "Another way",
  ]);
});

test("a tag that is not there cannot be taken away, and nothing else is done", () => {
  const session = here.run("new", "--title", "One").stdout.trim();
  here.run("tag", session, "release");
  const { status, stderr } = here.run("tag", session, "other", "--remove", "relaese");
  expect(status).toBe(3);
  expect(stderr).toContain('The session has no tag "relaese".');
  expect(here.run("tag", session).stdout).toBe("release\n");
  expect(here.run("tag", session, "--remove", "release").status).toBe(0);
});

test("the last events say the tools' names, also of calls before them", () => {
  const call = { type: "tool_use", id: "c1", name: "Grep", input: { pattern: "x" } };
  const answer = { type: "tool_result", tool_use_id: "c1", content: "found it" };
  putClaudeSession(here, { id: id(1) }, [
    { user: "Look for x" },
    { record: { type: "assistant", message: { role: "assistant", content: [call] } } },
    { record: { type: "user", message: { role: "user", content: [answer] } } },
  ]);
  const shown = here.run("show", id(1), "--last", "1").stdout;
  expect(shown).toContain("found it");
  expect(shown).toContain("Grep");
  expect(shown).not.toContain("#2");
  expect(here.json("show", id(1), "--last", "1")["events"]).toHaveLength(1);
});

test("stats cut what a program reads only where it asks for that", () => {
  for (let number = 1; number <= 3; number += 1)
    putClaudeSession(here, { id: id(number), ageMinutes: number * 1440 }, [
      // So that each answer has an id of its own.
      ...Array.from({ length: number }, () => ({ user: "Well" })),
      { user: "Go on", says: "Done" },
    ]);
  const csv = (...args: readonly string[]): readonly string[] =>
    here
      .run("stats", "--csv", ...args)
      .stdout.trim()
      .split("\n");
  expect(csv()).toHaveLength(4);
  expect(csv("--limit", "0")).toHaveLength(4);
  expect(csv("--limit", "1")).toEqual([csv()[0], csv()[3]]);
  expect(here.json("stats", "--limit", "2")["groups"]).toHaveLength(2);
});

test("Gemini CLI's usage belongs to the projects its sessions are listed under", () => {
  const gemini = join(here.home, ".gemini");
  putFixture(here, "gemini-cli/0.61.0/plain");
  const projects = JSON.parse(readFileSync(join(gemini, "projects.json"), "utf8")) as {
    projects: Record<string, string>;
  };
  const [folder = ""] = Object.keys(projects.projects);
  expect(listed().sessions[0]?.group?.path).toBe(folder);
  const { groups } = here.json("stats", "--by", "project") as {
    groups: readonly { key: string; tokens: { total: number } }[];
  };
  expect(groups.map(({ key }) => key)).toEqual([folder]);
  expect(here.json("stats", "--project", folder)["groups"]).toHaveLength(1);

  // And as it is with another folder, from within it.
  const slug = projects.projects[folder]!;
  const text = JSON.stringify({ projects: { [here.cwd]: slug } });
  writeFileSync(join(gemini, "projects.json"), text);
  rmSync(join(gemini, "tmp", slug, ".project_root"), { force: true });
  expect(here.json("stats", "--here")["groups"]).toHaveLength(1);
  const { stdout, stderr } = here.runWith({ cwd: here.home }, "stats", "--here");
  expect(stdout).toBe("No usage.\n");
  expect(stderr).not.toContain("sample");
});

test("a project's folder that is gone is named, and another can be given", () => {
  const gone = join(here.home, "gone");
  putClaudeSession(here, { id: id(1), cwd: gone }, [{ user: "Mend it", says: "Done" }]);
  const { status, stderr } = here.run("fork", id(1), "--in", "aider");
  expect(status).toBe(3);
  expect(stderr).toContain(`The folder ${gone} does not exist`);
  expect(stderr).toContain("--cwd");
  expect(stderr).not.toContain("full");
  const there = here.run("resume", id(1), "--in", "aider", "--cwd", here.cwd);
  expect(there.status).toBe(0);
});

test("the exit code of an agent that was resumed is ours", () => {
  here = machineWith(["claude"]);
  putClaudeSession(here, { id: id(1) }, [{ user: "Mend it", says: "Done" }]);
  const ends = (how: string): number | null => {
    writeFileSync(join(here.home, "bin", "claude"), `#!/bin/sh\n${how}\n`, { mode: 0o755 });
    return here.run("resume", id(1), "--launch").status;
  };
  expect(ends("exit 0")).toBe(0);
  expect(ends("exit 42")).toBe(42);
  expect(ends("kill -TERM $$")).toBe(143);
});

describe("with no SQLite engine installed", () => {
  /** A copy of the program with no package beside it. */
  function bareProgram() {
    putFixture(here, "opencode/1.18.33/forked");
    const bare = temporaryFolder();
    cpSync(join(root, "dist"), join(bare, "dist"), { recursive: true });
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [join(bare, "dist", "bin", "reprise.js"), ...args], {
        cwd: here.cwd,
        env: here.env,
        encoding: "utf8",
      });
    return run;
  }

  const readByNode = () => {
    const run = bareProgram();
    const { sessions } = JSON.parse(run("list", "--json").stdout) as Listed;
    expect(sessions.length).toBeGreaterThan(0);
    for (const { ref, title } of sessions) {
      expect(title).toBeTruthy();
      expect(run("show", ref).status).toBe(0);
    }
    const checked = run("verify", "--all");
    expect([checked.status, checked.stderr]).toEqual([0, ""]);
    expect(run("stats").stderr).not.toContain("could not be read");
  };

  const named = () => {
    const run = bareProgram();
    const { stdout } = run("list");
    expect(stdout).toContain("! No SQLite engine is installed. Run `npm i @photostructure/sqlite`");
    expect(stdout).not.toContain("(no title)");
    const checked = run("verify", "--all");
    expect(checked.status).toBe(1);
    expect(checked.stdout).toContain("not read");
    expect(checked.stdout + checked.stderr).not.toMatch(/damage/);
    expect(checked.stderr).toContain("npm i @photostructure/sqlite");
    expect(run("stats").stderr).toContain("1 file could not be read.");
  };

  if (hasCompleteEngine(process.versions.node))
    test("Node's own engine reads a database", readByNode);
  else test("a database is named with what to install, and is not called damaged", named);
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { deleteFailpoints } from "../../src/base/failpoint.ts";
import { machineWith, putClaudeSession, putFixture } from "./agents-home.ts";
import type { Machine } from "./program.ts";
import { openTerminal } from "./terminal.ts";

let here: Machine;
let file: string;
const id = "5a3e1c0f-7b64-4d0e-9c55-000000000001";

beforeEach(() => {
  here = machineWith(["claude"]);
  file = putClaudeSession(here, { id }, [{ user: "Mend the parser", says: "Done." }]);
});

test("without --yes the plan is shown and nothing goes; with it the session goes, and undo brings it back", () => {
  const before = readFileSync(file);
  const plan = here.run("delete", id);
  expect(plan.status).toBe(0);
  expect(plan.stdout).toContain("Would delete “Mend the parser”");
  expect(plan.stdout).toContain(`${id}.jsonl`);
  expect(plan.stdout).toMatch(
    /^Frees \d+ B, less the compressed copy that is kept for `reprise undo`\.$/m,
  );
  expect(plan.stderr).toBe(`Nothing was done yet. To do it: \`reprise delete ${id} --yes\`\n`);
  expect(existsSync(file)).toBe(true);
  const done = here.json("delete", id, "--yes");
  expect(done).toMatchObject({ done: true, ref: `claude-code:${id}`, files: [file] });
  expect(existsSync(file)).toBe(false);
  expect(here.run("show", id).status).toBe(3);
  const undone = `Undone: deletion of claude-code:${id}; it is back.\n`;
  expect(here.run("undo").stderr).toBe(undone);
  expect(readFileSync(file)).toEqual(before);
});

test("a session of our own goes and comes back too", () => {
  const ref = here.run("new", "--title", "Ours").stdout.trim();
  here.runWith({ input: '{"type":"user","content":"hi"}\n' }, "append", ref);
  const before = here.run("export", ref, "--format", "jsonl").stdout;
  expect(here.run("delete", ref, "--yes").status).toBe(0);
  expect(here.run("show", ref).status).toBe(3);
  here.run("undo");
  expect(here.run("export", ref, "--format", "jsonl").stdout).toBe(before);
});

test("a search forgets what was deleted, pruned or undone at once, and finds it again when it is back", () => {
  const found = (): readonly string[] => {
    const answer = JSON.parse(here.run("search", "parser", "--json").stdout) as {
      readonly sessions: readonly { readonly ref: string }[];
    };
    return answer.sessions.map(({ ref }) => ref).sort();
  };
  const claude = `claude-code:${id}`;
  expect(found()).toEqual([claude]);
  here.run("delete", id, "--yes");
  expect(found()).toEqual([]);
  here.run("undo");
  expect(found()).toEqual([claude]);
  const own = here.run("new", "--title", "A parser of ours").stdout.trim();
  expect(found()).toHaveLength(2);
  const exported = join(here.home, "own.json");
  here.run("export", own, "--format", "json", "--output", exported);
  here.run("delete", own, "--yes");
  expect(found()).toEqual([claude]);
  here.run("undo");
  expect(found()).toHaveLength(2);
  here.run("delete", own, "--yes");
  here.run("import", exported);
  expect(found()).toHaveLength(2);
  here.run("undo");
  expect(found()).toEqual([claude]);
  here.run("index", "--rebuild");
  expect(found()).toEqual([claude]);
});

test("all sessions of a project go with one command, and one undo brings all of them back", () => {
  const ids = [1, 2, 3].map((number) => `5a3e1c0f-7b64-4d0e-9c55-10000000000${number}`);
  const cwd = join(here.home, "old-app");
  const files = ids.map((one) => putClaudeSession(here, { id: one, cwd }, [{ user: `Do ${one}` }]));
  mkdirSync(cwd);
  here.runWith({ cwd }, "new", "--title", "Ours");
  const before = files.map((path) => readFileSync(path));
  const refs = (): number =>
    here.run("list", "--project", "old-app").stdout.split("\n  ").length - 1;
  const plan = here.run("delete", "--project", "old-app");
  expect(plan.stdout).toContain('Would delete 4 sessions of "old-app"');
  for (const one of ids) expect(plan.stdout).toMatch(new RegExp(`^ {4}.*/${one}\\.jsonl$`, "m"));
  expect(plan.stderr).toContain("`reprise delete --project old-app --yes`");
  expect(refs()).toBe(4);
  expect(here.json("delete", "--project", "old-app", "--yes")).toMatchObject({ done: true });
  expect(refs()).toBe(0);
  expect(existsSync(file)).toBe(true);
  expect(here.run("undo", "--list").stdout).toContain('deletion of 4 sessions of "old-app"');
  expect(here.run("undo").status).toBe(0);
  expect(refs()).toBe(4);
  expect(files.map((path) => readFileSync(path))).toEqual(before);
  expect(here.run("undo", "--list").stdout).not.toContain("old-app");
  expect(here.run("delete", "--project", "nowhere", "--yes").status).toBe(3);
  expect(here.run("delete", id, "--project", "old-app").status).toBe(2);
  expect(here.run("delete").status).toBe(2);
});

test.each(["", " ", "/", ".", "--"])(
  "words that are in every path, such as %j, name no project, and nothing goes",
  (words) => {
    const refused = here.run("delete", `--project=${words}`, "--yes");
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain("names no project");
    expect(existsSync(file)).toBe(true);
  },
);

test.each(["--tag=", "--agent=", "--until=", "--branch= ", "--author=", "--model=-", "--pinned"])(
  "a filter without a value, such as %j, chooses nothing, and nothing goes",
  (filter) => {
    expect(here.run("delete", filter, "--yes").status).toBe(2);
    expect(existsSync(file)).toBe(true);
  },
);

describe("of every agent what was last changed until a time", () => {
  const until = "2026-11-16T00:00:00Z";
  const minutesSince = (day: string): number => (Date.now() - Date.parse(day)) / 60_000;
  const idOf = (number: number): string => `5a3e1c0f-7b64-4d0e-9c55-20000000000${number}`;
  const put = (number: number, day: string): string =>
    putClaudeSession(here, { id: idOf(number), ageMinutes: minutesSince(day) }, [
      { user: `Do ${number}`, says: "Done." },
    ]);
  const answer = (...args: readonly string[]): ReturnType<Machine["json"]> =>
    here.json("delete", "--until", until, ...args, "--yes");
  const contents = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      [".claude", ".codex", ".gemini", ".local/share/opencode"].flatMap((folder) =>
        readdirSync(join(here.home, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .map((path) => [path, readFileSync(path, "base64")]),
      ),
    );

  beforeEach(() => {
    rmSync(file);
    putFixture(here, "codex/0.166.0/plain");
    putFixture(here, "gemini-cli/0.61.0/subagent");
    putFixture(here, "opencode/1.1.65/resumed-and-subagent");
  });

  test("goes after a plan, what is newer stays, and one undo brings every byte back", () => {
    const [old, recent] = [put(1, "2026-11-01"), put(2, "2026-11-17")];
    const before = contents();
    const plan = here.run("delete", "--until", until);
    expect(plan.status).toBe(0);
    expect(plan.stdout).toMatch(/^Would delete \d+ sessions last changed until /);
    for (const agent of ["claude-code", "codex", "gemini-cli", "opencode"])
      expect(plan.stdout).toMatch(new RegExp(`^  ${agent}: \\d+ of `, "m"));
    expect(plan.stdout).toContain(`claude-code:${idOf(1)}  2026-11-01  Do 1\n`);
    expect(plan.stdout).not.toContain(idOf(2));
    expect(plan.stdout).toMatch(/^Frees /m);
    expect(plan.stderr).toContain(`\`reprise delete --until ${until} --yes\``);
    expect(contents()).toEqual(before);
    const { refs, left, pinned } = answer();
    expect({ left, pinned }).toEqual({ left: [], pinned: [] });
    expect([existsSync(old), existsSync(recent)]).toEqual([false, true]);
    expect(here.json("list")["total"]).toBe(1);
    const { entries } = here.json("undo", "--list") as { entries: { says: string }[] };
    expect(entries[0]!.says).toMatch(
      new RegExp(`^deletion of ${(refs as string[]).length} sessions last changed until `),
    );
    expect(entries).toHaveLength(1);
    expect(here.run("undo").status).toBe(0);
    expect(contents()).toEqual(before);
  });

  test("stays if it is pinned or being written, and is named; --pinned takes the pinned ones", async () => {
    const [old, pinned, written] = [1, 2, 3].map((number) => put(number, "2026-11-01"));
    here.run("tag", idOf(2), "--pin");
    const writer = spawn("/bin/sh", ["-c", 'exec 3>>"$0"; echo open; read line', written!]);
    await once(writer.stdout, "data");
    const plan = here.run("delete", "--until", until, "--agent", "claude");
    expect(plan.stdout).toContain(
      "Would delete 1 session with agent claude-code, last changed until",
    );
    expect(plan.stdout).toContain(
      `Left: 1 pinned session; --pinned deletes it too:\n  claude-code:${idOf(2)}`,
    );
    expect(plan.stdout).toContain(`Left: claude-code:${idOf(3)}: Claude Code may be writing`);
    const done = answer("--agent", "claude");
    expect(done).toMatchObject({
      refs: [`claude-code:${idOf(1)}`],
      pinned: [`claude-code:${idOf(2)}`],
    });
    expect([old, pinned, written].map((path) => existsSync(path!))).toEqual([false, true, true]);
    const refused = here.run("delete", "--until", until, "--agent", "claude", "--yes");
    expect(refused.status).toBe(4);
    expect(refused.stderr).toContain("--pinned");
    writer.stdin.end();
    await once(writer, "close");
    here.run("undo");
    const again = here.run("delete", "--until", until, "--agent", "claude", "--yes");
    expect(again.stderr).toContain("Left: 1 pinned session; --pinned deletes it too.");
    expect(answer("--agent", "claude", "--pinned")["refs"]).toHaveLength(1);
    expect([old, pinned, written].map((path) => existsSync(path!))).toEqual([false, false, false]);
    expect(here.run("delete", "--until", until, "--agent", "claude", "--yes").status).toBe(3);
  });

  test("stays if a file beside it, such as a subagent's, was written after the time", () => {
    const old = put(1, "2026-11-01");
    const folder = join(old.replace(/\.jsonl$/, ""), "subagents");
    mkdirSync(folder, { recursive: true });
    const beside = join(folder, "agent-a1.jsonl");
    writeFileSync(beside, readFileSync(old));
    const wroteAt = (path: string, day: string): void =>
      utimesSync(path, new Date(day), new Date(day));
    wroteAt(old, "2026-11-01T00:00:00Z");
    wroteAt(beside, "2026-11-17T00:00:00Z");
    const args = ["delete", "--until", until, "--agent", "claude", "--yes"];
    expect(here.run(...args).status).toBe(3);
    expect(existsSync(old)).toBe(true);
    // A copied home has new times throughout, and its sessions are as old as what was said in them.
    wroteAt(old, "2026-11-17T00:00:00Z");
    expect(here.run(...args).status).toBe(0);
    expect(existsSync(old)).toBe(false);
  });

  test("is whole after a kill in the middle: one is brought back, and undo brings those that were gone", () => {
    for (const number of [1, 2, 3]) put(number, "2026-11-01");
    const before = contents();
    here.env["REPRISE_FAILPOINT"] = "delete.half-removed:2";
    expect(here.run("delete", "--until", until, "--agent", "claude", "--yes").status).not.toBe(0);
    delete here.env["REPRISE_FAILPOINT"];
    expect(here.run("tag", idOf(3), "kept").stderr).toContain("it was brought back");
    expect(here.json("list", "--agent", "claude")["total"]).toBe(2);
    here.run("undo");
    expect(here.run("undo").stderr).toContain("deletion of 1 session with agent claude-code");
    expect(contents()).toEqual(before);
  });
});

test("it is refused while the agent runs in the session's folder and writes it", async () => {
  // A program of that name that stays.
  const program = join(here.home, "bin", "claude");
  writeFileSync(program, "#!/bin/sh\nread line\n");
  const agent = spawn(program, [], { cwd: here.cwd, stdio: ["pipe", "ignore", "ignore"] });
  await once(agent, "spawn");
  writeFileSync(file, readFileSync(file), { flag: "r+" });
  const refused = here.run("delete", id, "--yes");
  expect(refused.status).toBe(4);
  expect(refused.stderr).toContain("may be writing this session");
  expect(existsSync(file)).toBe(true);
  agent.stdin.end();
  await once(agent, "close");
  expect(here.run("delete", id, "--yes").status).toBe(0);
});

test.each(deleteFailpoints)("killed at %s, the session is whole after the next change", (point) => {
  const before = readFileSync(file);
  here.env["REPRISE_FAILPOINT"] = point;
  expect(here.run("delete", id, "--yes").status).not.toBe(0);
  delete here.env["REPRISE_FAILPOINT"];
  const next = here.run("tag", id, "kept");
  expect(next.stderr).toContain("was killed before it was done; it was brought back");
  expect(readFileSync(file)).toEqual(before);
});

test("^X on the home screen shows the plan, and deletes only after yes", async () => {
  const screen = openTerminal([], { columns: 80, rows: 24, machine: here });
  await screen.shows("1/1");
  screen.type("\u0018");
  await screen.shows("Would delete");
  screen.type("\r");
  await screen.shows("^R resume");
  expect(existsSync(file)).toBe(true);
  screen.type("\u0018");
  await screen.shows("Would delete");
  screen.type("yes\r");
  await screen.shows("Deleted “Mend the parser”");
  expect(existsSync(file)).toBe(false);
  screen.type("\u001b");
  expect(await screen.end()).toBe(0);
});

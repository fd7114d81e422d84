import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { deleteFailpoints } from "../../src/base/failpoint.ts";
import { machineWith, putClaudeSession } from "./agents-home.ts";
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
  expect(here.run("undo", "--list").stdout).toContain("deletion of 4 sessions of old-app");
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

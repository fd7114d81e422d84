import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.mjs";

const program = fileURLToPath(new URL("../../dist/bin/reprise.js", import.meta.url));

function machine() {
  const home = temporaryFolder();
  const cwd = join(home, "app");
  mkdirSync(cwd);
  const runWith = (variables: Readonly<Record<string, string>>, line: readonly string[]) => {
    const env = { PATH: process.env["PATH"], HOME: home, ...variables };
    const options = { cwd, env, encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...line], options);
    return { status, stdout, stderr };
  };
  const run = (...line: readonly string[]) => runWith({}, line);
  const journal = () => readFileSync(join(home, ".reprise", "journal.jsonl"), "utf8");
  const entries = () =>
    (
      JSON.parse(run("undo", "--list", "--json").stdout) as {
        entries: { id: number; says: string }[];
      }
    ).entries;
  return { home, cwd, run, runWith, journal, entries };
}

test("what was remembered last is what undo forgets, and the journal never has its text", () => {
  const { run, journal, entries } = machine();
  run("remember", "the server listens on port 8086");
  expect(entries()).toMatchObject([
    { kind: "memory", says: 'memory "the server listens on port 8086", remembered for app' },
  ]);
  expect(journal()).not.toContain("8086");
  expect(run("undo").stderr).toBe(
    'Undone: memory "the server listens on port 8086", remembered for app; it is forgotten for good.\n',
  );
  expect(run("memory", "list").stdout).toBe("No memories found.\n");
  expect(entries()).toEqual([]);
  expect(journal()).not.toContain("8086");
});

test("a memory that was changed since stays", () => {
  const { run, entries } = machine();
  run("remember", "--key", "port", "8086");
  run("memory", "update", "port", "9000");
  const [, first] = entries();
  const { status, stderr } = run("undo", String(first!.id));
  expect(status).not.toBe(0);
  expect(stderr).toContain("was changed since; it stays");
  expect(run("memory", "list").stdout).toBe("port: 9000\n");
});

test("undo of a change brings the version before back, and another undo forgets that one", () => {
  const { run } = machine();
  run("memory", "store", "port", "8086");
  run("memory", "store", "port", "9000");
  expect(run("undo").stderr).toContain("it says again what it said in version 1");
  expect(run("memory", "list").stdout).toBe("port: 8086\n");
  expect(run("undo").stderr).toContain("it is forgotten for good");
  expect(run("memory", "list").stdout).toBe("No memories found.\n");
});

test("a decision of the inbox is undone: it waits again", () => {
  const { run, entries } = machine();
  run("memory", "store", "port", "8086");
  run("memory", "export", "-o", "all.json");
  run("memory", "forget", "port", "--yes");
  run("memory", "import", "all.json");
  const inbox = (): readonly { readonly id: string }[] =>
    (JSON.parse(run("memory", "inbox", "--json").stdout) as { entries: { id: string }[] }).entries;
  run("memory", "approve", inbox()[0]!.id);
  expect(entries()).toMatchObject([{ says: 'memory "port", approved for app' }]);
  expect(run("undo").stderr).toContain("it waits in the inbox again");
  expect(inbox()).toHaveLength(1);
});

test("after a memory was forgotten, undo names the change before and leaves it alone", () => {
  const { run, entries } = machine();
  run("remember", "--user", "the tests need a database");
  run("remember", "the server listens on port 8086");
  run("memory", "forget", "the server listens on port 8086", "--yes");
  const [kept, ...more] = entries();
  expect(more).toEqual([]);
  const { status, stderr } = run("undo");
  expect(status).toBe(1);
  expect(stderr).toContain("The last change cannot be undone: a memory was forgotten for good.");
  expect(stderr).toContain(
    `Before that: memory "the tests need a database", remembered for every project. \`reprise undo ${kept!.id}\` undoes it.`,
  );
  expect(run("memory", "list", "--user").stdout).toContain("the tests need a database");
  expect(run("undo", String(kept!.id)).status).toBe(0);
  expect(run("undo").stderr).toContain("There is nothing to undo.");
});

test("what an agent remembers is not for the user's undo", () => {
  const { runWith, run, entries } = machine();
  run("remember", "--user", "the tests need a database");
  runWith({ REPRISE_AGENT: "claude-code" }, ["remember", "the server listens on port 8086"]);
  expect(entries()).toHaveLength(1);
});

test("a published memory stays where undo is asked, which says how it is forgotten", () => {
  const { run } = machine();
  run("remember", "the server listens on port 8086");
  const [entry] = (
    JSON.parse(run("undo", "--list", "--json").stdout) as { entries: { id: number }[] }
  ).entries;
  expect(run("memory", "publish", "--to", "claude-code", "--yes").status).toBe(0);
  const { status, stderr } = run("undo", String(entry!.id));
  expect(status).not.toBe(0);
  expect(stderr).toContain("The memory is published in");
  expect(run("memory", "list").stdout).toContain("8086");
});

test("a memory that undo forgot cannot be redone, which is said", () => {
  const { run } = machine();
  run("remember", "the server listens on port 8086");
  run("undo");
  const { stderr } = run("redo");
  expect(stderr).toContain("This cannot be redone: a memory, remembered for app.");
  expect(stderr).toContain("Run its command again.");
});

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.mjs";

const program = fileURLToPath(new URL("../../dist/bin/reprise.js", import.meta.url));

function machine() {
  const home = temporaryFolder();
  const cwd = join(home, "app");
  mkdirSync(cwd);
  const run = (...args: readonly string[]) => {
    const env = { PATH: process.env["PATH"], HOME: home };
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, "memory", ...args], {
      cwd,
      env,
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };
  return { home, cwd, run };
}

test("a memory is stored, found, updated, exported, forgotten and imported from the command line", () => {
  const { cwd, run } = machine();
  writeFileSync(join(cwd, "package.json"), "{}");
  expect(run("store", "test command", "npm", "test", "--file", "package.json").status).toBe(0);
  expect(run("list", "test").stdout).toBe("test command: npm test\n");
  expect(run("update", "test command", "npm run test").stdout).toContain("version 2");
  writeFileSync(join(cwd, "package.json"), '{"changed":true}');
  expect(run("list").stdout).toContain("[stale: its evidence changed]");
  expect(run("export", "-o", "all.yaml").status).toBe(0);
  expect(readFileSync(join(cwd, "all.yaml"), "utf8")).toContain('value: "npm run test"');
  const plan = run("forget", "test command");
  expect(plan).toMatchObject({ status: 0 });
  expect(plan.stdout).toContain("cannot be undone");
  expect(run("forget", "test command", "--yes").stdout).toContain("Forgotten:\n");
  expect(run("audit").stdout).toMatch(/ {2}user {2}forget {2}long-term \S+: forgotten for good\n/);
  expect(run("list").stdout).toBe("No memories found.\n");
  expect(run("import", "all.yaml").stdout).toContain("reprise memory inbox");
  expect(run("list").stdout).toBe("No memories found.\n");
  const inbox = JSON.parse(run("inbox", "--json").stdout) as { entries: { id: string }[] };
  expect(run("approve", inbox.entries[0]!.id).stdout).toContain("Approved");
  expect(run("list").stdout).toContain("from imported");
});

test("a secret is masked before it is stored, and an unknown action names the known ones", () => {
  const { run } = machine();
  const secret = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
  expect(run("store", "token", secret).status).toBe(0);
  expect(run("get", "token").stdout).not.toContain(secret);
  const wrong = run("remember", "x");
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain("store, get, list");
  expect(run("find", "x").stderr).toContain(
    "Did you mean `reprise memory list <words>`? Use one of: store,",
  );
});

test("the beginning of a key or id is enough to forget, and an ambiguous one lists what it may mean", () => {
  const { run } = machine();
  run("store", "deploy command", "make ship");
  run("store", "deploy target", "fly");
  const asked = run("forget", "deploy", "--yes");
  expect(asked.status).toBe(3);
  expect(asked.stderr).toContain('"deploy" matches 2 memories:');
  expect(asked.stderr).toMatch(/[0-9a-f-]{36} {2}deploy target: fly/);
  expect(run("get", "deploy t").stdout).toContain("deploy target: fly");
  expect(run("forget", "deploy t", "--yes").stdout).toContain("Forgotten:\n");
  expect(run("list").stdout).toBe("deploy command: make ship\n");
  const missing = run("forget", "nothing");
  expect(missing.status).toBe(3);
  expect(missing.stderr).toContain("nothing was changed");
});

test("a search for words that do not all occur leads to recall", () => {
  const { run } = machine();
  run("store", "tests", "run with pnpm");
  const missed = run("list", "how", "do", "tests", "run");
  expect(missed.stdout).toBe("No memories found.\n");
  expect(missed.stderr).toContain("`reprise recall`");
});

test("a project without sessions has nothing to propose, and that is reported", () => {
  expect(machine().run("propose").stderr).toContain("This project has no session to read");
});

test("a reset also empties Reprise's own backups and says that others keep the text: the plan and the restore report it", () => {
  const { run } = machine();
  run("store", "port", "8080");
  run("backup");
  run("backup", "-o", "mine.jsonl");
  expect(run("reset").stdout).toContain("also in Reprise's own backups");
  const elsewhere =
    "A backup or export that you wrote elsewhere (`reprise backup`, -o, --dir) still holds the text";
  expect(run("reset").stdout).toContain(elsewhere);
  expect(run("reset", "--yes").stdout).toContain(elsewhere);
  expect(run("restore", "@last").stdout).toContain("The backup holds no memory.");
  const restored = run("restore", "mine.jsonl", "--forgotten", "--yes");
  expect(run("list").stdout).toBe("port: 8080\n");
  const [, name] = /of 1 namespace: (\S+)\n/.exec(restored.stdout)!;
  expect(restored.stderr).toContain("--namespace");
  expect(run("list", "--namespace", name!).stdout).toBe("port: 8080\n");
});

test("a backup is made, listed and brought back; what was forgotten since is named", () => {
  const { cwd, run } = machine();
  run("store", "port", "8080");
  run("store", "secret", "a-text-to-forget");
  expect(run("backup").stdout).toMatch(/^2 memories of 1 namespace in .*\nSHA-256: [0-9a-f]{64}\n/);
  expect(run("backup", "-o", "b.jsonl").status).toBe(0);
  const kept = run("backup", "-o", "b.jsonl");
  expect(kept.status).toBe(4);
  expect(kept.stderr).toContain("overwrite it with --force");
  expect(run("backup", "-o", "b.jsonl", "--force").status).toBe(0);
  expect(run("backups").stdout).toContain("2 memories");
  run("forget", "secret", "--yes");
  expect(run("backups").stdout).toContain("1 memory,");
  const nothing = run("restore", "b.jsonl");
  expect(nothing.stdout).toContain("Nothing has to come back.");
  expect(nothing.stdout).toContain("1 memory forgotten since: they stay forgotten");
  const plan = run("restore", "b.jsonl", "--forgotten");
  expect(plan).toMatchObject({ status: 0 });
  expect(plan.stdout).toContain("Restore from");
  expect(run("get", "secret").status).toBe(3);
  expect(run("restore", "b.jsonl", "--forgotten", "--yes").stdout).toContain("Restored.");
  expect(run("get", "secret").stdout).toContain("a-text-to-forget");
  const text = readFileSync(join(cwd, "b.jsonl"), "utf8");
  writeFileSync(join(cwd, "b.jsonl"), text.replace("8080", "9090"));
  const damaged = run("restore", "b.jsonl", "--yes");
  expect(damaged.status).toBe(1);
  expect(damaged.stderr).toContain("is damaged: line ");
  expect(run("restore", "b.jsonl", "--partial").stdout).toContain("1 damaged line");
  expect(run("restore", "@last").stdout).toContain("Nothing has to come back.");
  expect(run("restore", "nowhere").status).toBe(3);
});

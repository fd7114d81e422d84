import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.mjs";

const program = fileURLToPath(new URL("../../dist/bin/reprise.js", import.meta.url));

function machine() {
  const home = temporaryFolder();
  const cwd = join(home, "app");
  mkdirSync(cwd);
  return (...line: readonly string[]) => {
    const env = { PATH: process.env["PATH"], HOME: home };
    const options = { cwd, env, encoding: "utf8" } as const;
    const { stdout, stderr } = spawnSync(process.execPath, [program, ...line], options);
    return { stdout, stderr };
  };
}

test("remember says whether an agent is given the memory, and how it can be", () => {
  const run = machine();
  const first = run("remember", "the server listens on port 8086");
  expect(first.stdout).toBe("Remembered for app: the server listens on port 8086\n");
  expect(first.stderr).toContain("No agent is given it yet: `reprise hooks install`");
  run("hooks", "install", "claude-code", "--yes");
  expect(run("remember", "the tests need a database").stderr).toContain(
    "claude-code gets it at its next start.",
  );
  const json = run("remember", "--json", "the docs are in English").stdout;
  expect(JSON.parse(json)).toMatchObject({ replaced: [], givenTo: ["claude-code"] });
  run("memory", "injection", "off");
  expect(run("remember", "the logs are in UTC").stderr).toContain(
    "No agent is given it unasked: `reprise memory injection on` changes that.",
  );
});

test("nothing is said of agents where a memory is private, or of a namespace that none of them reads", () => {
  const run = machine();
  expect(run("remember", "--access", "private", "a secret habit").stderr).not.toContain("given");
  expect(run("remember", "--namespace", "team", "lunch is at noon").stderr).not.toContain("given");
});

test("memory get names the file and the user's own metadata, and nothing that is ours", () => {
  const run = machine();
  run("remember", "the server listens on port 8086");
  const sentence = run("memory", "get", "the server").stdout;
  expect(sentence).not.toContain("metadata");
  expect(sentence).toMatch(/\n {2}file {7}~\/\.reprise\/memory\/project-app-\w+\.jsonl\n/);
  run("memory", "store", "port", "8086", "--meta", "team=core");
  expect(run("memory", "get", "port").stdout).toContain('metadata   {"team":"core"}');
});

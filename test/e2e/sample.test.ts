import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { machine, root } from "./program.ts";

test("on a machine without sessions the sample is shown and said so in one line", () => {
  const { run, home } = machine();
  const { status, stdout, stderr } = run();
  expect(status).toBe(0);
  expect(stderr.split("\n")[0]).toMatch(/^No agent's session was found on this machine; .*sample/);
  for (const text of ["claude-code", "codex", "pi", "Rate limit", "Docker build"]) {
    expect(stdout).toContain(text);
  }
  expect(statSync(join(home, ".reprise", "sample")).mode & 0o077).toBe(0);
});

test("each printed next step works in this clone", () => {
  const { run, env } = machine();
  const steps = run()
    .stderr.split("\n")
    .filter((line) => line.startsWith("  "))
    .map((line) => line.trim());
  expect(steps.length).toBeGreaterThanOrEqual(3);
  for (const step of steps) {
    expect(step).toMatch(/^npx --no-install reprise /);
    const result = spawnSync(step, { shell: true, cwd: root, env, encoding: "utf8" });
    expect(result.status, `${step}\n${result.stderr}`).toBe(0);
    expect(result.stdout.length).toBeGreaterThan(100);
  }
});

test("the sample is told on request only, once there are sessions", () => {
  const { run } = machine();
  expect(run("new", "--title", "My own").status).toBe(0);
  const { stdout, stderr } = run("list");
  expect(stdout).toContain("My own");
  expect(stdout).not.toContain("Docker build");
  expect(stderr).toBe("");
  expect(run("--sample", "list").stdout).toContain("Docker build");
});

test("reading the sample leaves no trace in the agents' folders", () => {
  const { run, home } = machine();
  run();
  const sample = join(home, ".reprise", "sample", "home");
  const before = traces(sample);
  for (const args of [
    ["show", "rate limit"],
    ["show", "c81d"],
    ["export", "@last"],
    ["list", "--all"],
  ]) {
    expect(run("--sample", ...args).status).toBe(0);
  }
  expect(traces(sample)).toEqual(before);
  expect(existsSync(join(sample, ".claude"))).toBe(true);
});

function traces(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name));
      return `${name} ${size} ${mtimeMs}`;
    });
}

import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { putFixture } from "./agents-home.ts";
import { type Machine, machine, root } from "./program.ts";

/** A machine with something of every agent that keeps stores of its own kind, the working folder being a project. */
function busyMachine(): Machine {
  const here = machine();
  for (const name of ["ide-2026", "cli-store"]) putFixture(here, `cursor/constructed/${name}`);
  putFixture(here, "amp/0.0.1769314944/tools-and-resumed");
  putFixture(here, "qwen-code/0.24.4/tools");
  putFixture(here, "copilot-cli/1.0.102/tools");
  const kept = ["aios/4.4.6", "synapse/4.4.6", "continuous-claude/v3", "claude-sessions/c50709b"];
  for (const name of [...kept, "langgraph/js-1.0.4"])
    cpSync(join(root, "test", "fixtures", name, "project"), here.cwd, { recursive: true });
  return here;
}

interface Listed {
  readonly ref: string;
  readonly agent: string;
  readonly kind?: string;
}

test("what holds no conversation is listed as what it is, found by a search and handed over", () => {
  const here = busyMachine();
  const listed = (...args: readonly string[]): readonly Listed[] =>
    here.json("list", ...args)["sessions"] as readonly Listed[];
  const agentsOf = (kind: string): readonly string[] => [
    ...new Set(listed("--kind", kind).map(({ agent }) => agent)),
  ];
  expect(agentsOf("memory")).toEqual(["cursor"]);
  expect([...agentsOf("notes")].sort()).toEqual(["claude-sessions", "continuous-claude", "cursor"]);
  expect([...agentsOf("state")].sort()).toEqual(["aios", "langgraph", "synapse"]);
  expect([...agentsOf("conversation")].sort()).toEqual([
    "amp",
    "copilot-cli",
    "cursor",
    "langgraph",
    "qwen-code",
  ]);
  const found = (words: string): readonly string[] => {
    const { sessions } = here.json("search", words) as { sessions: readonly Listed[] };
    return sessions.map(({ ref }) => ref);
  };
  expect(found("listens in every environment")).toContain("cursor:memories");
  expect(found("refactor the auth module").join()).toContain("synapse:");
  expect(found("story_development").join()).toContain("aios:");
  expect(here.run("handoff", "cursor:memories").stdout).toContain("port 9090");
  expect(here.run("handoff", "claude-sessions:2026-01-05-1015-port-change").status).toBe(0);
});

test("what they edited and the tokens they took are known", () => {
  const here = busyMachine();
  const files = (ref: string): string => here.run("files", ref).stdout;
  expect(files("cursor:8a000000-0000-4000-8000-000000000001")).toMatch(/config\.ts\s+modified/);
  expect(files("amp:T-01a1e083-8f05-704b-be18-7907d2dc8013")).toMatch(/config\.ts\s+modified/);
  const { groups } = here.json("stats", "--by", "agent") as {
    groups: readonly { readonly key: string; readonly tokens: { readonly output: number } }[];
  };
  const counted = groups.filter(({ tokens }) => tokens.output > 0).map(({ key }) => key);
  expect(counted.sort()).toEqual(["amp", "copilot-cli", "cursor", "qwen-code"]);
});

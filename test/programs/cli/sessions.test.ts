import { expect, test } from "vitest";
import { findSessions, type SessionFilter } from "../../../src/agents/find-sessions.ts";
import { environment, scriptedAgent } from "./scripted-agent.ts";

const claude = scriptedAgent("claude-code", [
  {
    head: {
      session: "a",
      cwd: "/p/api",
      model: "opus",
      git: { branch: "main" },
      createdAt: "2026-11-01T12:00:00Z",
      updatedAt: "2026-11-03T00:00:00Z",
    },
  },
  {
    head: {
      session: "b",
      cwd: "/p/web",
      state: "interrupted",
      tags: ["x"],
      updatedAt: "2026-11-02T00:00:00Z",
    },
  },
  { head: { session: "c", cwd: "/p/api", relation: { kind: "subagent", session: "a" } } },
]);
const codex = scriptedAgent("codex", [
  { head: { session: "d", cwd: "/p/api", author: "Ann", updatedAt: "2026-11-04T00:00:00Z" } },
  { head: { session: "e", updatedAt: "2026-11-01T00:00:00Z" } },
]);
const search = { agents: [claude, codex], env: environment() };

const at = (day: number): number => Date.UTC(2026, 10, day);

test.each<[SessionFilter, string]>([
  [{}, "d a b e"],
  [{ subagents: true }, "c d a b e"],
  [{ agent: "codex" }, "d e"],
  [{ project: "API" }, "d a"],
  [{ project: "/p/w" }, "b"],
  [{ here: "/p/api" }, "d a"],
  [{ here: "/elsewhere" }, ""],
  [{ sinceMs: at(3) }, "d a"],
  [{ untilMs: at(2) }, "a b e"],
  [{ sinceMs: at(2) + 1, untilMs: at(2) + 2 }, "a"],
  [{ sinceMs: at(2), untilMs: at(3) }, "a b"],
  [{ branch: "main" }, "a"],
  [{ branch: "mai" }, ""],
  [{ model: "OP" }, "a"],
  [{ author: "ann" }, "d"],
  [{ state: "interrupted" }, "b"],
  [{ tag: "x" }, "b"],
  [{ tag: "x", agent: "codex" }, ""],
])("the filter %j keeps %j", (filter, kept) => {
  const sessions = findSessions(search, filter).map(({ head }) => head.session);
  expect(sessions.join(" ")).toBe(kept);
});

test("an agent that keeps its sessions in projects is asked about all known ones", () => {
  const asked: (readonly string[])[] = [];
  const aider = scriptedAgent("aider", [{ head: { session: "z", cwd: "/p/api" } }]);
  const watched: typeof aider = {
    ...aider,
    asksProjects: true,
    locate: (env, options) => {
      asked.push(options?.projects ?? []);
      return aider.locate(env);
    },
  };
  const found = findSessions({ agents: [claude, watched], env: environment({ cwd: "/p/here" }) });
  expect(found.map(({ head }) => head.session)).toContain("z");
  expect(asked).toEqual([["/p/here", "/p/api", "/p/web"]]);
});

test("which sessions are of one project does not depend on what else is asked for", () => {
  const project = { name: "api", path: "/p/new", remote: "example.org/api" };
  const moved = scriptedAgent("claude-code", [
    { head: { session: "old", cwd: "/p/before", project, updatedAt: "2026-10-01T00:00:00Z" } },
    { head: { session: "new", cwd: "/p/api", project, updatedAt: "2026-11-01T00:00:00Z" } },
  ]);
  const found = findSessions(
    { agents: [moved], env: environment() },
    { project: "/p/api", untilMs: Date.UTC(2026, 9, 2) },
  );
  expect(found.map(({ head }) => head.session)).toEqual(["old"]);
});

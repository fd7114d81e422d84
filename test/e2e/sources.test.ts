import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { machine, root } from "./program.ts";

const fixtures = join(root, "test", "fixtures");
const checkpoints = join(fixtures, "langgraph", "js-1.0.4", "project", "checkpoints.db");

interface Listed {
  readonly total: number;
  readonly sessions: readonly { readonly ref: string; readonly path: string }[];
}

const refs = (listed: Record<string, unknown>): readonly string[] =>
  (listed as unknown as Listed).sessions.map(({ ref }) => ref).sort();

/** Every file below a folder with its size and time. */
function stateOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name));
      return `${name} ${size} ${mtimeMs}`;
    });
}

test("a database in no fixed place is added, listed, shown, searched and removed", () => {
  const { home, json, run } = machine();
  const place = join(home, "elsewhere");
  mkdirSync(place);
  cpSync(checkpoints, join(place, "my-graph.sqlite3"));
  const before = stateOf(place);
  expect(refs(json("list"))).toEqual([]);
  const added = json("sources", "add", "../elsewhere/my-graph.sqlite3");
  expect(added).toMatchObject({ path: join(place, "my-graph.sqlite3"), entry: expect.any(Number) });
  const threads = refs(json("list"));
  expect(threads.length).toBeGreaterThan(2);
  expect(added["holds"]).toEqual([{ agent: "langgraph", sessions: threads.length }]);
  expect(run("show", threads[0]!).status).toBe(0);
  const found = json("search", "port") as { hits?: readonly unknown[] };
  expect(JSON.stringify(found)).toContain("langgraph:");
  expect(json("sources", "list")).toMatchObject({ sources: [{ exists: true }] });
  expect(json("sources", "remove", join(place, "my-graph.sqlite3"))).toHaveProperty("entry");
  expect(refs(json("list"))).toEqual([]);
  expect(json("sources", "list")).toEqual({ sources: [] });
  // Removing it is undone, then adding it.
  expect(run("undo").status).toBe(0);
  expect(refs(json("list"))).toEqual(threads);
  expect(run("undo").status).toBe(0);
  expect(refs(json("list"))).toEqual([]);
  expect(run("undo").status).toBe(1);
  expect(stateOf(place)).toEqual(before);
});

test("the home of another machine is a source, whatever agents kept there", () => {
  const { home, json, run } = machine();
  const other = join(home, "laptop");
  cpSync(join(fixtures, "claude-code", "2.1.325", "plain"), other, { recursive: true });
  cpSync(join(fixtures, "codex", "0.166.0", "plain"), other, { recursive: true });
  const before = stateOf(other);
  json("sources", "add", other);
  const listed = refs(json("list"));
  expect(new Set(listed.map((ref) => ref.split(":")[0]))).toEqual(
    new Set(["claude-code", "codex"]),
  );
  for (const ref of listed) expect(run("show", ref).status).toBe(0);
  expect(JSON.stringify(json("stats"))).toContain("claude");
  expect(stateOf(other)).toEqual(before);
  // A source that is away costs nothing and comes back by itself.
  rmSync(join(home, "away"), { recursive: true, force: true });
  cpSync(other, join(home, "away"), { recursive: true });
  rmSync(other, { recursive: true });
  expect(json("sources", "list")).toMatchObject({ sources: [{ exists: false, holds: [] }] });
  expect(refs(json("list"))).toEqual([]);
  cpSync(join(home, "away"), other, { recursive: true });
  expect(refs(json("list"))).toEqual(listed);
});

test("a session of another machine is resumed as a copy in the agent's own store", () => {
  const { home, cwd, json, run } = machine();
  const other = join(home, "laptop");
  cpSync(join(fixtures, "claude-code", "2.1.325", "plain"), other, { recursive: true });
  const before = stateOf(other);
  json("sources", "add", other);
  const [ref] = refs(json("list"));
  const resumed = json("resume", ref!, "--cwd", cwd) as { converted: { path: string } };
  expect(resumed.converted.path.startsWith(join(home, ".claude"))).toBe(true);
  const { stdout } = run("resume", ref!);
  expect(stdout).toContain("claude --resume ");
  expect(stdout).not.toContain(ref!.split(":")[1]);
  expect(stateOf(other)).toEqual(before);
});

test("what lies in its own place and in a source as well is listed once", () => {
  const { home, json } = machine();
  cpSync(join(fixtures, "claude-code", "2.1.325", "plain"), home, { recursive: true });
  const listed = refs(json("list"));
  json("sources", "add", home);
  expect(refs(json("list"))).toEqual(listed);
});

test("one session's file is a source", () => {
  const { home, json } = machine();
  const from = join(fixtures, "claude-code", "2.1.325", "plain", ".claude", "projects");
  const name = readdirSync(from, { recursive: true, encoding: "utf8" }).find((one) =>
    one.endsWith(".jsonl"),
  )!;
  cpSync(join(from, name), join(home, "session.jsonl"));
  expect(json("sources", "add", join(home, "session.jsonl"))).toMatchObject({
    holds: [{ agent: "claude-code", sessions: 1 }],
  });
  expect(refs(json("list"))).toHaveLength(1);
});

test("what holds no session, is not there, or is a source already is refused", () => {
  const { home, run, json } = machine();
  writeFileSync(join(home, "notes.txt"), "no session\n");
  const other = run("sources", "add", join(home, "notes.txt"));
  expect(other).toMatchObject({ status: 1, stderr: expect.stringMatching(/No agent's sessions/) });
  expect(run("sources", "add", join(home, "nothing")).status).toBe(3);
  expect(run("sources", "add").status).toBe(2);
  expect(run("sources", "mend").status).toBe(2);
  expect(run("sources", "remove", home).status).toBe(3);
  cpSync(checkpoints, join(home, "a.db"));
  json("sources", "add", join(home, "a.db"));
  expect(run("sources", "add", join(home, "a.db")).status).toBe(4);
});

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";

const id = "3f9a1c2b-0000-4000-8000-000000000001";
const secret = ["ghp", "0123456789abcdefghijABCDEFGHIJ456789"].join("_");

let here: Machine;
const path = (name: string): string => join(here.cwd, name);
const read = (name: string): string => readFileSync(path(name), "utf8");

beforeEach(() => {
  here = machine();
  mkdirSync(path(".git"));
  const tool = (name: string, file_path: string, at: number) => ({
    record: {
      type: "assistant",
      message: {
        id: `msg_t${at}`,
        type: "message",
        role: "assistant",
        model: "claude-opus-5-5",
        content: [
          { type: "tool_use", id: `t${at}`, name, input: { file_path, content: "a\nb\n" } },
        ],
        usage: { input_tokens: 100, output_tokens: 20 },
      },
    },
  });
  const result = (at: number, is_error: boolean) => ({
    record: {
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `t${at}`, content: "done", is_error }],
      },
    },
  });
  putClaudeSession(here, { id }, [
    { user: `Move the API to port 9090. The token is ${secret}.` },
    tool("Write", path("a.ts"), 1),
    result(1, false),
    tool("Write", path("b.ts"), 2),
    result(2, true),
    { user: "And now?", says: "The API listens on 9090." },
  ]);
  writeFileSync(path("a.ts"), "one\n");
});

test("restore --files shows the plan of the files, --yes puts them back and prints the context, undo returns", () => {
  const { number } = here.json("checkpoint", "-m", "before") as { number: number };
  writeFileSync(path("a.ts"), "changed\n");
  writeFileSync(path("new.ts"), "new\n");
  const plan = here.run("session", "restore", "3f9a", "--memory", "--files", "before");
  expect(plan.status).toBe(0);
  expect(plan.stdout).toContain("change  a.ts");
  expect(plan.stdout).not.toContain("9090");
  expect(read("a.ts")).toBe("changed\n");
  const done = here.run(
    "session",
    "restore",
    "3f9a",
    "--memory",
    "--files",
    String(number),
    "--yes",
  );
  expect(done.status).toBe(0);
  expect(done.stdout).toContain("port 9090");
  expect(done.stderr).toContain("`reprise undo --yes` takes this back.");
  expect(read("a.ts")).toBe("one\n");
  expect(existsSync(path("new.ts"))).toBe(false);
  expect(here.run("undo", "--yes").status).toBe(0);
  expect(read("a.ts")).toBe("changed\n");
  expect(read("new.ts")).toBe("new\n");
  const json = here.json("session", "restore", "3f9a", "--files", "before", "--yes");
  expect(json).toMatchObject({
    ref: `claude-code:${id}`,
    done: true,
    files: { checkpoint: number, safety: expect.any(Number) },
  });
  expect(json["text"]).toContain("port 9090");
});

test("restore --files refuses what is not a checkpoint, and one of another folder", () => {
  expect(here.run("session", "restore", "3f9a", "--files", "nothing", "--yes").status).toBe(3);
  const elsewhere = join(here.home, "elsewhere");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "x"), "x");
  const made = here.runWith({ cwd: elsewhere }, "checkpoint", "--json");
  const { number } = JSON.parse(made.stdout) as { number: number };
  const refused = here.run("session", "restore", "3f9a", "--files", String(number), "--yes");
  expect(refused.status).toBe(4);
  expect(refused.stderr).toContain("the session ran in");
});

test("end --summary without a text takes the built-in summary, remembers it and writes what the session took", () => {
  writeFileSync(path("own.json"), '{"tests": 214}');
  const args = [
    "--summary",
    "--metrics",
    "own.json",
    "--export-metrics",
    "run.json",
    "--save-memory",
  ];
  const ended = here.json("session", "end", ...args);
  expect(ended["exportedMetrics"]).toBe(path("run.json"));
  const metrics = JSON.parse(read("run.json"));
  expect(metrics).toMatchObject({
    ref: `claude-code:${id}`,
    turns: 2,
    messages: 3,
    toolCalls: 2,
    tools: { Write: 2 },
    errors: 1,
    tokens: { input: 210, output: 45, total: 255 },
    costUsd: expect.any(Number),
    durationMs: 6000,
    models: ["claude-opus-5-5"],
    files: [{ path: path("a.ts"), action: "created", added: 2, removed: 0 }],
    given: { tests: 214 },
  });
  expect(read("run.json")).not.toContain(secret);
  const [entry] = here.json("memory", "list")["entries"] as { value: string; provenance: string }[];
  expect(entry).toMatchObject({ provenance: "assistant" });
  expect(entry!.value).toContain("9090");
  expect(entry!.value).not.toContain(secret);
  expect(readFileSync(String(ended["ledger"]), "utf8")).toContain("9090");
});

test("a file of metrics that is there is kept, and the session is not ended then", () => {
  const { session, file } = here.json("new", "--title", "Ours");
  writeFileSync(path("run.json"), "mine");
  const args = ["session", "end", "--session", String(session), "--export-metrics", "run.json"];
  const kept = here.run(...args, "--summary", "Done");
  expect(kept.status).toBe(4);
  expect(kept.stderr).toContain("--yes");
  expect(read("run.json")).toBe("mine");
  expect(readFileSync(String(file), "utf8")).not.toContain("session_end");
  // A script whose variable is empty hears of it.
  expect(here.run(...args.with(-1, ""), "--summary", "Done").status).toBe(2);
  expect(readFileSync(String(file), "utf8")).not.toContain("session_end");
  expect(here.run(...args, "--summary", "Done", "--yes").status).toBe(0);
  expect(JSON.parse(read("run.json"))).toMatchObject({ turns: 0 });
  expect(readFileSync(String(file), "utf8")).toContain('"summary":"Done"');
});

test("edit remembers a file with its hash and a note under a key, and is stale once the file changes", () => {
  const made = here.json(
    "session",
    "edit",
    "a.ts",
    "moved",
    "the",
    "port",
    "--memory-key",
    "port file",
  );
  expect(made).toMatchObject({ key: "port file", file: path("a.ts"), note: "moved the port" });
  expect(here.run("memory", "get", "port file").stdout).toContain("moved the port");
  writeFileSync(path("a.ts"), "other\n");
  expect(here.run("memory", "list").stdout).toContain("stale");
  expect(here.run("session", "edit", "a.ts").status).toBe(2);
  expect(here.run("session", "edit", "gone.ts", "--memory-key", "k").status).toBe(3);
});

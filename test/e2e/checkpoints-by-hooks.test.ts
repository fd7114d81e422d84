import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { captureBase } from "../../src/bridge/checkpoint/base.ts";
import { allCheckpoints, type Checkpoint } from "../../src/snapshot/checkpoint.ts";
import { missedCheckpoints } from "../../src/snapshot/missed-checkpoint.ts";
import { isIncomplete } from "../../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../../src/snapshot/snapshot-store.ts";
import { readFileAt } from "../../src/snapshot/tree-paths.ts";
import { WorkingTree } from "../../src/snapshot/working-tree.ts";
import { homeAt } from "../../src/store/home.ts";
import { type Machine, machine, root } from "./program.ts";

const session = "5a3e1c0f-0000-4000-8000-000000000000";

/** A machine whose hooks have the time they need, however busy it is. */
function patientMachine(): Machine {
  const here = machine();
  patience(here, { promptCheckpointMs: 60_000, toolCheckpointMs: 60_000 });
  return here;
}

function patience(here: Machine, settings: object): void {
  const path = join(here.home, ".reprise", "bridge", "settings.json");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(settings));
}

function hook(here: Machine, payload: object, agent = "claude-code"): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, "dist", "bin", "reprise-hook.cjs"), agent],
    {
      env: { ...here.env, REPRISE_NO_DRAIN: "1" },
      input: JSON.stringify({ session_id: session, cwd: here.cwd, ...payload }),
      encoding: "utf8",
    },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
}

const homeIn = (here: Machine) => homeAt(join(here.home, ".reprise"));
const taken = (here: Machine): readonly Checkpoint[] => allCheckpoints(homeIn(here));

function prompt(here: Machine): void {
  hook(here, { hook_event_name: "UserPromptSubmit", prompt: "go on" });
}

function beforeTool(here: Machine, tool: string, input: object, call = "toolu_1"): void {
  hook(here, {
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: input,
    tool_use_id: call,
  });
}

function fileAt(here: Machine, checkpoint: Checkpoint, path: string): string | undefined {
  return readFileAt(new SnapshotStore(homeIn(here)), checkpoint.tree, path)?.toString();
}

describe("hooks take checkpoints by themselves", () => {
  test("at each prompt, bound to the session", () => {
    const here = patientMachine();
    writeFileSync(join(here.cwd, "a.txt"), "one\n");
    prompt(here);
    writeFileSync(join(here.cwd, "a.txt"), "two\n");
    prompt(here);
    const [first, second] = taken(here);
    expect(first).toMatchObject({ reason: "prompt", agent: "claude-code", session });
    expect(fileAt(here, first!, "a.txt")).toBe("one\n");
    expect(fileAt(here, second!, "a.txt")).toBe("two\n");
    expect(second).toMatchObject({ modified: 1 });
    expect(isIncomplete(second!)).toBe(false);
  });

  test("before an edit, of the file it names; not where a checkpoint has it already", () => {
    const here = patientMachine();
    const path = join(here.cwd, "a.txt");
    writeFileSync(path, "one\n");
    prompt(here);
    beforeTool(here, "Edit", { file_path: path });
    expect(taken(here)).toHaveLength(1);
    writeFileSync(path, "by hand\n");
    beforeTool(here, "Edit", { file_path: path }, "toolu_2");
    const last = taken(here).at(-1)!;
    expect(last).toMatchObject({ reason: "tool", call: "toolu_2", partial: true });
    expect(fileAt(here, last, "a.txt")).toBe("by hand\n");
    beforeTool(here, "Edit", { file_path: "/etc/hostname" }, "toolu_3");
    beforeTool(here, "Read", { file_path: path }, "toolu_4");
    expect(taken(here)).toHaveLength(2);
  });

  test("before a command, of everything, also where the agent went into another folder", () => {
    const here = patientMachine();
    mkdirSync(join(here.cwd, "src"));
    writeFileSync(join(here.cwd, "src", "a.txt"), "one\n");
    prompt(here);
    writeFileSync(join(here.cwd, "b.txt"), "new\n");
    hook(here, {
      hook_event_name: "PreToolUse",
      cwd: join(here.cwd, "src"),
      tool_name: "Bash",
      tool_input: { command: "rm -rf ." },
      tool_use_id: "toolu_1",
    });
    const last = taken(here).at(-1)!;
    expect(last).toMatchObject({ reason: "tool", folder: here.cwd, call: "toolu_1" });
    rmSync(join(here.cwd, "src"), { recursive: true });
    expect(fileAt(here, last, "src/a.txt")).toBe("one\n");
    expect(fileAt(here, last, "b.txt")).toBe("new\n");
  });

  test("says what it had no time for, and does not wait for another process", () => {
    const here = machine();
    for (let at = 0; at < 400; at += 1) {
      mkdirSync(join(here.cwd, `folder-${at}`));
      writeFileSync(join(here.cwd, `folder-${at}`, "a.txt"), `${at}\n`);
    }
    patience(here, { promptCheckpointMs: 1 });
    prompt(here);
    expect(taken(here)[0]!.missed).toBeGreaterThan(0);
    patience(here, { promptCheckpointMs: 60_000 });
    const tree = WorkingTree.open(here.cwd, { home: homeIn(here), userHome: here.home });
    tree.hold(() => prompt(here));
    tree.close();
    expect(taken(here)).toHaveLength(1);
    expect(missedCheckpoints(homeIn(here))).toMatchObject([
      { session, folder: here.cwd, why: "another process was taking a checkpoint of this folder" },
    ]);
    const base = captureBase(here.cwd, { home: homeIn(here), userHome: here.home });
    expect(base).toMatchObject({ reason: "base", files: 400, missed: 0 });
    prompt(here);
    expect(isIncomplete(taken(here).at(-1)!)).toBe(false);
  });

  test("where the disk budget has no room none is taken, and the journal says so", () => {
    const here = patientMachine();
    mkdirSync(join(here.home, ".reprise", "snapshots"), { recursive: true });
    const settings = join(here.home, ".reprise", "snapshots", "settings.json");
    writeFileSync(settings, '{"budgetBytes": 2000}');
    writeFileSync(join(here.cwd, "a.txt"), "x".repeat(5_000));
    prompt(here);
    expect(taken(here)).toEqual([]);
    const [missed] = missedCheckpoints(homeIn(here));
    expect(missed).toMatchObject({ session, why: expect.stringContaining("disk budget") });
  });

  test("nothing where one setting says so, in the user's home, or where no folder is told", () => {
    const here = machine();
    const settings = join(here.home, ".reprise", "bridge", "settings.json");
    hook(here, { hook_event_name: "UserPromptSubmit", prompt: "x", cwd: here.home });
    hook(here, { hook_event_name: "UserPromptSubmit", prompt: "x", cwd: undefined });
    hook(here, { hook_event_name: "UserPromptSubmit", prompt: "x", cwd: join(here.cwd, "gone") });
    mkdirSync(join(settings, ".."), { recursive: true });
    writeFileSync(settings, '{"checkpoints": false}');
    prompt(here);
    beforeTool(here, "Bash", { command: "true" });
    expect(taken(here)).toEqual([]);
  });

  test.each([
    ["codex", "PreToolUse", "Bash", { command: "rm -rf src" }],
    [
      "codex",
      "PreToolUse",
      "apply_patch",
      { command: "*** Begin Patch\n*** Update File: a.txt\n" },
    ],
    ["gemini-cli", "BeforeTool", "run_shell_command", { command: "rm -rf src" }],
    ["gemini-cli", "BeforeTool", "replace", { file_path: "a.txt" }],
    ["opencode", "tool.execute.before", "bash", { command: "rm -rf src" }],
    ["opencode", "tool.execute.before", "edit", { filePath: "a.txt" }],
  ])("before the tools of %s: %s %s", (agent, event, tool, input) => {
    const here = patientMachine();
    writeFileSync(join(here.cwd, "a.txt"), "one\n");
    hook(
      here,
      { hook_event_name: event, tool_name: tool, tool_input: input, tool_use_id: "c" },
      agent,
    );
    const [first] = taken(here);
    expect(first).toMatchObject({ reason: "tool", agent, session, call: "c" });
    expect(fileAt(here, first!, "a.txt")).toBe("one\n");
  });

  test("a session's start has its folder captured by a process of its own", async () => {
    const here = patientMachine();
    writeFileSync(join(here.cwd, "a.txt"), "one\n");
    expect(
      here.json("drain", "--base", here.cwd, "--session", `claude-code:${session}`),
    ).toMatchObject({
      base: expect.any(Number),
    });
    expect(taken(here)).toMatchObject([{ reason: "base", agent: "claude-code", session }]);
    // Unchanged, it is not recorded again.
    here.json("drain", "--base", here.cwd, "--base-only");
    expect(taken(here)).toHaveLength(1);
  });

  test("installed hooks name the events before tools, and status the ones that are missing", () => {
    const here = patientMachine();
    here.run("hooks", "install", "claude-code", "codex", "gemini-cli", "opencode", "--yes");
    const read = (...names: string[]): string => readFileSync(join(here.home, ...names), "utf8");
    expect(read(".claude", "settings.json")).toContain("Write|Edit|MultiEdit|NotebookEdit|Bash");
    expect(read(".codex", "hooks.json")).toContain("PreToolUse");
    expect(read(".gemini", "settings.json")).toContain("BeforeTool");
    const plugin = join(here.home, ".config", "opencode", "plugin", "reprise.js");
    expect(readFileSync(plugin, "utf8")).toContain("tool.execute.before");
    writeFileSync(plugin, readFileSync(plugin, "utf8").replace(/"tool\.execute\.before"/, '"x"'));
    const claude = JSON.parse(read(".claude", "settings.json"));
    delete claude.hooks.PreToolUse;
    writeFileSync(join(here.home, ".claude", "settings.json"), JSON.stringify(claude));
    const status = here.run("hooks", "status").stdout;
    expect(status).toContain("missing: PreToolUse; install again");
    expect(status).toContain("an older version installed this; install again");
  });
});

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type Checkpoint,
  type CheckpointAbout,
  recordCheckpoint,
} from "../../src/snapshot/checkpoint.ts";
import { WorkingTree } from "../../src/snapshot/working-tree.ts";
import { type Home, homeAt } from "../../src/store/home.ts";
import { putClaudeSession, putFixture, type Turn } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";

interface Shown {
  readonly commands: readonly object[];
  readonly files: readonly {
    readonly path: string;
    readonly action: string;
    readonly added: number;
    readonly removed: number;
    readonly by: readonly { readonly kind: string; readonly ref?: string }[];
    readonly hunks: readonly { readonly by: readonly { readonly ref?: string }[] }[];
  }[];
}

const id = "5a3e1c0f-0000-4000-8000-000000000000";

function call(name: string, input: object, key: string): Turn {
  const content = [{ type: "tool_use", id: key, name, input }];
  return { record: { type: "assistant", message: { id: key, role: "assistant", content } } };
}

function result(key: string, toolUseResult: object): Turn {
  const content = [{ type: "tool_result", tool_use_id: key, content: "ok" }];
  return { record: { type: "user", message: { role: "user", content }, toolUseResult } };
}

function editing(here: Machine): string {
  const path = join(here.cwd, "a.txt");
  const originalFile = "one\ntwo\nthree\n";
  putClaudeSession(here, { id }, [
    { user: "change two" },
    call("Edit", { file_path: path, old_string: "two", new_string: "TWO" }, "toolu_1"),
    result("toolu_1", { filePath: path, oldString: "two", newString: "TWO", originalFile }),
    { user: "now three" },
    call("Edit", { file_path: path, old_string: "three", new_string: "THREE" }, "toolu_2"),
    result("toolu_2", {
      filePath: path,
      oldString: "three",
      newString: "THREE",
      originalFile: "one\nTWO\nthree\n",
    }),
    { user: "thanks", says: "done" },
  ]);
  return path;
}

describe("reprise diff", () => {
  test("of a session is a patch that git applies, each place with the call that made it", () => {
    const here = machine();
    const path = editing(here);
    writeFileSync(path, "one\ntwo\nthree\n");
    const patch = here.run("diff", id).stdout;
    expect(patch).toContain(`@@ claude-code:${id.slice(0, 8)}@2 Edit`);
    expect(here.run("show", `${id.slice(0, 8)}@2`).status).toBe(0);
    execFileSync("git", ["apply", "-"], { cwd: here.cwd, input: patch });
    expect(readFileSync(path, "utf8")).toBe("one\nTWO\nTHREE\n");
  });

  test("between two events has what the calls between them did, forward and backward", () => {
    const here = machine();
    editing(here);
    const forward = here.json("diff", `${id}@3`, `${id}@7`) as unknown as Shown;
    expect(forward.files[0]?.hunks[0]?.by).toMatchObject([{ ref: `claude-code:${id}@5` }]);
    expect(forward.files[0]).toMatchObject({ path: "a.txt", added: 1, removed: 1 });
    const backward = here.run("diff", `${id}@7`, `${id}@3`).stdout;
    expect(backward).toContain("-THREE\n+three");
    expect(here.run("diff", `${id}@7`, `${id}@8`).stdout).toBe("Nothing differs.\n");
  });

  test("from a call itself on has what that call did, and names it", () => {
    const here = machine();
    editing(here);
    for (const [from, to] of [
      [2, 3],
      [5, 6],
    ]) {
      const { files } = here.json("diff", `${id}@${from}`, `${id}@${to}`) as unknown as Shown;
      expect(files[0]?.hunks[0]?.by).toMatchObject([{ ref: `claude-code:${id}@${from}` }]);
    }
  });

  test("to now names what was changed outside of any session", () => {
    const here = machine();
    const path = editing(here);
    writeFileSync(path, "one\nTWO\nTHREE\nby hand\n");
    const late = new Date(Date.now() + 60_000);
    utimesSync(path, late, late);
    const shown = here.json("diff", id, "now") as unknown as Shown;
    expect(shown.files).toMatchObject([{ path: "a.txt", added: 1, by: [{ kind: "outside" }] }]);
    expect(here.run("diff", id, "now", "--word").stdout).toContain("+by hand");
  });

  test("a place that several made names each of them", () => {
    const here = machine();
    const path = editing(here);
    writeFileSync(path, "one\nTWO\nTHREE\nby hand\n");
    const shown = here.json("diff", id) as unknown as { files: { hunks: { by: unknown[] }[] }[] };
    expect(shown.files[0]!.hunks[0]!.by).toHaveLength(2);
    expect(here.run("diff", id).stdout).toMatch(/^@@ .+ @@ claude-code:.+@\d+ \w+, @\d+ \w+$/m);
  });

  test("marks words, and sums up by file", () => {
    const here = machine();
    putFixture(here, "claude-code/2.1.325/tools");
    expect(here.run("diff", "df8f3785", "--word").stdout).toContain("return a [---]{+++} b;");
    const stat = here.run("diff", "df8f3785", "--stat").stdout;
    expect(stat).toMatch(/^src\/util\.js +\+1 -1 /m);
    expect(stat).toContain("2 files, +3 -1");
  });

  test("names the commands that may have changed files unseen, and stays a patch", () => {
    const here = machine();
    const path = join(here.cwd, "a.txt");
    const script = `python3 -c "open('a.txt', 'w').write('new')"`;
    putClaudeSession(here, { id }, [
      { user: "change two" },
      call("Edit", { file_path: path, old_string: "two", new_string: "TWO" }, "toolu_1"),
      result("toolu_1", { filePath: path, originalFile: "one\ntwo\n" }),
      call("Bash", { command: "cat a.txt" }, "toolu_2"),
      result("toolu_2", { stdout: "" }),
      call("Bash", { command: script }, "toolu_3"),
      result("toolu_3", { stdout: "" }),
      call("Bash", { command: "cat > b.txt <<'EOF'\nb\nEOF" }, "toolu_4"),
      result("toolu_4", { stdout: "" }),
    ]);
    const [ref, event] = [`claude-code:${id.slice(0, 8)}`, "6"];
    const told = "Commands may have changed files too; their changes are not shown:\n";
    const patch = here.run("diff", id).stdout;
    expect(patch).toContain(`# ${told}#   ${ref}@${event} ${script}\n`);
    writeFileSync(path, "one\ntwo\n");
    execFileSync("git", ["apply", "-"], { cwd: here.cwd, input: patch });
    expect(readFileSync(path, "utf8")).toBe("one\nTWO\n");
    expect(here.run("diff", id, "--stat").stdout).toMatch(
      new RegExp(`${ref}@${event} python3.*\n$`),
    );
    expect(here.run("files", id).stdout).toContain(`${told}  @${event} ${script}\n`);
    const commands = [{ command: script, paths: ["a.txt"] }];
    expect(here.json("diff", id)).toMatchObject({
      commands: [{ ref: `claude-code:${id}@${event}`, ...commands[0] }],
    });
    expect(here.json("files", id)).toMatchObject({ commands: [{ event, ...commands[0] }] });
    expect(here.run("diff", `${id}@${event}`, `${id}@7`).stdout).toContain(
      "No edit changed a file.",
    );
    expect(here.run("diff", `${id}@2`, `${id}@3`).stdout).not.toContain("Commands");
  });

  test("of paths behind -- shows only these, and the commands that name them", () => {
    const here = machine();
    mkdirSync(join(here.cwd, "src"));
    const edit = (name: string, key: string): readonly Turn[] => {
      const path = join(here.cwd, name);
      return [
        call("Edit", { file_path: path, old_string: "one", new_string: "two" }, key),
        result(key, { filePath: path, originalFile: "one\n" }),
      ];
    };
    putClaudeSession(here, { id }, [
      { user: "go" },
      ...edit("a.txt", "toolu_1"),
      ...edit("src/b.txt", "toolu_2"),
      call("Bash", { command: "sed -i s/two/three/ a.txt" }, "toolu_3"),
      result("toolu_3", { stdout: "" }),
    ]);
    const shown = (...paths: readonly string[]): readonly [readonly string[], number] => {
      const { stdout } = here.run("diff", id, "--json", "--", ...paths);
      const { files, commands } = JSON.parse(stdout) as Shown;
      return [files.map(({ path }) => path), commands.length];
    };
    expect(shown("src")).toEqual([["src/b.txt"], 0]);
    expect(shown("a.txt")).toEqual([["a.txt"], 1]);
    expect(shown(".")).toEqual([["a.txt", "src/b.txt"], 1]);
    // In another folder the paths are those that are printed.
    const words = ["diff", id, "--stat", "--", "src/b.txt"];
    const { stdout } = here.runWith({ cwd: here.home }, ...words);
    expect(stdout).toContain("1 file, ");
  });

  test("of a session whose files nobody told shows the calls' own words", () => {
    const here = machine();
    putFixture(here, "codex/0.166.0/tools");
    mkdirSync(join(here.home, "x"));
    const text = here.run("diff", "codex:01a1e08b-c80d").stdout;
    expect(text).toMatch(/^@@ codex:01a1e08b-c80d@\d+ \w+$/m);
    expect(text).not.toContain("01a1e08b-c80d-");
    expect(text.match(/^# @@ without line numbers: /gm)).toHaveLength(1);
    expect(text.trimEnd()).toMatch(/\n# @@ without line numbers: .*$/);
    expect(text).toContain("-  return a - b;\n+  return a + b;");
  });
});

describe("reprise diff of checkpoints", () => {
  const homeIn = (here: Machine): Home => homeAt(join(here.home, ".reprise"));

  function checkpoint(here: Machine, about: CheckpointAbout): Checkpoint {
    const tree = WorkingTree.open(here.cwd, { home: homeIn(here), userHome: here.home });
    try {
      // Long enough ago for a session to have run since.
      const at = new Date(Date.now() - 10 * 60_000).toISOString();
      return tree.hold(() => recordCheckpoint(homeIn(here), { ...tree.capture(), at }, about));
    } finally {
      tree.close();
    }
  }

  test("tells the agent's edits, its commands and changes from outside apart", () => {
    const here = machine();
    const at = (name: string): string => join(here.cwd, name);
    writeFileSync(at("a.txt"), "one\ntwo\nthree\n");
    writeFileSync(at("by-shell.txt"), "old\n");
    const first = checkpoint(here, { reason: "asked", label: "start" });
    putClaudeSession(here, { id, ageMinutes: 5 }, [
      { user: "change two" },
      call("Edit", { file_path: at("a.txt"), old_string: "two", new_string: "TWO" }, "toolu_1"),
      result("toolu_1", { filePath: at("a.txt"), oldString: "two", newString: "TWO" }),
    ]);
    writeFileSync(at("a.txt"), "one\nTWO\nthree\nby hand\n");
    writeFileSync(at("new.bin"), Buffer.from([0, 1, 2]));
    const later = new Date(Date.now() - 60_000);
    for (const name of ["a.txt", "new.bin"]) utimesSync(at(name), later, later);
    const shown = here.json("diff", "start") as unknown as Shown;
    expect(shown.files.map(({ path, action }) => [path, action])).toEqual([
      ["a.txt", "modified"],
      ["new.bin", "created"],
    ]);
    expect(shown.files[0]?.by).toMatchObject([
      { kind: "edit", ref: `claude-code:${id}@2` },
      { kind: "outside" },
    ]);
    expect(shown.files[1]?.by).toEqual([{ kind: "outside" }]);
    // By number as well, and the tree shows it.
    expect(here.run("diff", String(first.number), "now", "--stat").stdout).toContain("2 files");
  });

  test("between two of them tells who changed a file: an edit, the shell, or somebody outside", () => {
    const here = machine();
    const at = (name: string): string => join(here.cwd, name);
    for (const name of ["edited.txt", "shell.txt", "outside.txt"]) writeFileSync(at(name), "one\n");
    const began = Date.now() - 5 * 60_000;
    const tree = WorkingTree.open(here.cwd, { home: homeIn(here), userHome: here.home });
    const taken = (atMs: number, about: CheckpointAbout): Checkpoint =>
      tree.hold(() => {
        const snapshot = { ...tree.capture(), at: new Date(atMs).toISOString() };
        return recordCheckpoint(homeIn(here), snapshot, about);
      });
    taken(began, { reason: "prompt", label: "first" });
    writeFileSync(at("outside.txt"), "by hand\n");
    // Taken by the hook before the command ran; its call was written down a moment earlier.
    taken(began + 2_500, { reason: "tool", agent: "claude-code", session: id, call: "toolu_1" });
    writeFileSync(at("shell.txt"), "by the shell\n");
    writeFileSync(at("edited.txt"), "two\n");
    taken(began + 60_000, { reason: "prompt", label: "second" });
    tree.close();
    putClaudeSession(here, { id, ageMinutes: 5 }, [
      { user: "go" },
      call("Bash", { command: "make" }, "toolu_1"),
      result("toolu_1", { stdout: "" }),
      call(
        "Edit",
        { file_path: at("edited.txt"), old_string: "one", new_string: "two" },
        "toolu_2",
      ),
      result("toolu_2", { filePath: at("edited.txt"), oldString: "one", newString: "two" }),
    ]);
    const { files } = here.json("diff", "first", "second") as unknown as Shown;
    expect(files.map(({ path, by }) => [path, by.map(({ kind }) => kind)])).toEqual([
      ["edited.txt", ["edit"]],
      ["outside.txt", ["outside"]],
      ["shell.txt", ["shell"]],
    ]);
    // Nothing from outside is reverted without being named.
    const plan = here.run("rewind", "first", "--files");
    expect(plan.status).toBe(0);
    expect(plan.stdout).toMatch(/outside\.txt.*outside of any session/);
    expect(plan.stdout).not.toMatch(/shell\.txt.*outside/);
  });

  test("a command that ran between two of them is named for what no edit made", () => {
    const here = machine();
    const file = join(here.cwd, "a.txt");
    writeFileSync(file, "one\n");
    checkpoint(here, { reason: "asked", label: "first" });
    writeFileSync(file, "two\n");
    putClaudeSession(here, { id, ageMinutes: 5 }, [
      { user: "go" },
      call("Bash", { command: "sed -i s/one/two/ a.txt" }, "toolu_1"),
      result("toolu_1", { stdout: "" }),
    ]);
    const ran = new Date(Date.now() - 5 * 60_000 + 2_500);
    utimesSync(file, ran, ran);
    const shown = here.json("diff", "first", "now") as unknown as Shown;
    expect(shown.files).toMatchObject([
      { path: "a.txt", by: [{ kind: "shell", ref: `claude-code:${id}@2` }] },
    ]);
  });

  test("are marks in the tree of the session they were taken in", () => {
    const here = machine();
    editing(here);
    const { number } = checkpoint(here, {
      reason: "prompt",
      agent: "claude-code",
      session: id,
      event: "4",
    });
    const tree = here.json("tree", id) as { sessions: { marks: object[] }[] };
    expect(tree.sessions[0]?.marks).toMatchObject([
      { kind: "checkpoint", event: "4", checkpoint: number },
    ]);
    expect(here.run("tree", id).stdout).toContain(`checkpoint ${number}`);
  });
});

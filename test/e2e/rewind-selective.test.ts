import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type CheckpointAbout, recordCheckpoint } from "../../src/snapshot/checkpoint.ts";
import { WorkingTree } from "../../src/snapshot/working-tree.ts";
import { homeAt } from "../../src/store/home.ts";
import { putClaudeSession, type Turn } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";
import { openTerminal } from "./terminal.ts";

const id = "5a3e1c0f-0000-4000-8000-000000000000";

let here: Machine;
beforeEach(() => {
  here = machine();
});

const path = (name: string): string => join(here.cwd, name);
const read = (name: string): string => readFileSync(path(name), "utf8");

function call(name: string, input: object, key: string): Turn {
  const content = [{ type: "tool_use", id: key, name, input }];
  return { record: { type: "assistant", message: { id: key, role: "assistant", content } } };
}

function result(key: string, toolUseResult: object): Turn {
  const content = [{ type: "tool_result", tool_use_id: key, content: "ok" }];
  return { record: { type: "user", message: { role: "user", content }, toolUseResult } };
}

const start = "one\ntwo\n3\n4\n5\n6\n7\n8\nnine\n";

/** A session that changed `two` in its call 2, and `nine` in its call 5. */
function twoEdits(): void {
  const file = path("a.txt");
  const edit = (before: string, after: string, key: string, originalFile: string): Turn[] => [
    call("Edit", { file_path: file, old_string: before, new_string: after }, key),
    result(key, { filePath: file, oldString: before, newString: after, originalFile }),
  ];
  putClaudeSession(here, { id }, [
    { user: "change two" },
    ...edit("two", "TWO", "toolu_1", start),
    { user: "now nine" },
    ...edit("nine", "NINE", "toolu_2", start.replace("two", "TWO")),
    { user: "thanks", says: "done" },
  ]);
  writeFileSync(file, start.replace("two", "TWO").replace("nine", "NINE"));
}

function checkpoint(about: CheckpointAbout): string {
  const home = homeAt(join(here.home, ".reprise"));
  const tree = WorkingTree.open(here.cwd, { home, userHome: here.home });
  try {
    return String(tree.hold(() => recordCheckpoint(home, tree.capture(), about)).number);
  } finally {
    tree.close();
  }
}

describe("rewind --call takes back what one call did, and no more", () => {
  test("of an edit, with what later calls and the user did since merged", () => {
    twoEdits();
    writeFileSync(path("a.txt"), read("a.txt").replace("5\n", "5\nby hand\n"));
    const plan = here.run("rewind", id, "--call", "2");
    expect(plan.status).toBe(0);
    expect(plan.stdout).toContain("change  a.txt");
    expect(here.run("rewind", id, "--call", "2", "--yes").stderr).toContain("without call 2");
    expect(read("a.txt")).toBe("one\ntwo\n3\n4\n5\nby hand\n6\n7\n8\nNINE\n");
    expect(here.run("undo", "--yes").status).toBe(0);
    expect(read("a.txt")).toContain("TWO");
  });

  test("where the user changed the same lines, both stand in the file between marks, and it is named", () => {
    twoEdits();
    writeFileSync(path("a.txt"), read("a.txt").replace("TWO", "TWO and a half"));
    const done = here.json("rewind", id, "--call", "2", "--yes") as { files: object };
    expect(done.files).toMatchObject({ conflicts: ["a.txt"] });
    expect(read("a.txt")).toContain(
      "<<<<<<< now\nTWO and a half\n=======\ntwo\n>>>>>>> before the call\n",
    );
  });

  test("of a command, by the checkpoints around it", () => {
    writeFileSync(path("keep.txt"), "kept\n");
    mkdirSync(path("src"));
    writeFileSync(path("src/a.txt"), "one\n");
    putClaudeSession(here, { id }, [
      { user: "clean up" },
      call("Bash", { command: "rm -rf src" }, "toolu_1"),
      result("toolu_1", {}),
      { user: "thanks", says: "done" },
    ]);
    checkpoint({ reason: "tool", agent: "claude-code", session: id, call: "toolu_1" });
    rmSync(path("src"), { recursive: true });
    checkpoint({ reason: "prompt", agent: "claude-code", session: id });
    writeFileSync(path("keep.txt"), "by hand\n");
    expect(here.run("rewind", id, "--call", "2", "--yes").status).toBe(0);
    expect(read("src/a.txt")).toBe("one\n");
    expect(read("keep.txt")).toBe("by hand\n");
  });

  test("an event that is not a call is refused", () => {
    twoEdits();
    expect(here.run("rewind", id, "--call", "1").status).toBe(3);
    expect(here.run("rewind", id, "--call", "2", "--both").status).toBe(2);
  });
});

describe("rewind --hunks", () => {
  test("asks for each change on the terminal, and brings back what was chosen", async () => {
    writeFileSync(path("a.txt"), start);
    writeFileSync(path("gone.txt"), "gone\n");
    const number = checkpoint({ reason: "asked" });
    writeFileSync(path("a.txt"), start.replace("one", "ONE").replace("nine", "NINE"));
    rmSync(path("gone.txt"));
    const terminal = openTerminal(["rewind", number, "--hunks", "--yes"], {
      columns: 80,
      rows: 40,
      machine: here,
    });
    await terminal.shows("a.txt 1/2");
    terminal.type("n\r");
    await terminal.shows("a.txt 2/2");
    terminal.type("y\r");
    await terminal.shows("create gone.txt?");
    terminal.type("n\r");
    expect(await terminal.end()).toBe(0);
    expect(read("a.txt")).toBe(start.replace("one", "ONE"));
    expect(existsSync(path("gone.txt"))).toBe(false);
  });

  test("quitting keeps what was chosen before, also in the same file", async () => {
    writeFileSync(path("a.txt"), start);
    writeFileSync(path("b.txt"), "kept\n");
    const number = checkpoint({ reason: "asked" });
    const changed = start.replace("one", "ONE").replace("nine", "NINE");
    writeFileSync(path("a.txt"), changed);
    writeFileSync(path("b.txt"), "changed\n");
    const terminal = openTerminal(["rewind", number, "--hunks", "--yes"], {
      columns: 80,
      rows: 40,
      machine: here,
    });
    await terminal.shows("a.txt 1/2");
    terminal.type("y\r");
    await terminal.shows("a.txt 2/2");
    terminal.type("q\r");
    expect(await terminal.end()).toBe(0);
    expect(read("a.txt")).toBe(changed.replace("ONE", "one"));
    expect(read("b.txt")).toBe("changed\n");
  });

  test("without a choice, a rewind asks on a terminal", async () => {
    twoEdits();
    const number = checkpoint({ reason: "asked", agent: "claude-code", session: id, event: "3" });
    writeFileSync(path("a.txt"), "changed\n");
    const terminal = openTerminal(["rewind", number], { columns: 80, rows: 40, machine: here });
    await terminal.shows("[f]iles, [c]onversation or [b]oth?");
    terminal.type("f\r");
    await terminal.shows("change  a.txt");
    expect(await terminal.end()).toBe(0);
    expect(read("a.txt")).toBe("changed\n");
  });

  test("elsewhere says what to do instead", () => {
    writeFileSync(path("a.txt"), start);
    const number = checkpoint({ reason: "asked" });
    expect(here.run("rewind", number, "--hunks", "--yes").status).toBe(2);
  });
});

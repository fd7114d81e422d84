import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";

const id = "3f9a1c2b-0000-4000-8000-000000000000";
const lines = ["export function add(a, b) {", "  return a + b;", "}", "// by hand afterwards"];

let here: Machine;

/** A call of Claude Code and its answer, as records. */
function called(call: string, name: string, input: object, isError = false): { record: object }[] {
  const use = { type: "tool_use", id: call, name, input };
  const result = { type: "tool_result", tool_use_id: call, content: "ok", is_error: isError };
  const message = { id: `msg_${call}`, type: "message", role: "assistant", model: "m" };
  return [
    { record: { type: "assistant", message: { ...message, content: [use] } } },
    { record: { type: "user", message: { role: "user", content: [result] } } },
  ];
}

beforeAll(() => {
  here = machine();
  mkdirSync(join(here.cwd, "src"));
  const file_path = join(here.cwd, "src/add.js");
  const made = "export function add(a, b) {\n  return a - b;\n}\n";
  putClaudeSession(here, { id }, [
    { user: "write a function that adds" },
    ...called("c1", "Write", { file_path, content: made }),
    { user: "it \u001b[31msubtracts, fix it" },
    ...called("c2", "Read", { file_path }),
    ...called("c3", "Edit", { file_path, old_string: "a - b", new_string: "a + b" }),
    ...called("c4", "Edit", { file_path, old_string: "nowhere", new_string: "x" }, true),
  ]);
  writeFileSync(file_path, `${lines.join("\n")}\n`);
});

describe("blame", () => {
  test("tells ranges with confidence, the event to open and what was asked for", () => {
    const { stdout, status } = here.run("blame", "src/add.js");
    expect(status).toBe(0);
    expect(stdout).toContain("src/add.js  4 lines: 3 exact, 1 unknown");
    expect(stdout).toMatch(
      / {2}1 {2}exact {5}claude-code:3f9a1c2b@2 .*"write a function that adds"/,
    );
    expect(stdout).toMatch(/ {2}2 {2}exact {5}claude-code:3f9a1c2b@7 .*subtracts, fix it"/);
    expect(stdout).toMatch(/ {2}4 {2}unknown {3}- .*no session wrote this line\n/);
    expect(stdout).not.toContain("\u001b");
  });

  test("what it names can be opened", () => {
    const { stdout } = here.run("blame", "src/add.js:2");
    const ref = /claude-code:\S+@7/.exec(stdout)?.[0] ?? "";
    const shown = here.run("show", ref);
    expect(shown.status).toBe(0);
    expect(shown.stdout).toContain("a + b");
  });

  test("one line says which it is of how many, and names the change and the whole prompt", () => {
    const { stdout } = here.run("blame", "src/add.js:2");
    expect(stdout).toContain("src/add.js  line 2 of 4: 1 exact");
    expect(stdout).toContain("`reprise show claude-code:3f9a1c2b@7`");
    const prompt = /whole prompt with `reprise show (\S+)`/.exec(stdout)?.[1] ?? "";
    expect(here.run("show", prompt).stdout).toContain("subtracts, fix it");
  });

  test.each(["add.js", "src/nowhere/../add.js"])(
    "%s that is not here leads to the file of that name that sessions wrote",
    (name) => {
      const elsewhere = join(here.home, "elsewhere");
      mkdirSync(elsewhere, { recursive: true });
      const { status, stderr } = here.runWith({ cwd: elsewhere }, "blame", name);
      expect(status).toBe(3);
      expect(stderr).toContain(`reprise blame ${join(here.cwd, "src/add.js")}`);
    },
  );

  test("a line of a file whose folder is gone is known by what sessions left", () => {
    const there = machine();
    const file_path = join(there.home, "removed", "src", "add.js");
    const cwd = join(there.home, "removed");
    putClaudeSession(there, { id, cwd }, [
      { user: "write a function that adds" },
      ...called("c1", "Write", { file_path, content: lines.join("\n") }),
    ]);
    const { stdout, status } = there.run("blame", `${file_path}:2`);
    expect(status).toBe(0);
    expect(stdout).toContain("is not there now; as sessions left it");
    expect(stdout).toMatch(/ {2}2 {2}\w+ +claude-code:3f9a1c2b@2 .*"write a function that adds"/);
    expect(stdout).toContain("return a + b;");
  });

  test("of a file that is gone the last change is the one to open, of a file that is there that of a line", () => {
    expect(here.run("blame", "src/add.js").stdout).toContain(
      "Open the change of line 1 with `reprise show claude-code:3f9a1c2b@2`",
    );
    const file = join(here.cwd, "src", "add.js");
    renameSync(file, `${file}.away`);
    const { stdout } = here.run("blame", "src/add.js");
    renameSync(`${file}.away`, file);
    expect(stdout).toContain("written last by claude-code:3f9a1c2b@7");
    expect(stdout).toContain("Open the last change with `reprise show claude-code:3f9a1c2b@7`");
  });

  test("a line or a range is shown with its text", () => {
    for (const args of [["src/add.js:2-3"], ["src/add.js", "-L", "2,3"]]) {
      const { stdout } = here.run("blame", ...args);
      expect(stdout).toContain("    2    return a + b;\n");
      expect(stdout).toContain("    3  }\n");
      expect(stdout).not.toContain("by hand");
    }
  });

  test("has a stable JSON shape", () => {
    expect(here.json("blame", "src/add.js")).toMatchObject({
      file: join(here.cwd, "src/add.js"),
      missing: false,
      lines: 4,
      counts: { exact: 3, likely: 0, possible: 0, unknown: 1 },
      ranges: [
        {
          from: 1,
          to: 1,
          confidence: "exact",
          evidence: "replayed",
          edit: { ref: `claude-code:${id}@2`, event: "2", prompt: "write a function that adds" },
        },
        { from: 2, to: 2, confidence: "exact", edit: { event: "7" } },
        { from: 3, to: 3, confidence: "exact", edit: { event: "2" } },
        { from: 4, to: 4, confidence: "unknown" },
      ],
      edits: 3,
      sessionsRead: 1,
    });
  });

  test("explains what cannot be asked", () => {
    const beyond = here.run("blame", "src/add.js:50");
    expect(beyond.status).toBe(2);
    expect(beyond.stderr).toContain("The file has 4 lines.");
    const backwards = here.run("blame", "src/add.js:3-2");
    expect(backwards.status).toBe(2);
    expect(backwards.stderr).toContain("Not a range of lines");
    const nowhere = here.run("blame", "src/nowhere.js");
    expect(nowhere.status).toBe(3);
    const folder = here.run("blame", "src");
    expect(folder.status).not.toBe(0);
    expect(folder.stderr).toContain("Name one file");
  });
});

describe("files", () => {
  test("tells what a session read, created and changed, and in which events", () => {
    const { stdout, status } = here.run("files", "3f9a");
    expect(status).toBe(0);
    expect(stdout).toMatch(/src\/add\.js {2}created @2, modified @7, read @5, failed @9/);
    expect(stdout).toContain("1 file: 1 created, 1 modified, 1 read, 1 failed");
  });

  test("of a session that did nothing to files says so", () => {
    putClaudeSession(here, { id: "4f9a0000-0000-4000-8000-000000000000" }, [{ user: "Hello" }]);
    expect(here.run("files", "4f9a").stdout).toContain(
      "The calls of this session read and changed no file.\n",
    );
    expect(here.run("files", "4f9a", "--changed").stdout).toContain(
      "The calls of this session changed no file.\n",
    );
  });

  test("has a stable JSON shape", () => {
    expect(here.json("files", "3f9a", "--changed")).toEqual({
      ref: `claude-code:${id}`,
      commands: [],
      files: [
        {
          path: join(here.cwd, "src/add.js"),
          created: { count: 1, events: ["2"] },
          read: { count: 1, events: ["5"] },
          modified: { count: 1, events: ["7"] },
          failed: { count: 1, events: ["9"] },
        },
      ],
    });
  });
});

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { recordCheckpoint } from "../../src/snapshot/checkpoint.ts";
import { WorkingTree } from "../../src/snapshot/working-tree.ts";
import { homeAt } from "../../src/store/home.ts";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine, program } from "./program.ts";

const id = "5a3e1c0f-0000-4000-8000-000000000001";
const ref = `claude-code:${id}`;

let here: Machine;
beforeEach(() => {
  here = machine();
  write("a.txt", "one\n");
  write("src/b.txt", "two\n");
});

const path = (name: string): string => join(here.cwd, name);
const read = (name: string): string => readFileSync(path(name), "utf8");

function write(name: string, text: string): void {
  mkdirSync(join(path(name), ".."), { recursive: true });
  writeFileSync(path(name), text);
}

/** Takes a checkpoint of all files; returns its number as it is typed. */
function checkpoint(about: { readonly session?: string; readonly event?: string } = {}): string {
  const home = homeAt(join(here.home, ".reprise"));
  const tree = WorkingTree.open(here.cwd, { home, userHome: here.home });
  try {
    const agent = about.session === undefined ? undefined : "claude-code";
    const { number } = tree.hold(() =>
      recordCheckpoint(home, tree.capture(), { reason: "asked", agent, ...about }),
    );
    return String(number);
  } finally {
    tree.close();
  }
}

test("a checkpoint without a session is offered for its files", () => {
  writeFileSync(join(here.cwd, "a.txt"), "a");
  const number = checkpoint();
  const { stdout } = here.run("rewind");
  expect(stdout).toContain(`\`reprise rewind ${number} --files\``);
  expect(here.run("rewind", number, "--files").status).toBe(0);
});

test("without a terminal a checkpoint of no session brings files back, one of a session the conversation", () => {
  putClaudeSession(here, { id }, [
    { user: "begin", says: "ok" },
    { user: "again", says: "done" },
  ]);
  const [alone, bound] = [checkpoint(), checkpoint({ session: id, event: "2" })];
  write("a.txt", "changed\n");
  expect(here.json("rewind", bound, "--yes")).toMatchObject({ done: true, agent: "claude-code" });
  expect(read("a.txt")).toBe("changed\n");
  expect(here.run("rewind", alone).status).toBe(0);
  expect(read("a.txt")).toBe("changed\n");
  expect(here.json("rewind", alone, "--yes")).toMatchObject({ done: true });
  expect(read("a.txt")).toBe("one\n");
});

test("undo removes a fork at once, unless something was said in it since", () => {
  putClaudeSession(here, { id }, [{ user: "begin", says: "ok" }]);
  const first = here.json("fork", id) as { readonly path: string };
  expect(here.run("undo").status).toBe(0);
  expect(existsSync(first.path)).toBe(false);
  const second = here.json("fork", id) as { readonly path: string };
  writeFileSync(second.path, `${readFileSync(second.path, "utf8")}{"type":"user"}\n`);
  expect(here.run("undo").status).toBe(4);
  expect(existsSync(second.path)).toBe(true);
});

test("what a newcomer types leads on: rewind lists places, each of them can be gone back to", () => {
  const empty = here.run("rewind");
  expect(empty.status).toBe(3);
  expect(empty.stderr).toContain("`reprise checkpoint`");
  putClaudeSession(here, { id }, [
    { user: "Add a limit", says: "Done." },
    { user: "Undo the limit", says: "Gone." },
  ]);
  const number = checkpoint({ session: id });
  const { stdout, status } = here.run("rewind");
  expect(status).toBe(0);
  expect(stdout).toContain(`\`reprise rewind ${number} --both\``);
  const [, place] = /(\S+) +before "Undo the limit"/.exec(stdout)!;
  expect(here.run("rewind", place!, "--conversation").status).toBe(0);
  const unknown = here.run("rewind", "3");
  expect(unknown.status).toBe(3);
  expect(unknown.stderr).toContain("There is no checkpoint 3.");
  expect(unknown.stderr).toContain("@last@3");
  // The agent's name is not needed, and neither is the id.
  expect(here.run("rewind", `@last@${place!.split("@")[1]}`, "--conversation").status).toBe(0);
});

describe("files", () => {
  test("a plan is shown and nothing done; --yes does it, undo returns, redo goes forward", () => {
    const number = checkpoint();
    rmSync(path("src"), { recursive: true });
    write("a.txt", "changed\n");
    write("new.txt", "new\n");
    const plan = here.run("rewind", number, "--files");
    expect(plan.status).toBe(0);
    expect(plan.stdout).toContain("change  a.txt  (changed outside of any session since)");
    expect(plan.stdout).toContain("delete  new.txt");
    expect(plan.stdout).toContain("create  src/b.txt");
    expect(existsSync(path("src"))).toBe(false);
    expect(here.run("rewind", number, "--files", "--yes")).toMatchObject({ status: 0 });
    expect(read("a.txt")).toBe("one\n");
    expect(read("src/b.txt")).toBe("two\n");
    expect(existsSync(path("new.txt"))).toBe(false);
    expect(here.run("undo").stdout).toContain("create  new.txt");
    expect(here.run("undo", "--yes").stderr).toContain("Undone: rewind of 4 paths in");
    expect(read("a.txt")).toBe("changed\n");
    expect(existsSync(path("src"))).toBe(false);
    expect(here.run("redo").stdout).toContain("create  src/b.txt");
    expect(here.run("redo", "--yes").status).toBe(0);
    expect(read("src/b.txt")).toBe("two\n");
    expect(here.run("redo", "--yes").status).toBe(1);
    expect(here.run("undo", "--yes").status).toBe(0);
    expect(read("new.txt")).toBe("new\n");
  });

  test("paths behind -- come back alone", () => {
    const number = checkpoint();
    write("a.txt", "changed\n");
    write("src/b.txt", "changed\n");
    expect(here.run("rewind", number, "--yes", "--", "src").status).toBe(0);
    expect(read("src/b.txt")).toBe("two\n");
    expect(read("a.txt")).toBe("changed\n");
    expect(here.run("rewind", number, "--yes", "--", "../other").status).toBe(2);
  });

  test("edits from outside are named with --yes too, and however long the plan is", () => {
    const number = checkpoint();
    const names = Array.from({ length: 50 }, (_, at) => `made-${at}.txt`);
    for (const name of names) write(name, "by hand\n");
    const plan = here.run("rewind", number, "--files").stdout;
    const done = here.run("rewind", number, "--files", "--yes").stderr;
    for (const name of names) {
      expect(plan).toContain(`delete  ${name}  (changed outside of any session since)`);
      expect(done).toContain(`delete  ${name}`);
    }
    expect(done).toContain("50 paths had been changed outside of any session; checkpoint ");
  });

  test("what is ignored now and was covered then is left, and named", () => {
    const number = checkpoint();
    write(".gitignore", "data/\n");
    write("data/precious.db", "precious\n");
    const left = [{ path: "data", why: "it could not be saved first: it is ignored now" }];
    expect(here.json("rewind", number, "--files")["files"]).toMatchObject({ left });
    expect(here.json("rewind", number, "--files", "--yes")["files"]).toMatchObject({ left });
    expect(read("data/precious.db")).toBe("precious\n");
  });

  test("without a place nothing goes back, and that is an error if something was asked for", () => {
    checkpoint();
    for (const flags of [["--yes"], ["--hunks"], ["--files"], ["--call", "2"]])
      expect(here.run("rewind", ...flags).status).toBe(2);
    expect(here.run("rewind").status).toBe(0);
  });

  test("a killed rewind is taken back by the next command that changes something", () => {
    const number = checkpoint();
    rmSync(path("src"), { recursive: true });
    write("a.txt", "changed\n");
    const killed = spawnSync(process.execPath, [program, "rewind", number, "--files", "--yes"], {
      cwd: here.cwd,
      env: { ...here.env, REPRISE_FAILPOINT: "restore.step:2" },
    });
    expect(killed.signal).toBe("SIGKILL");
    const { stderr } = here.run("undo", "--yes");
    expect(stderr).toContain("A rewind was killed before it was done; the files are as they were.");
    expect(read("a.txt")).toBe("changed\n");
    expect(existsSync(path("src"))).toBe(false);
  });
});

describe("conversation and files", () => {
  test("an event without a checkpoint has the files of the newest one before it, and the plan says which", () => {
    putClaudeSession(here, { id }, [
      { user: "First", says: "One." },
      { user: "Second", says: "Two." },
    ]);
    const number = checkpoint({ session: id, event: "2" });
    write("a.txt", "changed\n");
    const { stdout } = here.run("rewind", `${id}@3`, "--files");
    expect(stdout).toContain(`Files as they were at checkpoint ${number} (`);
    expect(stdout).toContain(", the newest up to event 3.");
    expect(here.run("rewind", `${id}@2`, "--files").stdout).not.toContain("the newest");
  });

  test("the fork that a rewind wrote is a fork in the tree", () => {
    putClaudeSession(here, { id }, [
      { user: "First", says: "One." },
      { user: "Second", says: "Two." },
    ]);
    const { fork } = here.json("rewind", `${id}@2`, "--yes");
    const { sessions } = here.json("tree", id) as unknown as {
      sessions: readonly { ref: string; from?: object }[];
    };
    expect(sessions.find((one) => one.ref === fork)?.from).toEqual({
      kind: "fork",
      parent: ref,
      event: "2",
    });
  });

  test("another agent's session becomes a fork that ends at the event, and undo removes it", () => {
    putClaudeSession(here, { id }, [
      { user: "First", says: "One." },
      { user: "Second", says: "Two." },
    ]);
    const shown = here.json("show", ref) as unknown as { events: { number: string }[] };
    const number = checkpoint({ session: id, event: shown.events?.[1]?.number ?? "2" });
    write("a.txt", "changed\n");
    const done = here.json("rewind", number, "--both", "--yes") as {
      fork: string;
      files: { steps: unknown[] };
    };
    expect(read("a.txt")).toBe("one\n");
    expect(done.files.steps).toEqual([{ path: "a.txt", action: "change", outside: true }]);
    const fork = here.run("show", done.fork).stdout;
    expect(fork).toContain("First");
    expect(fork).not.toContain("Second");
    expect(here.run("undo", "--yes").status).toBe(0);
    expect(read("a.txt")).toBe("changed\n");
    expect(here.run("show", done.fork).status).toBe(3);
    expect(here.run("redo", "--yes").stderr).toContain("Continue with");
    expect(read("a.txt")).toBe("one\n");
  });
});

test("a label counts in its own project, and a rewind of the conversation alone says that files stay", () => {
  const here = machine();
  const [one, other] = ["one", "other"].map((name) => join(here.home, name)) as [string, string];
  for (const folder of [one, other]) {
    mkdirSync(folder);
    writeFileSync(join(folder, "a.txt"), folder);
  }
  const inFolder = (cwd: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [program, ...args], { cwd, env: here.env, encoding: "utf8" });
  expect(inFolder(one, "checkpoint", "-m", "before").status).toBe(0);
  writeFileSync(join(one, "a.txt"), "changed");
  const wrong = inFolder(other, "rewind", "before", "--yes");
  expect(wrong.status).toBe(3);
  expect(wrong.stderr).toContain("No checkpoint of this project is called before.");
  expect(readFileSync(join(one, "a.txt"), "utf8")).toBe("changed");
  expect(inFolder(other, "diff", "before").stderr).toContain("No checkpoint of this project");
  expect(inFolder(other, "diff", "999").stderr).toContain("There is no checkpoint 999.");
  expect(inFolder(one, "rewind", "before", "--yes").status).toBe(0);
  expect(readFileSync(join(one, "a.txt"), "utf8")).toBe(one);
  inFolder(one, "new", "--id", "s", "--stdin");
  spawnSync(process.execPath, [program, "append", "s"], {
    cwd: one,
    env: here.env,
    input: '{"type":"user","content":"hello"}\n',
  });
  expect(inFolder(one, "checkpoint", "-m", "said", "--session", "s").status).toBe(0);
  const plan = inFolder(one, "rewind", "said");
  expect(`${plan.stdout}${plan.stderr}`).toContain("Files stay as they are; add --files or --both");
});

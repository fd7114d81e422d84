import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { recordCheckpoint } from "../../src/snapshot/checkpoint.ts";
import { recordMissed } from "../../src/snapshot/missed-checkpoint.ts";
import { WorkingTree } from "../../src/snapshot/working-tree.ts";
import { homeAt } from "../../src/store/home.ts";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";

const id = "5a3e1c0f-0000-4000-8000-000000000000";
const homeIn = (here: Machine) => homeAt(join(here.home, ".reprise"));

function file(here: Machine, name: string, text = `${name}\n`): void {
  mkdirSync(join(here.cwd, name, ".."), { recursive: true });
  writeFileSync(join(here.cwd, name), text);
}

describe("reprise checkpoint", () => {
  test("of a folder without a session has its files; each one says how many changed", () => {
    const here = machine();
    file(here, "a.txt");
    file(here, "src/b.txt");
    const first = here.json("checkpoint", "-m", "at first");
    expect(first).toMatchObject({ label: "at first", files: 2, reason: "asked", folder: here.cwd });
    expect(first).not.toHaveProperty("session");
    file(here, "a.txt", "changed\n");
    file(here, "c.txt");
    expect(here.json("checkpoint")).toMatchObject({ files: 3, modified: 2, incomplete: false });
    const { stdout } = here.run("checkpoint", "show", "3");
    expect(stdout).toContain(`Changed since checkpoint ${first["number"]}:\n  a.txt\n  c.txt\n`);
    expect(here.run("diff", "at first").stdout).toContain("+changed");
  });

  test("says how to see what changed since and the way back, which work as they stand; a list elsewhere names the folder", () => {
    const here = machine();
    file(here, "a.txt");
    const { stderr } = here.run("checkpoint");
    const [, look = "", words = ""] =
      /^`reprise (diff \d+)` shows what changed since; `reprise (rewind .+)` goes back to it\.$/m.exec(
        stderr,
      ) ?? [];
    file(here, "a.txt", "changed\n");
    expect(here.run(...look.split(" ")).stdout).toContain("+changed");
    const back = here.run(...words.split(" "));
    expect(back.status).toBe(0);
    expect(back.stderr).toMatch(/^1 path is as it was at checkpoint \d+ \(just now\)\.$/m);
    expect(readFileSync(join(here.cwd, "a.txt"), "utf8")).toBe("a.txt\n");
    expect(here.run("undo", "--yes").stderr).toMatch(
      /^Undone: rewind of 1 path in .+; what it changed is as it was before\.$/m,
    );
    expect(here.run("checkpoint", "list").stdout).not.toContain(here.cwd);
    const above = here.runWith({ cwd: join(here.cwd, "..") }, "checkpoint", "list");
    expect(above.stdout).toMatch(/1 file, 6 B {2}~?\/.+\n/);
  });

  test("a word that is no action but a command leads to that command with the other words", () => {
    const here = machine();
    const compared = here.run("checkpoint", "diff", "2");
    expect(compared.status).toBe(2);
    expect(compared.stderr).toContain("Did you mean `reprise diff 2`? Use one of: take, list,");
    expect(here.run("memory", "recall", "the port").stderr).toContain("`reprise recall the port`");
    expect(here.run("checkpoint", "before").stderr).toContain("A label is given with -m.");
  });

  test("is bound to the newest session of the project, with its messages and tokens", () => {
    const here = machine();
    file(here, "a.txt");
    putClaudeSession(here, { id }, [
      { user: "build the login form", says: "built" },
      { user: "and the tests", says: "done" },
    ]);
    const taken = here.json("checkpoint");
    expect(taken).toMatchObject({ agent: "claude-code", session: id, event: "4", messages: 4 });
    expect(taken).toMatchObject({ tokens: 15, uuid: `${id.slice(0, 24)}000000000004` });
    const { number } = taken;
    for (const name of [String(number), `#${number}`, `${id.slice(0, 24)}000000000004`])
      expect(here.json("checkpoint", "show", name)).toMatchObject({ number });
    expect(here.json("checkpoint", "find", "--text", "and the tests")).toMatchObject({
      checkpoints: [{ number, prompt: "and the tests" }],
    });
    expect(here.run("checkpoint", "find", "--text", "nothing like it").status).toBe(1);
    expect(here.run("checkpoint", "show", "999").status).toBe(3);
  });

  test("in a subfolder is of the folder the session runs in, unless another is named", () => {
    const here = machine();
    file(here, "src/deep/a.txt");
    putClaudeSession(here, { id }, [{ user: "go", says: "done" }]);
    const cwd = join(here.cwd, "src");
    const taken = JSON.parse(here.runWith({ cwd }, "checkpoint", "--json").stdout);
    expect(taken).toMatchObject({ folder: here.cwd, session: id });
    expect(here.json("checkpoint", "--folder", "src")).toMatchObject({ folder: cwd });
  });

  test("of hooks is found by the id of the prompt it was taken at, and of the call before which", () => {
    const here = machine();
    file(here, "a.txt");
    const call = { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "make" } };
    putClaudeSession(here, { id }, [
      { user: "first", says: "one" },
      { user: "second" },
      { record: { type: "assistant", message: { id: "m", role: "assistant", content: [call] } } },
    ]);
    const promptMs = Date.now() - 10 * 60_000 + 3_000;
    const tree = WorkingTree.open(here.cwd, { home: homeIn(here), userHome: here.home });
    const of = { agent: "claude-code", session: id } as const;
    const [prompt, tool] = tree.hold(() => {
      const at = (ms: number) => ({ ...tree.capture(), at: new Date(ms).toISOString() });
      return [
        recordCheckpoint(homeIn(here), at(promptMs + 150), { reason: "prompt", ...of }),
        recordCheckpoint(homeIn(here), at(promptMs + 9_000), {
          reason: "tool",
          call: "toolu_1",
          ...of,
        }),
      ];
    });
    tree.close();
    const uuid = (at: number): string => `${id.slice(0, 24)}${String(at).padStart(12, "0")}`;
    // The files belong to the history before the prompt.
    expect(here.json("checkpoint", "show", uuid(3))).toMatchObject({
      number: prompt!.number,
      event: "2",
      uuid: uuid(3),
      prompt: "second",
    });
    expect(here.json("checkpoint", "show", uuid(4))).toMatchObject({
      number: tool!.number,
      event: "3",
    });
  });

  test("in a session of ours is an event of it too", () => {
    const here = machine();
    file(here, "a.txt");
    const { session, file: log } = here.json("new") as { session: string; file: string };
    here.runWith({ input: '{"type":"user","content":"hello"}\n' }, "append", session);
    const taken = here.json("checkpoint", "-m", "here");
    expect(taken).toMatchObject({ agent: "reprise", session, event: "2", messages: 1 });
    const last = readFileSync(log, "utf8").trim().split("\n").at(-1)!;
    expect(JSON.parse(last)).toMatchObject({
      type: "checkpoint",
      label: "here",
      snapshot: taken["tree"],
      data: { checkpoint: taken["number"] },
    });
  });

  test("status says before it is needed what is not covered, the budget and what is used", () => {
    const here = machine();
    file(here, ".gitignore", ".env\nbuild\n");
    file(here, ".env");
    file(here, "build/x.o");
    file(here, "big.bin", "x".repeat(21 * 1024 * 1024));
    execFileSync("mkfifo", [join(here.cwd, "pipe")]);
    here.json("checkpoint", "-m", "one");
    recordMissed(homeIn(here), { reason: "prompt", folder: here.cwd, why: "busy" });
    const status = here.json("checkpoint", "status");
    expect(status).toMatchObject({ files: 1, checkpoints: 1, missed: [{ why: "busy" }] });
    expect(status["uncovered"]).toEqual([
      { path: ".env", isFolder: false, why: "ignored", isPrecious: true },
      { path: "big.bin", isFolder: false, why: "too large", isPrecious: false },
      { path: "build", isFolder: true, why: "ignored", isPrecious: false },
      { path: "pipe", isFolder: false, why: "special", isPrecious: false },
    ]);
    expect(status["budgetBytes"]).toBeLessThanOrEqual(2 * 1024 ** 3);
    expect(status["usedBytes"]).toBeGreaterThan(0);
    expect(status["labelled"]).toMatchObject([{ label: "one" }]);
    const { stdout } = here.run("checkpoint", "status");
    expect(stdout).toContain("perhaps precious (name them in `.repriseinclude`):\n  .env\n");
    expect(stdout).toMatch(/disk {9}.* of .* \(0 %\), 1 checkpoint of all projects/);
  });

  test("is deleted after a yes, and named no more", () => {
    const here = machine();
    file(here, "a.txt");
    here.json("checkpoint", "-m", "one");
    here.json("checkpoint", "-m", "two");
    const plan = here.run("checkpoint", "delete", "one");
    expect(plan.status).toBe(0);
    expect(plan.stdout).toContain("Would delete 1 checkpoint");
    expect(here.json("checkpoint", "delete", "one", "--yes")).toMatchObject({ done: true });
    const { checkpoints } = here.json("checkpoint", "list") as { checkpoints: object[] };
    expect(checkpoints).toMatchObject([{ label: "two" }]);
    expect(here.run("checkpoint", "show", "one").status).toBe(3);
  });

  test("is refused in the home folder and in /", () => {
    const here = machine();
    for (const cwd of [here.home, "/"]) {
      const { status, stderr } = here.runWith({ cwd }, "checkpoint");
      expect(status).toBe(1);
      expect(stderr).toContain("checkpoints are for the folder of a project");
    }
    expect(here.run("checkpoint", "nonsense").status).toBe(2);
  });
});

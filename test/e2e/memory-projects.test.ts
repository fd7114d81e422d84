import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Machine, machine } from "./program.ts";

/** A session of Claude Code in a project beside the working folder. */
function projectWith(made: Machine, name: string, prompts: readonly string[]): string {
  const cwd = join(made.home, name);
  mkdirSync(cwd);
  const folder = join(made.home, ".claude", "projects", `-${name}`);
  mkdirSync(folder, { recursive: true });
  const sessionId = `5a3e1c0f-7b64-4d0e-9c55-${Buffer.from(name).toString("hex").padStart(12, "0").slice(-12)}`;
  const lines = prompts.map((content, at) => {
    const uuid = `${String(at).padStart(8, "0")}${sessionId.slice(8)}`;
    const timestamp = new Date(Date.parse("2026-11-15T10:00:00Z") + at * 1000).toISOString();
    const message = { role: "user", content };
    return JSON.stringify({ type: "user", message, uuid, sessionId, cwd, timestamp });
  });
  writeFileSync(join(folder, `${sessionId}.jsonl`), `${lines.join("\n")}\n`);
  return cwd;
}

test("memories of a project are proposed, decided, listed and added from any folder, by a part of its name", () => {
  const made = machine();
  const { run } = made;
  const cwd = projectWith(made, "orchard", ["Please always use tabs in this project."]);
  const proposed = run("memory", "propose", "--project", "orch");
  expect(proposed.stdout).toContain("1 session read; proposed 1");
  expect(proposed.stdout).toContain("Decide with `reprise memory inbox --project orch`.");
  const inbox = run("memory", "inbox", "--project", "orch").stdout;
  expect(inbox).toContain("always use tabs");
  const id = inbox.slice(0, inbox.indexOf(" "));
  expect(run("memory", "approve", id, "--project", "orch").status).toBe(0);
  expect(run("remember", "--project", "orchard", "Apples are red.").status).toBe(0);
  const listed = made.runWith({ cwd }, "memory", "list").stdout;
  expect(listed).toContain("always use tabs");
  expect(listed).toContain("Apples are red.");
  expect(run("memory", "list").stdout).toBe("No memories found.\n");
  const answers = run("recall", "--project", "orchard", "apples").stdout;
  expect(answers).toContain("Apples are red.");
});

test("what is remembered says for which project, and recall says that other projects were not searched", () => {
  const made = machine();
  const { run } = made;
  const cwd = projectWith(made, "orchard", ["Hello."]);
  const said = made.runWith({ cwd }, "remember", "Apples are red.");
  expect(said.stdout).toBe("Remembered for orchard: Apples are red.\n");
  expect(said.stderr).toContain("reprise memory forget");
  expect(run("remember", "--user", "Pears are green.").stdout).toContain("for every project: ");
  const here = run("recall", "which colour are apples");
  expect(here.stdout).not.toContain("red");
  expect(here.stderr).toContain(
    "Other projects have 1 memory, which was not searched; --all searches them too.",
  );
  const everywhere = run("recall", "--all", "which colour are apples");
  expect(everywhere.stdout).toContain("Apples are red.");
  expect(everywhere.stderr).not.toContain("Other projects");
  const meant = made.runWith({ cwd }, "memory", "forget", "red");
  expect(meant.stderr).toContain('Did you mean "Apples are red."? Nothing was changed.');
  const forgotten = made.runWith({ cwd }, "memory", "forget", "Apples are", "--yes");
  expect(forgotten.stdout).toContain("Forgotten:\nlong-term: Apples are red.\n");
});

test("a project keeps its name where memories are stored, also after all of them were forgotten", () => {
  const made = machine();
  const cwd = projectWith(made, "orchard", ["Hello."]);
  const inside = (...args: readonly string[]) => made.runWith({ cwd }, ...args);
  inside("remember", "Apples are red.");
  inside("remember", "Pears are green.");
  expect(inside("memory", "forget", "Apples are", "--yes").status).toBe(0);
  const more = inside("remember", "Plums are blue.");
  expect(more.stdout).toBe("Remembered for orchard: Plums are blue.\n");
  expect(inside("memory", "reset", "--yes").status).toBe(0);
  const again = inside("remember", "Cherries are red.");
  expect(again.stdout).toBe("Remembered for orchard: Cherries are red.\n");
  expect(made.run("memory", "list", "--all").stdout).toContain("[orchard]");
});

test("after a memory was forgotten, undo says that it stays so, and a restore that there is no backup", () => {
  const { run } = machine();
  run("remember", "Apples are red.");
  run("memory", "forget", "Apples", "--yes");
  const undone = run("undo");
  expect(undone.status).toBe(1);
  expect(undone.stderr).toContain(
    "The last change cannot be undone: a memory was forgotten for good.",
  );
  expect(undone.stderr).toContain("There is nothing else to undo.");
  const restored = run("memory", "restore", "@last", "--forgotten");
  expect(restored.status).toBe(3);
  expect(restored.stderr).toContain("There is no backup yet.");
  expect(restored.stderr).toContain("`reprise memory backup` makes one");
});

test("a proposal reads the newest sessions, says how many there are, and how to read all", () => {
  const made = machine();
  const { run } = made;
  projectWith(made, "orchard", ["Please always use tabs."]);
  const folder = join(made.home, ".claude", "projects", "-orchard");
  const [first] = readdirSync(folder);
  const text = readFileSync(join(folder, first!), "utf8");
  const id = first!.slice(0, -".jsonl".length);
  for (const digit of ["a", "b"]) {
    const other = `${digit}${id.slice(1)}`;
    writeFileSync(join(folder, `${other}.jsonl`), text.replaceAll(id, other));
  }
  const some = run("memory", "propose", "--project", "orchard", "--limit", "2");
  expect(some.stdout).toContain("2 sessions read");
  expect(some.stderr).toContain("Only the newest 2 of 3 sessions; --limit 3 reads all.");
  expect(run("memory", "propose", "--project", "orchard").stderr).not.toContain("newest");
  const named = run("memory", "propose", "orchard");
  expect(named.status).toBe(3);
  expect(named.stderr).toContain("`--project <words>` reads the sessions of a project");
});

test("what is forgotten and stands in many sessions is reported by a count and a few of them", () => {
  const made = machine();
  const { run } = made;
  for (const name of ["one", "two", "three", "four", "five"])
    projectWith(made, name, [`The gate code is written on the wall. So says ${name}.`]);
  const [proof] = (made.json("list", "--all") as { sessions: { session: string }[] }).sessions;
  const evidence = `claude-code:${proof?.session}@1`;
  run("memory", "store", "gate", "The gate code is written on the wall.", "--evidence", evidence);
  const { stdout } = run("memory", "forget", "gate", "--yes");
  expect(stdout).toContain("5 sessions hold the same text or its source, not changed:\n");
  expect(stdout.match(/claude-code:/g)).toHaveLength(3);
  expect(stdout).toContain("  and 2 more; --json lists all\n");
});

test("words that no project or several have are refused, with the projects there are", () => {
  const made = machine();
  const { run } = made;
  projectWith(made, "orchard", ["Hello."]);
  projectWith(made, "orchard-site", ["Hello."]);
  const none = run("memory", "list", "--project", "garden");
  expect(none.status).toBe(3);
  expect(none.stderr).toMatch(/No project has "garden"; there are:\n {2}orchard/);
  const several = run("remember", "--project", "rchard", "Apples are red.");
  expect(several.status).toBe(3);
  expect(several.stderr).toContain('"rchard" matches 2 projects:');
  expect(several.stderr).toContain("orchard-site");
  expect(run("remember", "--project", "orchard", "Apples are red.").status).toBe(0);
  expect(run("memory", "list", "--project", "orchard", "--user").status).toBe(2);
});

test("a folder without memories leads to the projects that have some, and --all lists them", () => {
  const made = machine();
  const { run } = made;
  const cwd = join(made.home, "orchard");
  mkdirSync(cwd);
  made.runWith({ cwd }, "remember", "Apples are red.");
  made.runWith({ cwd }, "remember", "--access", "private", "Pears are mine.");
  const where = "Projects with memories: orchard (2); --project <words> means one.";
  expect(run("memory", "list").stderr).toContain(where);
  expect(run("memory", "list", "--namespace", "orchard").stderr).toContain(where);
  expect(run("memory", "stats", "--user", "--by", "namespace").stderr).toContain(where);
  const all = run("memory", "list", "--all").stdout;
  expect(all).toMatch(/Apples are red\. {2}\[orchard\]/);
  expect(run("memory", "list", "--project", "orchard").stdout).toContain("Apples are red.");
  run("remember", "Plums are blue.");
  expect(run("memory", "list", "xylophone").stderr).not.toContain("orchard");
  made.env["REPRISE_AGENT"] = "codex";
  expect(run("memory", "list", "--all").stdout).not.toContain("Apples");
  expect(run("memory", "list", "--namespace", "none").stderr).not.toContain("orchard");
});

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openMemory } from "../../src/memory.ts";
import { machine } from "./program.ts";

test("what agents keep is listed, recalled, proposed, approved and published to the others", () => {
  const { home, cwd, run, json } = machine();
  mkdirSync(join(cwd, ".git"));
  writeFileSync(join(cwd, "AGENTS.md"), "# Server\n\n- The port of the server is 8080.\n");
  mkdirSync(join(home, ".claude"));
  writeFileSync(join(home, ".claude", "CLAUDE.md"), "- I like short answers.\n");
  const listed = run("memory", "sources").stdout;
  expect(listed).toContain('agents-md  AGENTS.md:3  Server\n  "The port of the server is 8080."\n');
  expect(listed).toContain("I like short answers.");
  expect(run("memory", "sources", "--agent", "codex").stdout).toBe(
    "No agent keeps memories here.\n",
  );
  expect(run("memory", "sources", "--agent", "nobody").status).toBe(2);
  expect(run("recall", "which", "port", "has", "the", "server").stdout).toBe(
    `${join(cwd, "AGENTS.md")}:3  kept by agents-md · Server\n  "The port of the server is 8080."\n`,
  );
  const { proposed } = json("memory", "propose", "--from-agents") as {
    proposed: { id: string; value: string }[];
  };
  expect(proposed.map(({ value }) => value)).toEqual(["The port of the server is 8080."]);
  expect(run("memory", "publish", "--to", "claude-code").stdout).toContain("nothing to publish");
  expect(run("memory", "approve", proposed[0]!.id).status).toBe(0);
  const plan = run("memory", "publish", "--to", "claude-code");
  expect(plan.status).toBe(0);
  expect(plan.stdout).toContain('+- "The port of the server is 8080."');
  expect(plan.stderr).toContain("1 memory in");
  const back = run("memory", "publish", "--to", "agents-md", "--to", "codex");
  expect(back.stderr).toContain("known there already: agents-md: The port of the server is 8080.");
  expect(back.stdout).toContain("nothing to publish");
  expect(json("memory", "publish", "--to", "claude-code", "--yes")).toMatchObject({
    done: true,
    changes: [{ agent: "claude-code", new: true, removed: false }],
    places: [{ to: ["claude-code"], published: [proposed[0]!.id], leftOut: [] }],
  });
  expect(run("memory", "publish", "--to", "claude-code", "--yes").stdout).toContain("already");
  expect(run("memory", "forget", proposed[0]!.id).stdout).toContain(join(cwd, "CLAUDE.md"));
  expect(run("memory", "forget", proposed[0]!.id, "--yes").stdout).toContain("Taken out of");
  expect(existsSync(join(cwd, "CLAUDE.md"))).toBe(false);
});

test("publishing needs a place, and removing says when nothing is there", () => {
  const { cwd, run } = machine();
  expect(run("memory", "publish")).toMatchObject({ status: 2 });
  expect(run("memory", "publish", "--to", "emacs").stderr).toContain("agents-md, claude-code");
  expect(run("memory", "publish", "--to", "cursor", "--user").stderr).toContain("Leave --user out");
  expect(run("memory", "publish", "--to", "cursor", "--namespace", "x").status).toBe(2);
  expect(run("memory", "publish", "--to", "cursor", "--remove").stdout).toContain(
    "Nothing of ours",
  );
  run("remember", "the port is 8080");
  writeFileSync(join(cwd, "GEMINI.md"), "Words.");
  expect(run("memory", "publish", "--to", "gemini-cli", "--yes").status).toBe(0);
  expect(run("memory", "publish", "--to", "gemini-cli", "--remove").stdout).toContain(
    "-- the port is 8080",
  );
  expect(run("memory", "publish", "--to", "gemini-cli", "--remove", "--yes").status).toBe(0);
  expect(readFileSync(join(cwd, "GEMINI.md"), "utf8")).toBe("Words.");
  expect(run("undo").status).toBe(0);
  expect(readFileSync(join(cwd, "GEMINI.md"), "utf8")).toContain("- the port is 8080");
});

test("what a reset or a clean-up forgets leaves the pages it was published to", async () => {
  const { home, cwd, run } = machine();
  mkdirSync(join(cwd, ".git"));
  const page = join(cwd, "AGENTS.md");
  const memory = (...args: readonly string[]): string => run("memory", ...args).stdout;
  memory("store", "word", "the harbour word is quetzal");
  memory("store", "bird", "the bird is an axolotl");
  memory("publish", "--to", "agents-md", "--yes");
  const open = openMemory({ env: { home, cwd, platform: "linux", variables: { HOME: home } } });
  await open.update("word", { ttlMs: 1 });
  open.close();
  expect(memory("clean", "--yes")).toContain(`Taken out of ${page}`);
  expect(readFileSync(page, "utf8")).not.toContain("quetzal");
  expect(readFileSync(page, "utf8")).toContain("axolotl");
  expect(memory("reset")).toContain("taken out of them");
  expect(memory("reset", "--yes")).toContain(`Taken out of ${page}`);
  expect(readFileSync(page, "utf8")).toBe("");
  const files = readdirSync(home, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => readFileSync(join(one.parentPath, one.name), "latin1"));
  expect(files.filter((text) => /quetzal|axolotl/.test(text))).toEqual([]);
});

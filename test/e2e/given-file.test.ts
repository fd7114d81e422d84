import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { machine, root } from "./program.ts";

/** One transcript of each agent that keeps a session in a file of its own, below `test/fixtures`. */
const transcripts = {
  "claude-code":
    "claude-code/2.1.325/torn-tail/.claude/projects/-home-dev-acme-api/99637a56-21ee-4963-abf3-c18de2ebb929.jsonl",
  codex:
    "codex/0.166.0/torn-tail/.codex/sessions/2026/11/15/rollout-2026-11-15T18-51-20-01a1e08c-b752-7300-a36f-07102e5ff39c.jsonl",
  "copilot-cli":
    "copilot-cli/1.0.102/image/.copilot/session-state/300df9f5-13e1-456e-8d14-ee9cc8a94aeb/events.jsonl",
  "gemini-cli":
    "gemini-cli/0.61.0/compressed/.gemini/tmp/acme-api-g/chats/session-2026-11-15T18-29-5957fa88.jsonl",
  pi: "pi/0.87.1/context-edit/2026-11-18T03-50-45-043Z_01a1ecc7-4633-708a-b4f2-b3de69a4273a.jsonl",
  "qwen-code":
    "qwen-code/0.24.4/compressed/.qwen/projects/-home-dev-acme-api/chats/f60c58ff-b5ad-4be5-8ca7-a36bc1fc581e.jsonl",
  amp: "amp/0.0.1769314944/plain/.local/share/amp/threads/T-01a1e083-aa35-7617-aee9-52f02ad40ed5.json",
};

test.each(Object.entries(transcripts))(
  "a transcript of %s that somebody gave away is read, continued as a copy and imported, by its path alone",
  (agent, fixture) => {
    const here = machine();
    const given = join(here.cwd, `given${extname(fixture)}`);
    copyFileSync(join(root, "test", "fixtures", fixture), given);
    const before = readFileSync(given);
    const { ref } = here.json("files", given, "--json");
    expect(ref).toBe(`${agent}:${given}`);
    // What is printed can be typed.
    expect(here.run("show", String(ref)).stdout).toContain(`session ${ref}`);
    expect(here.json("resume", given, "--cwd", ".", "--yes", "--json")).toMatchObject({
      agent,
      converted: { ref: expect.stringMatching(new RegExp(`^${agent}:`)) },
    });
    expect(here.json("list", "--all", "--json")).toMatchObject({ sessions: [{ copyOf: ref }] });
    expect(here.run("undo").stderr).toContain(`, written from ${ref}.`);
    expect(here.run("import", given).stdout).toMatch(/^reprise:/);
    expect(here.run("undo").stderr).toContain(`Undone: import of ${ref} as `);
    expect(readFileSync(given).equals(before)).toBe(true);
  },
);

test("what is said of a given file is said of that file alone, though others have its name", () => {
  const here = machine();
  const [given, other] = ["a", "b"].map((folder) => {
    mkdirSync(join(here.cwd, folder));
    const path = join(here.cwd, folder, "found.jsonl");
    copyFileSync(join(root, "test", "fixtures", transcripts.codex), path);
    return path;
  });
  const renamed = here.run("rename", given!, "Found in the attic");
  expect(renamed.stderr).toContain(`codex:${given} is now called “Found in the attic”`);
  expect(here.run("show", `codex:${given}`).stdout).toContain("Found in the attic");
  expect(here.run("show", other!).stdout).not.toContain("Found in the attic");
  const { stderr } = here.run("resume", `${given}@9999`, "--in", "pi", "--cwd", ".");
  expect(stderr).toContain(`reprise show codex:${given} --all-branches`);
  expect(here.run("undo").stderr).toContain(`title of codex:${given}`);
});

test("a given file whose session is in the store too says how it is named there", () => {
  const here = machine();
  const id = "5e550000-0000-4000-8000-000000000001";
  putClaudeSession(here, { id }, [{ user: "Hello", says: "Hi." }]);
  const given = join(here.cwd, "given.jsonl");
  copyFileSync(String((here.json("show", id)["session"] as { path: string }).path), given);
  const said = `A session of your store begins as this file does: claude-code:${id}.`;
  expect(here.run("show", given).stderr).toContain(said);
  expect(here.run("resume", given, "--in", "pi", "--dry-run").stderr).toContain(said);
  expect(here.run("show", id).stderr).toBe("");
  putClaudeSession(here, { id }, [{ user: "Something else", says: "Yes." }]);
  expect(here.run("show", given).stderr).toBe("");
});

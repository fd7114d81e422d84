import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { processEnvironment } from "../../src/base/env.ts";
import { record } from "../../src/log/journal.ts";
import { userHome } from "../../src/store/home.ts";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine, program } from "./program.ts";

const id = "5e550000-0000-4000-8000-000000000001";
const ref = `claude-code:${id}`;

let here: Machine;
beforeEach(() => {
  here = machine();
  const file = putClaudeSession(here, { id }, [{ user: "Hello", says: "Hi." }]);
  const title = { type: "custom-title", customTitle: "A title", sessionId: id };
  appendFileSync(file, `${JSON.stringify(title)}\n`);
});

/** Runs a command that dies at a failpoint. */
function killAt(failpoint: string, ...args: readonly string[]): void {
  const { signal, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: here.cwd,
    env: { ...here.env, REPRISE_FAILPOINT: failpoint },
    encoding: "utf8",
  });
  expect(signal, stderr).toBe("SIGKILL");
}

/** Every path below a folder of the home. */
function pathsIn(folder: string): readonly string[] {
  const path = join(here.home, folder);
  return existsSync(path)
    ? readdirSync(path, { recursive: true, encoding: "utf8" }).toSorted()
    : [];
}

function journalText(): string {
  return readFileSync(join(here.home, ".reprise", "journal.jsonl"), "utf8");
}

const convert = ["resume", ref, "--in", "codex"];

test("what a killed command published is taken back by the next one that changes something, which says so", () => {
  killAt("addition.published", ...convert);
  expect(pathsIn(".codex").some((path) => path.endsWith(".jsonl"))).toBe(true);
  const { stderr } = here.run("tag", ref, "x");
  expect(stderr).toMatch(/Writing codex:\S+ was killed before it was done; it was undone\./);
  expect(pathsIn(".codex")).toEqual([]);
  expect(pathsIn(".reprise/running")).toEqual([]);
  // And nobody is told twice.
  expect(here.run("tag", ref, "y").stderr).not.toContain("killed");
});

test("nobody settles who only looks: lists, plans and dry runs", () => {
  killAt("addition.published", ...convert);
  const before = pathsIn(".codex");
  const journal = journalText();
  for (const args of [
    ["list"],
    ["show", ref],
    ["search", "Hello"],
    ["resume", ref, "--in", "pi", "--dry-run"],
    ["fork", ref, "--dry-run"],
    ["prune", "--max-sessions", "1"],
    ["hooks", "install", "claude-code"],
    ["undo", "--list"],
    ["index", "--status"],
  ])
    here.run(...args);
  expect(pathsIn(".codex")).toEqual(before);
  expect(journalText()).toBe(journal);
});

test("the intention is in the journal before anything has its name, and names its process", () => {
  killAt("addition.intended", ...convert);
  expect(pathsIn(".codex").filter((path) => path.endsWith(".jsonl"))).toEqual([]);
  const last = JSON.parse(journalText().trimEnd().split("\n").at(-1)!) as Record<string, unknown>;
  expect(last).toMatchObject({
    name: "intention",
    data: { does: "convert", holder: { pid: expect.any(Number), host: expect.any(String) } },
  });
});

test("what the agent went on with since stays, and can be undone once it is as it was", () => {
  killAt("addition.published", "resume", ref, "--in", "pi");
  const file = join(here.home, ".pi/agent/sessions", pathsIn(".pi/agent/sessions").at(-1)!);
  const written = readFileSync(file, "utf8");
  appendFileSync(file, "{}\n");
  expect(here.run("tag", ref, "x").stderr).toContain("was changed since; it stays");
  expect(existsSync(file)).toBe(true);
  const { entries } = here.json("undo", "--list") as {
    readonly entries: readonly { readonly id: number; readonly kind: string }[];
  };
  const entry = String(entries.find(({ kind }) => kind === "convert")?.id);
  expect(here.run("undo", entry).status).toBe(4);
  writeFileSync(file, written);
  expect(here.run("undo", entry).status).toBe(0);
  expect(existsSync(file)).toBe(false);
});

test("a part of a run in a shared history is cut off again, and nothing that others wrote", () => {
  const history = join(here.cwd, ".aider.chat.history.md");
  const before = "\n# aider chat started at 2026-01-01 00:00:00\n\n#### theirs  \n";
  writeFileSync(history, before);
  const args = ["resume", ref, "--in", "aider", "--cwd", here.cwd];
  killAt("addition.half-appended", ...args);
  expect(readFileSync(history, "utf8").length).toBeGreaterThan(before.length);
  here.run("tag", ref, "x");
  expect(readFileSync(history, "utf8")).toBe(before);
  killAt("addition.half-appended", ...args);
  const theirs = `${readFileSync(history, "utf8")}\n#### and more of theirs  \n`;
  writeFileSync(history, theirs);
  expect(here.run("tag", ref, "y").stderr).toContain("it stays");
  expect(readFileSync(history, "utf8")).toBe(theirs);
});

test("an undo that was killed is finished", () => {
  expect(here.run(...convert).status).toBe(0);
  killAt("undo.intended", "undo");
  expect(here.run("tag", ref, "x").stderr).toContain("An undo was killed before it was done");
  expect(pathsIn(".codex")).toEqual([]);
});

test("an import that was killed leaves no session, neither whole nor in part", () => {
  for (const point of ["addition.staged", "addition.intended", "addition.linked"]) {
    killAt(point, "import", ref);
    here.run("tag", ref, point);
    expect(pathsIn(".reprise/sessions").filter((path) => /jsonl/.test(path))).toEqual([]);
    expect(here.run("list", "--agent", "reprise").stdout).not.toContain("Hello");
  }
});

test("a process that cannot be examined counts as dead after an hour of silence, and not before", () => {
  const running = join(here.home, ".reprise", "running");
  killAt("addition.staged", ...convert);
  const [note] = pathsIn(".reprise/running").filter((name) => name.endsWith(".jsonl"));
  const temporaries = (): readonly string[] =>
    pathsIn(".codex").filter((path) => path.endsWith(".tmp"));
  expect(temporaries()).toHaveLength(1);
  // As if another machine that shares this home had written the note and its temporary file.
  const elsewhere = "0".repeat(8);
  const renamed = note!.replace(/^[0-9a-f]{8}/, elsewhere);
  const codex = join(here.home, ".codex");
  const moved = temporaries()[0]!.replace(/\.[0-9a-f]{8}-/, `.${elsewhere}-`);
  writeFileSync(join(codex, moved), readFileSync(join(codex, temporaries()[0]!)));
  const said = { temporary: join(codex, moved), folders: [] };
  writeFileSync(join(running, renamed), `${JSON.stringify(said)}\n`);
  here.run("tag", ref, "x");
  expect(temporaries()).toEqual([moved]);
  const old = new Date(Date.now() - 61 * 60_000);
  utimesSync(join(running, renamed), old, old);
  here.run("tag", ref, "y");
  expect(temporaries()).toEqual([]);
});

test("a note never leads to a file that is not its own process's temporary file", () => {
  killAt("addition.staged", ...convert);
  const [note] = pathsIn(".reprise/running").filter((name) => name.endsWith(".jsonl"));
  const mark = /^[^.]+/.exec(note!)![0];
  const theirs = ["keep.txt", `keep.${mark}.x`, `keep.${"0".repeat(8)}-1-1.x.tmp`];
  for (const name of theirs) {
    writeFileSync(join(here.cwd, name), "theirs");
    const said = { temporary: join(here.cwd, name), folders: [here.cwd] };
    appendFileSync(join(here.home, ".reprise/running", note!), `${JSON.stringify(said)}\n`);
  }
  here.run("tag", ref, "x");
  expect(readdirSync(here.cwd).toSorted()).toEqual(theirs.toSorted());
});

test("titles in the index of Codex go in whatever order conversions are undone", () => {
  const index = join(here.home, ".codex", "session_index.jsonl");
  expect(here.run(...convert).status).toBe(0);
  const before = readFileSync(index, "utf8");
  expect(here.run(...convert).status).toBe(0);
  const { entries } = here.json("undo", "--list") as {
    readonly entries: readonly { readonly id: number }[];
  };
  const first = here.run("undo", String(entries[1]!.id));
  expect(first.stderr).toContain(
    "session_index.jsonl stays until what was written after it is removed",
  );
  expect(readFileSync(index, "utf8").startsWith(before)).toBe(true);
  const second = here.run("undo");
  expect(second.status).toBe(0);
  expect(second.stderr).toContain("removed a line that an earlier undo had left");
  expect(existsSync(index)).toBe(false);
});

test("entries of a journal without intentions can be undone", () => {
  const home = userHome({ ...processEnvironment(), variables: {}, home: here.home });
  expect(here.run(...convert).status).toBe(0);
  expect(here.run("resume", ref, "--in", "aider", "--cwd", here.cwd).status).toBe(0);
  const lines = journalText().trimEnd().split("\n");
  const entries = lines
    .map((line) => JSON.parse(line) as { name?: string; data: Record<string, unknown> })
    .filter(({ name }) => name === "convert");
  // The same entries as an older version wrote them.
  rmSync(home.journal);
  for (const { data } of entries) {
    const { intention: _intention, ...old } = data;
    const text = JSON.stringify(old).replaceAll(/,"(wasThere|kept)":("[^"]*"|true|false)/g, "");
    record(home.journal, "convert", JSON.parse(text) as Record<string, unknown>);
  }
  expect(here.run("undo").status).toBe(0);
  expect(here.run("undo").status).toBe(0);
  expect(pathsIn(".codex")).toEqual([]);
  expect(readdirSync(here.cwd)).toEqual([]);
});

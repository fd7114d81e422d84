import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { putClaudeSession, putFixture } from "./agents-home.ts";
import { type Machine, machine, program } from "./program.ts";

/* Everything comes along to a new machine: `reprise backup` here, `reprise restore` there. */

const first = "5e550000-0000-4000-8000-000000000001";
const second = "5e550000-0000-4000-8000-000000000002";

let old: Machine;
let fresh: Machine;
let folder: string;
let file: string;

beforeEach(() => {
  old = machine();
  fresh = machine();
  folder = join(old.home, "moved");
  file = putClaudeSession(old, { id: first }, [{ user: "Hello", says: "Hi." }]);
  putClaudeSession(old, { id: second }, [{ user: "Next", says: "Yes." }]);
});

/** The same place in the other machine's home. */
function there(path: string): string {
  return path.replace(old.home, fresh.home);
}

/** The files below a folder, with their content. */
function contentOf(path: string): Readonly<Record<string, string>> {
  if (!existsSync(path)) return {};
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const whole = join(entry.parentPath, entry.name);
      return [whole.slice(path.length), readFileSync(whole, "utf8")];
    }),
  );
}

test("sessions, titles, tags, memories and own sessions come along to a new machine", () => {
  expect(old.run("rename", first, "The big plan").status).toBe(0);
  expect(old.run("tag", first, "release").status).toBe(0);
  expect(old.run("remember", "--user", "The build needs Node 22.").status).toBe(0);
  const own = old.json("import", `claude-code:${second}`) as { readonly session: string };
  const made = old.run("backup", folder);
  expect(made.stdout).toContain("Copied 3 sessions");
  expect(made.stderr).toContain("secrets are not masked");

  const plan = fresh.run("restore", folder);
  expect(plan.stdout).toContain("3 sessions");
  expect(plan.stdout).toContain("1 memory");
  expect(contentOf(join(fresh.home, ".claude"))).toEqual({});

  expect(fresh.run("restore", folder, "--yes").status).toBe(0);
  expect(contentOf(join(fresh.home, ".claude"))).toEqual(contentOf(join(old.home, ".claude")));
  expect(statSync(there(file)).mtimeMs).toBeCloseTo(statSync(file).mtimeMs, -1);
  expect(statSync(there(file)).mode & 0o777).toBe(0o600);
  const listed = fresh.run("list", "--all").stdout;
  expect(listed).toContain("The big plan");
  expect(fresh.run("show", `reprise:${own.session}`).stdout).toContain("Next");
  expect(fresh.run("list", "--tag", "release").stdout).toContain("The big plan");
  expect(fresh.run("memory", "list", "--user").stdout).toContain("Node 22");
  expect(fresh.run("restore", folder).stdout).toContain("Nothing has to come back.");
});

test("an undo takes a restored backup back, and what was continued since stays", () => {
  old.run("tag", first, "release");
  old.run("import", `claude-code:${second}`);
  old.run("backup", folder);
  fresh.run("restore", folder, "--yes");
  const continued = there(file);
  appendFileSync(continued, `${JSON.stringify({ type: "summary", summary: "more" })}\n`);
  const undone = fresh.run("undo");
  expect(undone.status).toBe(0);
  expect(undone.stderr).toContain("1 changed since and stay");
  expect(Object.keys(contentOf(join(fresh.home, ".claude")))).toHaveLength(1);
  expect(contentOf(join(fresh.home, ".reprise", "sessions"))).toEqual({});
  expect(fresh.run("list", "--tag", "release").stdout).not.toContain("Hello");
});

test("a copy is still listed as one on the new machine, with its time, and an undo takes that back", () => {
  expect(old.run("resume", first, "--in", "codex").status).toBe(0);
  old.run("import", `claude-code:${second}`);
  const listed = (at: Machine): readonly Record<string, unknown>[] => {
    const { sessions } = at.json("list", "--all") as { sessions: Record<string, unknown>[] };
    return sessions.map(({ ref, updatedAt, copyOf }) => ({ ref, updatedAt, copyOf }));
  };
  const before = listed(old);
  expect(before.filter(({ copyOf }) => copyOf === `claude-code:${first}`)).toHaveLength(1);
  old.run("backup", folder);
  const plan = fresh.run("restore", folder);
  expect(plan.stdout).toContain("which session is a copy of which: 2");
  fresh.run("restore", folder, "--yes");
  expect(listed(fresh)).toEqual(before);
  expect(fresh.run("tree", first).stdout).toBe(old.run("tree", first).stdout);
  expect(fresh.json("stats")).toEqual(old.json("stats"));
  fresh.run("undo");
  expect(listed(fresh)).toEqual([]);
  const journal = readFileSync(join(fresh.home, ".reprise", "journal.jsonl"), "utf8");
  expect(journal.match(/"gone":true/g)).toHaveLength(2);
  fresh.run("restore", folder, "--yes");
  expect(listed(fresh)).toEqual(before);
});

test("a session that is on the new machine with other content stays as it is, the others come", () => {
  old.run("backup", folder);
  const mine = `${readFileSync(file, "utf8")}{"type":"summary","summary":"mine"}\n`;
  mkdirSync(join(there(file), ".."), { recursive: true });
  writeFileSync(there(file), mine);
  const done = fresh.run("restore", folder, "--yes");
  expect(done.stdout).toContain("left out: it is here with other content");
  expect(readFileSync(there(file), "utf8")).toBe(mine);
  expect(Object.keys(contentOf(join(fresh.home, ".claude")))).toHaveLength(2);
});

test("a damaged copy is not restored, and the exit code says so", () => {
  old.run("backup", folder);
  const copy = file.replace(old.home, join(folder, "home"));
  writeFileSync(copy, readFileSync(copy, "utf8").replace("Hello", "Jello"));
  const done = fresh.run("restore", folder, "--yes");
  expect(done.status).toBe(1);
  expect(done.stdout).toContain("left out: its copy is damaged");
  expect(existsSync(there(file))).toBe(false);
});

test("a backup restores nothing but sessions, whatever its list names, and follows no link out of it", () => {
  old.run("backup", folder);
  const list = join(folder, "backup.json");
  const listing = JSON.parse(readFileSync(list, "utf8")) as { files: { path: string }[] };
  const [entry] = listing.files;
  const more = [".bashrc", ".claude/settings.json", "../outside"];
  for (const path of more) listing.files.push({ ...entry, path });
  writeFileSync(list, JSON.stringify(listing));
  for (const path of more) writeFileSync(join(folder, "home", path), readFileSync(file));
  const copy = file.replace(old.home, join(folder, "home"));
  rmSync(copy);
  symlinkSync(file, copy);
  fresh.run("restore", folder, "--yes");
  const back = Object.keys(contentOf(join(fresh.home)));
  const others = back.filter((path) => !/^\/\.(?:reprise|cache)\//.test(path));
  expect(others).toHaveLength(1);
  expect(others[0]).toContain(second);
});

test("a restore that is killed leaves nothing behind once the next command ran", () => {
  old.run("backup", folder);
  const killed = spawnSync(process.execPath, [program, "restore", folder, "--yes"], {
    cwd: fresh.cwd,
    env: { ...fresh.env, REPRISE_FAILPOINT: "addition.published:1" },
  });
  expect(killed.signal).toBe("SIGKILL");
  expect(Object.keys(contentOf(join(fresh.home, ".claude")))).toHaveLength(1);
  const next = fresh.run("restore", folder, "--yes");
  expect(next.stderr).toContain("Restoring a backup was killed");
  expect(next.stdout).toContain("2 sessions");
});

test("a backup names the sessions it cannot hold, and where agents look decides where they come back", () => {
  putFixture(old, "opencode/1.18.33/plain");
  const moved = join(fresh.home, "elsewhere");
  const made = old.run("backup", folder);
  expect(made.stdout).toMatch(/Not in it: \d+ sessions? of opencode: .*database/);
  fresh.env["CLAUDE_CONFIG_DIR"] = moved;
  fresh.run("restore", folder, "--yes");
  expect(Object.keys(contentOf(moved))).toHaveLength(2);
});

test("words that people try for all sessions lead to the backup", () => {
  expect(old.run("export", "--all").stderr).toContain("reprise backup <folder>");
  mkdirSync(join(old.home, "empty"));
  expect(old.run("store", "copy", join(old.home, "empty"), "all.db").stdout).toContain(
    "reprise backup <folder>",
  );
});

test("a backup is a new folder for the user alone; anything else is refused with what to do", () => {
  expect(old.run("backup", folder).status).toBe(0);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(old.run("backup", folder).status).toBe(4);
  const packed = old.run("backup", "all.tar.gz");
  expect(packed.status).toBe(2);
  expect(packed.stderr).toContain("tar czf");
  const nothing = fresh.run("restore", old.cwd);
  expect(nothing.status).toBe(3);
  expect(nothing.stderr).toContain("reprise rewind");
});

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";

let here: Machine;

beforeEach(() => {
  here = machine();
});

test("a setting is set, seen, and taken away again; an unknown one is refused", () => {
  expect(here.run("config").stdout).toBe("Nothing is set.\n");
  expect(here.run("config", "set", "retention.ttlDays", "90").status).toBe(0);
  expect(here.run("config", "get", "retention.ttlDays").stdout).toBe("90\n");
  expect(here.json("config")["settings"]).toEqual({ retention: { ttlDays: 90 } });
  expect(here.run("config", "unset", "retention.ttlDays").status).toBe(0);
  expect(here.json("config")["settings"]).toEqual({});
  expect(here.run("config", "get", "retention.ttlDays").status).toBe(1);
  expect(here.run("config", "set", "colour.theme", "x").status).toBe(2);
  expect(here.run("config", "set", "retention.ttlDays", "soon").status).toBe(2);
});

test("a rule of retention says whether it is carried out, and a group names its settings", () => {
  expect(here.run("config", "set", "retention.ttlDays", "90").stderr).toContain(
    "Nothing is deleted by itself until `reprise config set retention.auto yes`.",
  );
  expect(here.run("config", "set", "retention.auto", "yes").stderr).toContain(
    "Sessions of Reprise's own store that were not used for 90 days are deleted once a day: now 0 sessions.",
  );
  for (const off of [
    ["set", "retention.auto", "no"],
    ["unset", "retention.auto"],
  ])
    expect(here.run("config", ...off).stderr).toContain("Nothing is deleted by itself any more.");
  const { status, stderr } = here.run("config", "unset", "retention");
  expect(status).toBe(2);
  expect(stderr).toMatch(/Settings: retention\.\w+(?:, retention\.\w+)*\.\n/);
});

test("days are taken as a number or as an age of whole days, and nothing else is", () => {
  for (const [given, days] of [
    ["90", "90"],
    ["90d", "90"],
    ["2 weeks", "14"],
    ["3 months", "90"],
    ["1 year", "365"],
  ]) {
    expect(here.run("config", "set", "retention.ttlDays", given!).status).toBe(0);
    expect(here.run("config", "get", "retention.ttlDays").stdout).toBe(`${days}\n`);
  }
  const refused = here.run("config", "set", "retention.ttlDays", "12h");
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain("Write 90, 90d, 3 months or 1 year.");
});

test("a flag that is not typed has the user's own value; not for programs", () => {
  for (const at of [1, 2, 3]) {
    const id = `5a3e1c0f-7b64-4d0e-9c55-00000000000${at}`;
    putClaudeSession(here, { id, ageMinutes: at }, [{ user: `Number ${at}`, says: "Done." }]);
  }
  here.run("config", "set", "defaults.list.limit", "1");
  expect(here.run("list").stdout).toContain("1 of 3 sessions");
  expect(here.run("list", "--limit", "2").stdout).toContain("2 of 3 sessions");
  expect(here.json("list")["sessions"]).toHaveLength(3);
});

test("retention that is switched on lets old sessions go by itself, once a day, and undo brings them back", () => {
  const ref = here.run("new", "--title", "Old").stdout.trim();
  here.runWith({ input: '{"type":"user","content":"hi"}\n' }, "append", ref);
  here.run("config", "set", "retention.maxSessions", "0");
  expect(here.run("list").stdout).toContain("Old");
  here.run("config", "set", "retention.auto", "yes");
  expect(here.run("list").stderr).toContain("Removed 1 old session");
  expect(here.run("list").stdout).not.toContain("Old");
  expect(here.run("undo").status).toBe(0);
  // Not a second time on the same day.
  expect(here.run("list").stdout).toContain("Old");
  expect(here.run("list").stdout).toContain("Old");
});

test("the store lies where XDG_DATA_HOME says, unless ~/.reprise is there already", () => {
  const data = join(here.home, "data");
  here.env["XDG_DATA_HOME"] = data;
  here.run("config", "set", "retention.ttlDays", "9");
  expect(readFileSync(join(data, "reprise", "settings.json"), "utf8")).toContain("9");
  mkdirSync(join(here.home, ".reprise"));
  expect(here.run("config").stdout).toBe("Nothing is set.\n");
  expect(here.run("config", "path").stdout).toBe(
    `${join(here.home, ".reprise", "settings.json")}\n`,
  );
  expect(existsSync(join(here.home, ".reprise", "settings.json"))).toBe(false);
});

test("an agent may be named by the beginning of its name, and a misspelt one is guessed", () => {
  const id = "5a3e1c0f-7b64-4d0e-9c55-000000000001";
  putClaudeSession(here, { id }, [{ user: "Mend it", says: "Done." }]);
  expect(here.json("list", "--agent", "claude")["total"]).toBe(1);
  expect(here.run("show", "claude:5a3e").stdout).toContain("Mend it");
  const misspelt = here.run("list", "--agent", "cladue");
  expect(misspelt.status).toBe(2);
  expect(misspelt.stderr).toContain("Did you mean claude-code?");
});

test("--print writes nothing: it prints the command that would convert and start", () => {
  const id = "5a3e1c0f-7b64-4d0e-9c55-000000000001";
  putClaudeSession(here, { id }, [{ user: "Mend it", says: "Done." }]);
  const printed = here.run("resume", id, "--in", "codex", "--print");
  expect(printed.stdout).toBe(`reprise resume claude-code:${id} --in codex --launch\n`);
  expect(existsSync(join(here.home, ".codex"))).toBe(false);
});

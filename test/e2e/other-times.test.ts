import { expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";

const id = "5a3e1c0f-7b64-4d0e-9c55-000000000001";

function withSession(): Machine {
  const here = machine();
  putClaudeSession(here, { id }, [{ user: "Where is the kumquat?", says: "In the cellar." }]);
  return here;
}

test("a search that finds nothing because of a time names the newest event of another", () => {
  const here = withSession();
  const span = ["--since", "2020-01-01", "--until", "2020-01-31"];
  for (const words of [["kumquat"], ["--substring", "kumquat"], ["--deep", "kumquat"]]) {
    const { status, stdout } = here.run("search", ...words, ...span);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^Nothing was found between 2020-01-01 and 2020-01-31\.\n/);
    expect(stdout).toMatch(/\nThe newest mention is of \d{4}-\d\d-\d\d: claude-code:/);
    expect(stdout).toContain(`claude-code:${id}@1\n`);
  }
  const json = JSON.parse(here.run("search", "kumquat", "until:2020-02", "--json").stdout);
  expect(json).toMatchObject({ total: 0, otherTime: { ref: `claude-code:${id}@1` } });
  expect(here.run("search", "--until", "2020-02").stdout).toContain(`claude-code:${id}@2\n`);
});

test("a search that finds nothing at any time says so", () => {
  const here = withSession();
  expect(here.run("search", "zwieback", "--until", "2020-01-31").stdout).toContain(
    "Nothing was found until 2020-01-31, nor at any other time.\n",
  );
  expect(here.run("search", "zwieback").stdout).toBe("Nothing was found.\n");
});

test("list and stats say of which days there is something, if not of those asked for", () => {
  const here = withSession();
  const listed = here.run("list", "--until", "2020-01-31");
  expect(listed.status).toBe(1);
  expect(listed.stderr).toMatch(/^Nothing until 2020-01-31\. There are sessions on \d{4}-/);
  const counted = here.run("stats", "--since", "2020-01-01", "--until", "2020-01-31");
  expect(counted.stderr).toMatch(
    /Nothing between 2020-01-01 and 2020-01-31\. There is usage on \d{4}-/,
  );
});

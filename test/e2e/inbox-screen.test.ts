import { beforeEach, expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";
import { openTerminal, type Screen } from "./terminal.ts";

const id = "5a3e1c0f-7b64-4d0e-9c55-000000000001";

let here: Machine;

beforeEach(() => {
  here = machine();
  putClaudeSession(here, { id }, [
    {
      user: "Look at the parser first. Please remember that the port is 8080. Then rest.",
      says: "Ok.",
    },
    { user: "Always use tabs for indentation in this project.", says: "Yes." },
    { user: "Never push to the main branch 日本語 🎉.", says: "Understood." },
  ]);
  const { stdout } = here.run("memory", "propose");
  expect(stdout).toContain("proposed 3");
});

function inbox(columns = 80, rows = 24): Screen {
  return openTerminal(["memory", "inbox"], { columns, rows, machine: here });
}

const chosen = (screen: Screen): string =>
  screen.lines().find((line) => line.startsWith("›")) ?? "";

async function choose(screen: Screen, words: string): Promise<void> {
  for (let left = 3; left > 0 && !chosen(screen).includes(words); left -= 1) {
    const before = chosen(screen);
    screen.type("j");
    await screen.until(() => chosen(screen) !== before);
  }
  expect(chosen(screen)).toContain(words);
}

const keys = (status: string): readonly string[] =>
  // Without a match it ends with 1, and its answer is a list all the same.
  (
    JSON.parse(here.run("memory", "list", "--status", status, "--json").stdout) as {
      entries: { value: string }[];
    }
  ).entries
    .map(({ value }) => value)
    .sort();

test.each([40, 80, 200])(
  "the screen at %i columns: what waits, the proof with its sentence, keys",
  async (columns) => {
    const screen = inbox(columns);
    await screen.shows("3 memories wait");
    await choose(screen, "port is 8080");
    const words = (): string => screen.text().replace(/[\s│]+/g, " ");
    await screen.until(() => words().includes("Look at the parser first."));
    const text = words();
    expect(text.replaceAll(" ", "")).toContain(`Proof:claude-code:${id}@`);
    expect(text).toContain("said by you");
    expect(screen.lines().at(-1)).toMatch(/^a approve.*r reject.*q leave$/);
    expect(/ │ /.test(screen.lines()[1]!)).toBe(columns === 200);
    screen.type("?");
    await screen.shows("take the last decision back");
    screen.type(" ");
    await screen.shows("3 memories wait");
    screen.type("q");
    expect(await screen.end()).toBe(0);
    await screen.isGivenBack();
  },
);

test("a approves, r rejects, u takes both back in turn, and the log says who decided", async () => {
  const screen = inbox();
  await screen.shows("3 memories wait");
  await choose(screen, "port is 8080");
  screen.type("a");
  await screen.shows("2 memories wait");
  await screen.shows("Approved. u takes it back.");
  await choose(screen, "use tabs");
  screen.type("r");
  await screen.shows("1 memory waits");
  expect(keys("kept")).toEqual(["the port is 8080."]);
  expect(keys("rejected")).toHaveLength(1);
  screen.type("u");
  await screen.shows("2 memories wait");
  expect(chosen(screen)).toContain("use tabs");
  screen.type("u");
  await screen.shows("3 memories wait");
  expect(keys("kept")).toEqual([]);
  screen.type("u");
  await screen.shows("Nothing was decided here yet.");
  screen.type("q");
  expect(await screen.end()).toBe(0);
  expect(keys("proposed")).toHaveLength(3);
});

test("what was rejected is not proposed again, and the screen says what is left", async () => {
  const screen = inbox();
  await screen.shows("3 memories wait");
  screen.type("rr");
  await screen.shows("1 memory waits");
  screen.type("\u001b");
  expect(await screen.end()).toBe(0);
  await screen.isGivenBack();
  await screen.shows("2 decisions; 1 left in the inbox.");
  expect(here.run("memory", "propose").stdout).toContain("proposed 0, known already 3");
  expect(keys("proposed")).toHaveLength(1);
});

test("e changes the words and approves them as the user's own", async () => {
  const screen = inbox(40, 12);
  await screen.shows("3 memories wait");
  await choose(screen, "use tabs");
  screen.type("e");
  await screen.shows("edit:");
  screen.type("\u001b[D\u001b[H\u0015Use 4 spaces 日本\r");
  await screen.shows("2 memories wait");
  screen.type("q");
  await screen.end();
  const [entry] = here.json("memory", "list")["entries"] as Record<string, unknown>[];
  expect(entry).toMatchObject({ provenance: "user", approvedBy: "user" });
  expect(entry!["value"]).toContain("Use 4 spaces 日本");
});

test("what a proposal contradicts is shown, and s approves it as the newer one", async () => {
  here.run("remember", "The port is 3000");
  const screen = inbox(200, 30);
  await screen.shows("3 memories wait");
  await choose(screen, "port is 8080");
  await screen.shows("s replaces it:");
  await screen.shows("The port is 3000");
  screen.type("s");
  await screen.shows("Approved; it replaces");
  screen.type("q");
  await screen.end();
  const { conflicts } = here.json("memory", "conflicts") as { conflicts: object[] };
  expect(conflicts).toMatchObject([{ isSettled: true, newer: { value: "the port is 8080." } }]);
});

test("a slash narrows the list, Enter reads the whole proposal", async () => {
  const screen = inbox(60, 10);
  await screen.shows("3 memories wait");
  screen.type("/push\r");
  await screen.shows("1/3");
  expect(chosen(screen)).toContain("日本語");
  screen.type("\r");
  await screen.until(() => screen.text().includes("“"));
  expect(screen.lines().some((line) => line.startsWith("›"))).toBe(false);
  screen.type("\r");
  await screen.until(() => chosen(screen).includes("push"));
  screen.type("\u001b");
  await screen.shows("3 memories wait");
  screen.resize(30, 6);
  await screen.until(() => screen.lines().at(-1)!.startsWith("a approve"));
  screen.signal("SIGTERM");
  expect(await screen.end()).toBe(143);
});

test("in a pipe and with --json the inbox is a list", () => {
  expect(here.run("memory", "inbox").stdout.split("\n")).toHaveLength(4);
  expect(here.json("memory", "inbox")["total"]).toBe(3);
});

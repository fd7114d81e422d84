import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { called, machineWith, putClaudeSession } from "./agents-home.ts";
import type { Machine } from "./program.ts";
import { openTerminal, type Screen } from "./terminal.ts";

let here: Machine;
let firstFile: string;
const ids = [0, 1, 2].map((at) => `5a3e1c0f-7b64-4d0e-9c55-00000000000${at}`);
const prose = "## Findings\n\nThe **parser** drops the last token.\n\n- one\n- two `code`\n";

beforeEach(() => {
  here = machineWith(["claude", "codex"]);
  const [a, b, c] = ids as [string, string, string];
  firstFile = putClaudeSession(here, { id: a, ageMinutes: 10 }, [
    { user: "Mend the parser", says: prose },
    { user: "Now write a test", says: "Done: the zebra test passes." },
  ]);
  putClaudeSession(here, { id: b, ageMinutes: 20 }, [{ user: "Speed up the lexer", says: "Ok." }]);
  putClaudeSession(here, { id: c, ageMinutes: 30, cwd: "/elsewhere/web" }, [
    { user: "Colours of the page", says: "Blue." },
  ]);
});

function home(columns: number, args: readonly string[] = []): Screen {
  return openTerminal(args, { columns, rows: 24, machine: here });
}

const chosen = (screen: Screen): string =>
  screen.lines().find((line) => line.startsWith("›")) ?? "";

test.each([40, 80, 200])(
  "the screen at %i columns: list, styled preview, keys",
  async (columns) => {
    const screen = home(columns);
    await screen.shows("zebra test passes");
    const lines = screen.lines();
    expect(lines[0]).toMatch(/^❯ ▏ +3\/3$/);
    expect(chosen(screen)).toMatch(/ 9m .*Mend the parser/);
    expect(lines.at(-1)).toMatch(/^Enter show.*\? keys.*Esc leave$/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    // Words are whole, and Markdown has lost its marks.
    expect(screen.text()).toContain("• two code");
    expect(screen.text()).not.toContain("## Findings");
    expect(/ │ /.test(lines[1]!)).toBe(columns === 200);
    screen.type("?");
    await screen.until(() => /\^F {4}(?:copy it|fork)/.test(screen.text()));
    screen.type(" ");
    await screen.shows("3/3");
    screen.type("\u001b");
    expect(await screen.end()).toBe(0);
  },
);

test.each([
  [120, 60],
  [40, 120],
])("a session is shown in the width of now: from %i to %i columns", async (before, now) => {
  const words = "alpha beta gamma delta epsilon zeta eta theta ".repeat(10);
  const id = "5a3e1c0f-7b64-4d0e-9c55-000000000009";
  putClaudeSession(here, { id, ageMinutes: 1 }, [{ user: words, says: words }]);
  const screen = home(before);
  await screen.shows("4/4");
  screen.resize(now, 24);
  const isDrawn = (): boolean => {
    const [first = ""] = screen.lines();
    return first.endsWith("4/4") && first.length <= now && first.length > now - 10;
  };
  await screen.until(isDrawn);
  screen.type("\r");
  expect(await screen.end()).toBe(0);
  await screen.isGivenBack();
  const widths = screen
    .lines()
    .filter((line) => /^ {2}\S/.test(line))
    .map(({ length }) => length);
  expect(Math.max(...widths)).toBeGreaterThan(now - 10);
  expect(Math.max(...widths)).toBeLessThanOrEqual(now);
  expect(screen.text()).not.toMatch(/^ {2}(alpha|beta|gamma)$/m);
});

test("what was said is found as one pauses, and the preview is at the place", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("token");
  await screen.shows("1/3");
  await screen.shows("drops the last token");
  expect(chosen(screen)).toContain("Mend the parser");
  screen.type("\u0015lexr");
  await screen.shows("❯ lexr▏");
  await screen.shows("1/3");
  expect(chosen(screen)).toContain("Speed up the lexer");
});

test("several words find what has all of them, and only if nothing has, what has some", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  // The parser's session has both, the lexer's "Ok." and the page's "Blue." have neither.
  screen.type("token drops");
  await screen.until(() => / 1\/3$/.test(screen.lines()[0]!));
  screen.type("\u0015token blue");
  await screen.shows("2 with some of the words");
});

test("while the index is built the screen is not drawn for each session", async () => {
  const sessions = 1200;
  for (let number = 0; number < sessions; number += 1) {
    const id = `5a3e1c0f-7b64-4d0e-9c55-1${String(number).padStart(11, "0")}`;
    putClaudeSession(here, { id, ageMinutes: 100 + number }, [
      { user: `Task ${number}`, says: `Done ${number}.` },
    ]);
  }
  const screen = home(80);
  await screen.shows(`${sessions + ids.length}/`);
  // Only the index knows what was said last in the oldest session, which it reads last.
  screen.type(`"Done ${sessions - 1}"`);
  await screen.shows(`Task ${sessions - 1}`);
  expect(screen.drawn()).toBeLessThan(sessions / 6);
});

test("^R resumes the chosen session in its own agent", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("\u001b[B\u0012");
  expect(await screen.end()).toBe(0);
  expect(called(here, "claude")).toEqual([here.cwd, "--resume", ids[1]]);
});

test("^O lists the other agents, says what would be lost, and resumes in the one chosen", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("\u000f");
  await screen.shows("Codex CLI");
  await screen.shows("carried over");
  screen.type("codex\r");
  await screen.shows("write the copy and start Codex CLI");
  screen.type("\r");
  expect(await screen.end()).toBe(0);
  expect(called(here, "codex")).toContain("resume");
  expect(here.run("list", "--agent", "codex").stdout).toContain("Mend the parser");
});

test("^O can write the copy alone, which is chosen and marked as a copy then", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("\u000f");
  await screen.shows("carried over");
  screen.type("codex\r");
  await screen.shows("only write the copy");
  screen.type("only\r");
  await screen.shows("4/4");
  await screen.until(() => /codex .*Mend the parser \(copy\)/.test(chosen(screen)));
  expect(existsSync(join(here.home, "codex.called"))).toBe(false);
});

test("^F copies up to the event chosen, with it or before it, and the copy is chosen", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("\u0006");
  await screen.shows("Now write a test");
  screen.type("now write\r");
  await screen.shows("before this prompt, to ask something else");
  screen.type("\r");
  await screen.shows("4/4");
  await screen.shows("carried over");
  expect(chosen(screen)).toContain("Mend the parser (copy)");
  const [copy] = (here.json("list") as { sessions: { ref: string }[] }).sessions;
  expect(here.run("show", copy!.ref).stdout).not.toContain("Now write a test");
  screen.type("\u001b");
  expect(await screen.end()).toBe(0);
});

test("^Z shows the last change and undoes it", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("\u0006\r");
  await screen.shows("4/4");
  screen.type("\u001a");
  await screen.shows("Undo the last change?");
  screen.type("yes\r");
  await screen.shows("3/3");
  screen.type("\u001a");
  await screen.shows("Nothing can be undone");
});

test("what was found by its content is gone from the screen once it is deleted", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("zebra");
  await screen.shows("1/3");
  screen.type("\u0018");
  await screen.shows("Delete “Mend the parser”?");
  screen.type("yes\r");
  await screen.shows("0/2");
  expect(chosen(screen)).toBe("");
});

test("Enter on a session whose file is gone says so, and the screen stays", async () => {
  const size = { columns: 80, rows: 24, machine: here };
  const screen = openTerminal([], { ...size, pager: `${process.execPath} -e ''` });
  await screen.shows("3/3");
  rmSync(firstFile);
  screen.type("\r");
  await screen.shows("not there");
  expect(screen.isAlternate()).toBe(true);
  await screen.shows("2/2");
});

test("any other key on a session whose file is gone says so, too", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  rmSync(firstFile);
  screen.type("\u0006");
  await screen.shows("“Mend the parser” is not there any more");
  await screen.shows("2/2");
});

test("what is undone is found again by the words that are typed", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("zebra");
  await screen.shows("1/3");
  screen.type("\u0018");
  await screen.shows("Delete “Mend the parser”?");
  screen.type("yes\r");
  await screen.shows("0/2");
  screen.type("\u001a");
  await screen.shows("Undo the last change?");
  screen.type("yes\r");
  await screen.shows("1/3");
  expect(chosen(screen)).toContain("Mend the parser");
});

test("a tag that was just added is found by the content, and a copy is chosen whatever hides it", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("zebra");
  await screen.shows("1/3");
  screen.type("\u0014");
  await screen.shows("Add tags");
  screen.type("later, red\r");
  await screen.shows("Tags: later, red");
  screen.type("\tlater\r");
  await screen.shows("1/3 in #later");
  await screen.until(() => chosen(screen).includes("#later"));
  screen.type("\u000f");
  await screen.shows("carried over");
  screen.type("codex\r");
  await screen.shows("only write the copy");
  screen.type("only\r");
  await screen.shows("4/4");
  await screen.until(() => /codex .*\(copy\)/.test(chosen(screen)));
});

test("operators narrow what has all the words", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("agent:claude token drops");
  await screen.until(() => / 1\/3$/.test(screen.lines()[0]!));
  screen.type("\u0015token drops -nothing");
  await screen.until(() => / 1\/3$/.test(screen.lines()[0]!));
  screen.type("\u0015token blue -nothing");
  await screen.shows("2 with some of the words");
});

test("a tag that cannot be removed leaves what was typed to be mended", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("\u0014");
  await screen.shows("Add tags");
  screen.type("red -blue\r");
  await screen.shows('no tag "blue"');
  screen.type("\u007f\u007f\u007f\u007f\u007f\r");
  await screen.shows("Tags: red");
});

test("a filter that is chosen while words are typed is answered by the content, too", async () => {
  here.run("tag", ids[0]!, "later");
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("zebra");
  await screen.shows("1/3");
  screen.type("\tlater\r");
  await screen.shows("1/3 in #later");
  screen.type("\u001b");
  await screen.until(() => /^❯ ▏ +1\/3 in #later$/.test(screen.lines()[0]!));
  screen.type("\u001b");
  await screen.until(() => / 3\/3$/.test(screen.lines()[0]!));
});

test("words with a hyphen are found in the preview, which Shift with the arrows scrolls", async () => {
  const id = "5a3e1c0f-7b64-4d0e-9c55-000000000007";
  const lines = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`);
  const says = [...lines.slice(0, 40), "never force-push here", ...lines.slice(40)].join("\n\n");
  putClaudeSession(here, { id, ageMinutes: 1 }, [{ user: "What now?", says }]);
  const screen = home(80);
  await screen.shows("4/4");
  screen.type("force-push");
  await screen.shows("never force-push here");
  screen.type("\u001b[1;2B".repeat(10));
  await screen.shows("line 60");
  expect(screen.text()).not.toContain("never force-push here");
  screen.type("\u001b[1;2A".repeat(30));
  await screen.shows("What now?");
});

test("^Y sends the reference to the terminal's clipboard", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("\u0019");
  await screen.shows("Sent claude-code:");
  expect(screen.copied()).toEqual([`claude-code:${ids[0]}`]);
});

test("^E exports to a file that was not there", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  for (const name of ["mend-the-parser.html", "mend-the-parser-2.html"]) {
    screen.type("\u0005");
    await screen.shows("Export “Mend the parser” as");
    screen.type("browser\r");
    await screen.shows(`Written to ${name}`);
  }
  expect(readdirSync(here.cwd).sort()).toEqual(["mend-the-parser-2.html", "mend-the-parser.html"]);
  expect(readFileSync(join(here.cwd, "mend-the-parser.html"), "utf8")).toContain("zebra");
});

test("^T tags and takes tags away, ^P pins and unpins", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("\u001b[B\u0014");
  await screen.shows("Add tags (-word removes):");
  screen.type("fast\r");
  await screen.shows("#fast");
  expect(chosen(screen)).toContain("Speed up the lexer #fast");
  screen.type("\u0010");
  await screen.shows("Pinned");
  // It is the first one now, and still the chosen one.
  expect(screen.lines()[1]).toMatch(/^› .*\* Speed up the lexer/);
  screen.type("\u0014");
  await screen.shows("now #fast:");
  screen.type("-fast\r");
  await screen.until(() => !screen.text().includes("#fast"));
  screen.type("\u0010");
  await screen.shows("Unpinned");
});

test("Tab shows one agent or project only, @ this project only", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("\t");
  await screen.shows("project web (1)");
  screen.type("web\r");
  await screen.shows("1/3 in web");
  expect(chosen(screen)).toContain("Colours of the page");
  screen.type("\t\r");
  await screen.shows("3/3");
  screen.type("@");
  await screen.shows("2/3 in this project");
  screen.type("@");
  await screen.until(() => / 3\/3$/.test(screen.lines()[0]!));
});

test("filters on sessions choose among all of them, and two filters of the menu hold together", async () => {
  for (let number = 0; number < 120; number += 1)
    putClaudeSession(
      here,
      { id: `5a3e1c0f-7b64-4d0e-9c55-2${String(number).padStart(11, "0")}`, ageMinutes: 100 },
      [{ user: `Task ${number}`, says: "Done." }],
    );
  const screen = home(80);
  await screen.shows("123/123");
  screen.type("agent:claude since:1d");
  await screen.shows("❯ agent:claude since:1d▏");
  await screen.until(() => / 123\/123$/.test(screen.lines()[0]!));
  screen.type("\u0015project:web");
  await screen.until(() => / 1\/123$/.test(screen.lines()[0]!));
  screen.type("\u0015\tclaude\r");
  await screen.shows("in claude-code");
  screen.type("\tweb\r");
  await screen.shows("1/123 in claude-code in web");
  screen.type("\tweb\r");
  await screen.shows("123/123 in claude-code");
});

test("what is found by its content is pinned and unpinned like any other", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("zebra");
  await screen.shows("1/3");
  screen.type("\u0010");
  await screen.until(() => chosen(screen).includes("* Mend the parser"));
  screen.type("\u0010");
  await screen.shows("Unpinned");
  expect(chosen(screen)).not.toContain("*");
});

test("Esc clears what is typed before it leaves, ^C leaves at once", async () => {
  const screen = home(80);
  await screen.shows("3/3");
  screen.type("lexer");
  await screen.shows("1/3");
  await screen.shows("Esc clear");
  screen.type("\u001b");
  await screen.shows("3/3");
  screen.type("lexer\u0003");
  expect(await screen.end()).toBe(0);
});

test("a copy for an agent that is not installed is written, not started; a message is seen whole", async () => {
  const screen = home(40);
  await screen.shows("3/3");
  screen.type("\u000f");
  await screen.shows("not installed");
  screen.type("gemini\r");
  await screen.shows("only write the copy");
  expect(screen.text()).not.toContain("and start");
  screen.type("\r");
  await screen.shows("4/4");
  await screen.until(() => /carried over[\s\S]*reprise resume/.test(screen.text()));
  expect(screen.isAlternate()).toBe(true);
});

test("Enter shows the session in the pager, and the screen comes back", async () => {
  // The screen may be given back and taken again in one go: the pager leaves a mark.
  const mark = join(here.home, "paged");
  const act = `process.stdin.resume().on("end", () => fs.writeFileSync(${JSON.stringify(mark)}, ""))`;
  const screen = openTerminal([], {
    ...{ columns: 80, rows: 24, machine: here },
    pager: `${process.execPath} -e '${act}'`,
  });
  await screen.shows("3/3");
  screen.type("lexer");
  await screen.shows("1/3");
  screen.type("\r");
  await screen.until(() => existsSync(mark) && screen.isAlternate());
  await screen.shows("❯ lexer▏");
  screen.type("\u001b");
  await screen.shows("❯ ▏");
  screen.type("\u001b");
  expect(await screen.end()).toBe(0);
});

test("an ambiguous reference opens the screen with what it may mean, and the command runs with the choice", async () => {
  const screen = home(80, ["show", "the", "e"]);
  await screen.shows("3/3");
  await screen.shows("matches 3 sessions: choose one");
  screen.type("\u001b[B\r");
  expect(await screen.end()).toBe(0);
  await screen.isGivenBack();
  await screen.shows("Speed up the lexer");
  const few = home(80, ["show", "the", "pa"]);
  await few.shows("2/2");
  // One session says it, and was not meant.
  few.type("lexer");
  await few.shows("0/2");
  few.type("\u0003");
  expect(await few.end()).toBe(3);
  const left = home(80, ["show", "the", "e"]);
  await left.shows("3/3");
  left.type("\u001b");
  expect(await left.end()).toBe(3);
});

test("resume without a name opens the screen, and Enter resumes", async () => {
  const screen = home(80, ["resume"]);
  await screen.shows("Enter resume");
  screen.type("lexer\r");
  expect(await screen.end()).toBe(0);
  expect(called(here, "claude")).toEqual([here.cwd, "--resume", ids[1]]);
});

import { spawn as spawnPty } from "@lydell/node-pty";
import { Terminal } from "@xterm/headless";
import { afterEach, beforeAll, expect, test } from "vitest";
import { type Machine, machine, program } from "./program.ts";

let here: Machine;
let open: { kill(): void } | undefined;

beforeAll(() => {
  here = machine();
  here.run("--sample", "list");
});

afterEach(() => {
  open?.kill();
  open = undefined;
});

/** The program on a terminal of its own; its screen can be asked for, its end awaited. */
function onTerminal(
  args: readonly string[],
  size: { readonly columns: number; readonly rows: number },
) {
  const terminal = new Terminal({ cols: size.columns, rows: size.rows, allowProposedApi: true });
  const child = spawnPty(process.execPath, [program, ...args], {
    cols: size.columns,
    rows: size.rows,
    cwd: here.cwd,
    env: { ...here.env, TERM: "xterm-256color", PAGER: "cat" } as Record<string, string>,
  });
  let ended: number | undefined;
  let wake: () => void = () => {};
  child.onData((data) => terminal.write(data, () => wake()));
  child.onExit(({ exitCode }) => {
    ended = exitCode;
    wake();
  });
  open = { kill: () => ended ?? child.kill("SIGKILL") };
  const lines = (): readonly string[] => {
    const { active } = terminal.buffer;
    return Array.from({ length: size.rows }, (_, row) => {
      return active.getLine(active.baseY + row)?.translateToString(true) ?? "";
    });
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    lines,
    text: () => lines().join("\n"),
    type: (keys: string) => child.write(keys),
    resize: (columns: number, rows: number) => {
      terminal.resize(columns, rows);
      child.resize(columns, rows);
    },
    isAlternate: () => terminal.buffer.active.type === "alternate",
    shows: (text: string) => until(() => lines().join("\n").includes(text)),
    showsNot: (text: string) => until(() => !lines().join("\n").includes(text)),
    end: async () => {
      await until(() => ended !== undefined);
      return ended;
    },
  };
}

const chosenLine = (lines: readonly string[]): string =>
  lines.find((line) => line.startsWith("›")) ?? "";

test("the picker fits 80 x 24: search, list, preview of the chosen session, keys", async () => {
  const screen = onTerminal(["--sample"], { columns: 80, rows: 24 });
  await screen.shows("All 14 tests pass");
  const lines = screen.lines();
  expect(lines[0]).toMatch(/^❯ ▏ +4\/4$/);
  expect(chosenLine(lines)).toContain("Rate limit for POST /todos");
  expect(lines.at(-1)).toContain("Esc leave");
  expect(screen.isAlternate()).toBe(true);
  screen.type("\u001b");
  expect(await screen.end()).toBe(0);
  expect(screen.isAlternate()).toBe(false);
});

test("typing searches, arrows choose, the preview follows, Enter shows the session", async () => {
  const screen = onTerminal(["--sample"], { columns: 100, rows: 30 });
  await screen.shows("4/4");
  screen.type("\u001b[B");
  await screen.shows("1 damaged record");
  expect(chosenLine(screen.lines())).toContain("GET /todos");
  screen.type("docker");
  await screen.shows("1/4");
  await screen.shows("Remove the line");
  expect(chosenLine(screen.lines())).toContain("Docker build");
  screen.type("\r");
  expect(await screen.end()).toBe(0);
  expect(screen.isAlternate()).toBe(false);
  expect(screen.text()).toContain("Line 7 of the Dockerfile");
});

test("a search without a match says so, erasing brings the list back", async () => {
  const screen = onTerminal(["--sample"], { columns: 80, rows: 24 });
  await screen.shows("4/4");
  screen.type("zzz");
  await screen.shows("nothing matches");
  screen.type("\r");
  screen.type("\u007f\u007f\u007f");
  await screen.shows("4/4");
  screen.type("\u0003");
  expect(await screen.end()).toBe(0);
});

test("the screen follows the size of the terminal", async () => {
  const screen = onTerminal(["--sample"], { columns: 80, rows: 24 });
  await screen.shows("4/4");
  screen.resize(60, 12);
  await screen.shows("Esc leave");
  screen.type("x");
  await screen.shows("❯ x▏");
  screen.type("\u001b");
  expect(await screen.end()).toBe(0);
});

test("a machine without sessions gets the sample and the next steps", async () => {
  const empty = machine();
  here = { ...here, env: empty.env, cwd: empty.cwd };
  const screen = onTerminal([], { columns: 120, rows: 40 });
  await screen.shows("4/4");
  screen.type("\u001b");
  expect(await screen.end()).toBe(0);
  expect(screen.text()).toContain("No agent's session was found");
  expect(screen.text()).toContain("npx --no-install reprise --sample show rate limit");
});

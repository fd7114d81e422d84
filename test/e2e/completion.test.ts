import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine, program, root } from "./program.ts";
import { openTerminal } from "./terminal.ts";

let here: Machine;
const id = "5a3e1c0f-7b64-4d0e-9c55-000000000001";

beforeAll(() => {
  here = machine();
  putClaudeSession(here, { id }, [{ user: "Mend the parser", says: "Done." }]);
  const bin = join(here.home, "reprise");
  writeFileSync(bin, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(bin, 0o755);
  here.env["PATH"] = `${here.home}:${here.env["PATH"]}`;
});

function candidates(...words: readonly string[]): readonly string[] {
  return valuesIn(here, words);
}

function valuesIn(on: Machine, words: readonly string[]): readonly string[] {
  const lines = on.run("complete", "--", ...words).stdout.split("\n");
  return lines.filter(Boolean).map((line) => line.split("\t")[0]!);
}

test("commands, actions, flags, values of flags, agents and sessions are offered", () => {
  expect(candidates("sea")).toEqual(["search"]);
  expect(candidates("list", "--si")).toEqual(["--since"]);
  expect(candidates("list", "--agent", "cod")).toEqual(["codex"]);
  expect(candidates("export", "--format", "")).toEqual(["md", "html", "json", "jsonl"]);
  expect(candidates("show", "")).toEqual(["@last", "5a3e1c0f"]);
  expect(candidates("resume", "5a", "--in", "clau")).toContain("claude-code");
  expect(candidates("memory", "pub")).toEqual(["publish"]);
  expect(candidates("memory", "publish", "--t")).toEqual(["--to"]);
  expect(candidates("nonsense", "x")).toEqual([]);
});

describe("of many sessions", () => {
  let many: Machine;
  const idOf = (number: number): string =>
    `6b${number.toString(16).padStart(6, "0")}-7b64-4d0e-9c55-000000000001`;
  const values = (...words: readonly string[]): readonly string[] => valuesIn(many, words);

  beforeAll(() => {
    many = machine();
    const elsewhere = join(many.home, "elsewhere");
    for (let number = 1; number <= 60; number += 1) {
      const session = { id: idOf(number), cwd: elsewhere, ageMinutes: number };
      putClaudeSession(many, session, [{ user: `Do ${number}` }]);
    }
    for (const number of [101, 102])
      putClaudeSession(many, { id: idOf(number), ageMinutes: number * 1000 }, [{ user: "Old" }]);
  });

  test("those of this project are offered first, however old they are", () => {
    const offered = values("show", "");
    expect(offered.slice(0, 4)).toEqual(["@last", "6b000065", "6b000066", "6b000001"]);
    expect(offered).toHaveLength(51);
  });

  test("every session whose id begins as typed is offered, however old, with its agent's name before it or not", () => {
    expect(values("show", "6b00003c")).toEqual(["6b00003c"]);
    expect(values("show", "6b00006")).toEqual(["6b000065", "6b000066"]);
    expect(values("show", "claude-code:6b00003c")).toEqual(["claude-code:6b00003c"]);
    expect(values("show", "claude:6b00003c-7")).toEqual([`claude:${idOf(60)}`]);
    expect(values("show", "codex:6b00003c")).toEqual([]);
    expect(values("show", "6c")).toEqual([]);
  });
});

/** What a shell makes of the script, for a line that is typed; shells that are not there are not asked. */
const asked = {
  zsh: `autoload -U compinit; compinit -u -D; eval "$(reprise completion zsh)"
_describe() { print -l -- $shown }; words=(reprise sho); CURRENT=2; _reprise; words=(reprise show ''); CURRENT=3; _reprise`,
  fish: `reprise completion fish | source; complete -C 'reprise sho'; complete -C 'reprise show '`,
} as const;

function isThere(shell: string): boolean {
  return spawnSync(shell, ["-c", "exit 0"]).status === 0;
}

test.each(Object.keys(asked).filter(isThere) as readonly (keyof typeof asked)[])(
  "%s completes a command and a session with the script",
  (shell) => {
    const options = { env: here.env, cwd: here.cwd, encoding: "utf8" } as const;
    const text = execFileSync(shell, ["-c", asked[shell]], options);
    expect(text).toContain("show");
    expect(text).toContain("5a3e1c0f");
  },
);

test.runIf(isThere("bash"))(
  "bash shows titles beside several sessions, and inserts the id alone where one is left",
  async () => {
    const beside = "5a3e2d00-7b64-4d0e-9c55-000000000002";
    putClaudeSession(here, { id: beside }, [{ user: "Write *.md files" }]);
    const start = join(here.home, "bashrc");
    writeFileSync(start, `PS1='> '\neval "$(reprise completion bash)"\n`);
    const before = `exec bash --rcfile '${start}' -i`;
    const screen = openTerminal([], { columns: 80, rows: 24, machine: here, before });
    await screen.shows(">");
    screen.type("reprise show 5\t");
    await screen.shows("> reprise show 5a3e");
    screen.type("\t\t");
    await screen.shows("5a3e1c0f  Mend the parser (claude-code, ");
    await screen.shows("5a3e2d00  Write *.md files (claude-code, ");
    screen.type("1\t&& reprise show claude-code:5a3e2\t|");
    await screen.shows("reprise show 5a3e1c0f && reprise show claude-code:5a3e2d00 |");
    screen.type("\u0015reprise show @l\t|");
    await screen.shows("> reprise show @last |");
  },
);

test("PowerShell's script registers a completer, and an unknown shell is refused", () => {
  expect(here.run("completion", "powershell").stdout).toContain("Register-ArgumentCompleter");
  expect(here.run("completion", "tcsh")).toMatchObject({ status: 2 });
});

test.each(["man"].filter((name) => spawnSync(name, ["--version"]).status === 0))(
  "%s renders the page without a warning, every command in it",
  (renderer) => {
    const page = join(root, "docs", "reprise.1");
    const env = { ...here.env, MANWIDTH: "80", LC_ALL: "C.UTF-8" };
    const options = { env, encoding: "utf8" } as const;
    const { stdout, stderr, status } = spawnSync(renderer, ["--warnings", "-l", page], options);
    expect(status, stderr).toBe(0);
    expect(stderr).toBe("");
    for (const name of ["list", "delete", "completion"])
      expect(stdout).toContain(`reprise ${name}`);
  },
);

import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine, program, root } from "./program.ts";

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
  const lines = here.run("complete", "--", ...words).stdout.split("\n");
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

/** What a shell makes of the script, for a line that is typed; shells that are not there are not asked. */
const asked = {
  bash: `eval "$(reprise completion bash)"; COMP_WORDS=(reprise sho); COMP_CWORD=1; _reprise; printf '%s\\n' "\${COMPREPLY[@]}"
COMP_WORDS=(reprise show ''); COMP_CWORD=2; _reprise; printf '%s\\n' "\${COMPREPLY[@]}"`,
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

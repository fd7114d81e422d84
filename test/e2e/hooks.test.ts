import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { type Machine, machine, program, root } from "./program.ts";

let here: Machine;
beforeEach(() => {
  here = machine();
  here.env["REPRISE_NO_DRAIN"] = "1";
});

const claude = () => join(here.home, ".claude", "settings.json");

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function read(path: string): string {
  return readFileSync(path, "utf8");
}

function hook(payload: object, agent = "claude-code") {
  return spawnSync(process.execPath, [join(root, "dist", "bin", "reprise-hook.cjs"), agent], {
    env: here.env,
    input: JSON.stringify(payload),
    encoding: "utf8",
  });
}

test("install shows what would change and changes nothing until told yes", () => {
  write(claude(), '{ "model": "opus" }\n');
  const { status, stdout, stderr } = here.run("hooks", "install", "claude-code");
  expect(status).toBe(0);
  expect(stdout).toContain('+    "SessionStart": [');
  expect(stderr).toContain("--yes");
  expect(read(claude())).toBe('{ "model": "opus" }\n');
});

test("install, and uninstall puts every file back byte for byte", () => {
  const files = {
    ".claude/settings.json": '{\n\t"model": "opus",\n\t"hooks": {"Stop": []}\n}',
    ".codex/config.toml": '# mine\nmodel = "x"\n\n[tui]\na = 1\n',
    ".gemini/settings.json": '{"a":1, // why\n "b": [ ] }\r\n',
  };
  for (const [file, text] of Object.entries(files)) write(join(here.home, file), text);
  expect(here.run("hooks", "install", "all", "--yes").status).toBe(0);
  expect(here.run("hooks", "install", "all", "--yes").stdout).toContain("installed already");
  expect(existsSync(join(here.home, ".config", "opencode", "plugin", "reprise.js"))).toBe(true);
  expect(here.run("hooks", "uninstall", "all", "--yes").status).toBe(0);
  for (const [file, text] of Object.entries(files)) expect(read(join(here.home, file))).toBe(text);
  expect(existsSync(join(here.home, ".config"))).toBe(false);
  expect(existsSync(join(here.home, ".codex", "hooks.json"))).toBe(false);
});

test("settings that were changed since lose only what is ours", () => {
  write(claude(), '{\n  "model": "opus"\n}\n');
  here.run("hooks", "install", "claude-code", "--yes");
  writeFileSync(claude(), read(claude()).replace('"opus"', '"sonnet"'));
  here.run("hooks", "uninstall", "claude-code", "--yes");
  expect(read(claude())).toBe('{\n  "model": "sonnet"\n}\n');
});

test("undo puts the settings back, unless somebody changed them since", () => {
  write(claude(), "{}\n");
  here.run("hooks", "install", "claude-code", "--yes");
  expect(here.run("undo").status).toBe(0);
  expect(read(claude())).toBe("{}\n");
  here.run("hooks", "install", "claude-code", "--yes");
  appendFileSync(claude(), "\n");
  expect(here.run("undo").status).toBe(4);
});

test("status begins with whether they are installed, and says that none has run yet", () => {
  here.run("hooks", "install", "claude-code", "--yes");
  const { stdout } = here.run("hooks", "status", "claude-code");
  expect(stdout).toMatch(
    /^ {2}installed for the user in ~\/\.claude\/settings\.json: \d+ events \(SessionStart, /m,
  );
  expect(stdout).toContain("  none has run yet\n");
  here.run("hooks", "uninstall", "claude-code", "--yes");
  expect(here.run("hooks", "status", "claude-code").stdout).toBe("claude-code\n  not installed\n");
});

test("one undo takes back all that one install did", () => {
  write(claude(), "{}\n");
  const installed = here.json("hooks", "install", "all", "--yes")["entries"] as readonly number[];
  expect(installed.length).toBeGreaterThan(3);
  expect(here.json("undo", "--list")["entries"]).toHaveLength(1);
  const undone = here.run("undo").stderr;
  expect(read(claude())).toBe("{}\n");
  expect(undone).toMatch(
    new RegExp(`^Undone: installation of hooks for .* in ${installed.length} files:$`, "m"),
  );
  expect(undone).toMatch(/^ {2}restored ~\/\.claude\/settings\.json$/m);
  expect(undone).toMatch(/^ {2}removed ~\/\.reprise\/bin\/reprise-hook$/m);
  expect(undone.match(/^ {2}(?:restored|removed) ~/gm)).toHaveLength(installed.length);
  expect(here.json("undo", "--list")["entries"]).toHaveLength(0);
  const { agents } = here.json("hooks", "status", "all") as {
    agents: readonly { readonly installed: readonly unknown[] }[];
  };
  expect(agents.flatMap(({ installed: left }) => left)).toEqual([]);
});

test("the list of what can be undone says what was installed or removed, for which agents and where", () => {
  const says = () => (here.json("undo", "--list")["entries"] as { says: string }[])[0]?.says;
  write(claude(), "{}\n");
  here.run("hooks", "install", "claude-code", "--yes");
  expect(says()).toBe(`installation of hooks for claude-code in ${claude()}`);
  here.run("hooks", "uninstall", "claude-code", "--yes");
  expect(says()).toBe(`removal of hooks for claude-code from ${claude()}`);
  here.run("hooks", "install", "claude-code", "gemini-cli", "--yes");
  expect(says()).toBe("installation of hooks for claude-code, gemini-cli in 3 files");
  here.run("mcp", "install", "claude-code", "--yes");
  const servers = join(here.home, ".claude.json");
  expect(says()).toBe(`installation of the MCP server for claude-code in ${servers}`);
  here.run("mcp", "uninstall", "claude-code", "--yes");
  expect(says()).toBe(`removal of the MCP server for claude-code from ${servers}`);
  here.run("remember", "The port is 8080.");
  here.run("memory", "publish", "--to", "claude-code", "--yes");
  expect(says()).toMatch(/^publishing of memories into .*CLAUDE\.md$/);
  here.run("memory", "publish", "--to", "claude-code", "--remove", "--yes");
  expect(says()).toMatch(/^removal of published memories from .*CLAUDE\.md$/);
});

test("a link is followed, and the file's mode stays", () => {
  const real = join(here.home, "dotfiles", "settings.json");
  write(real, "{}");
  chmodSync(real, 0o644);
  mkdirSync(dirname(claude()));
  symlinkSync(real, claude());
  here.run("hooks", "install", "claude-code", "--yes");
  expect(read(real)).toContain("/bin/reprise-hook claude-code");
  expect(statSync(real).mode & 0o777).toBe(0o644);
});

test("settings that are no JSON are named and left alone", () => {
  write(claude(), "{ oops");
  const { status, stderr } = here.run("hooks", "install", "claude-code", "--yes");
  expect(status).toBe(1);
  expect(stderr).toContain(claude());
  expect(read(claude())).toBe("{ oops");
});

test("in a project the project's settings are edited", () => {
  here.run("hooks", "install", "claude-code", "--project", "--yes");
  expect(read(join(here.cwd, ".claude", "settings.local.json"))).toContain(
    "/bin/reprise-hook claude-code",
  );
  expect(existsSync(claude())).toBe(false);
});

test("a misspelt action is told as such, also where no agent is", () => {
  const { status, stderr } = spawnSync(process.execPath, [program, "hooks", "frob"], {
    cwd: here.cwd,
    env: here.env,
    encoding: "utf8",
  });
  expect(status).toBe(2);
  expect(stderr).toContain('Not an action: "frob".');
});

test("a place that is cleaned away is refused", () => {
  const folder = join(here.home, ".npm", "_npx", "0a1b", "bin");
  cpSync(dirname(program), folder, { recursive: true });
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(folder, "reprise.js"), "hooks", "install", "claude-code", "--yes"],
    { cwd: here.cwd, env: here.env, encoding: "utf8" },
  );
  expect(status).toBe(1);
  expect(stderr).toContain("npm i -g reprise");
});

test("status tells what is installed, what is dead, what needs trust, and how it ran", () => {
  here.run("hooks", "install", "claude-code", "codex", "--yes");
  writeFileSync(
    claude(),
    read(claude()).replaceAll(/\/[^" ]*\/bin\/reprise-hook/g, "/gone/bin/reprise-hook"),
  );
  hook({ session_id: "s", hook_event_name: "UserPromptSubmit", prompt: "x" });
  hook({ nonsense: true });
  const { agents } = here.json("hooks", "status", "all") as {
    readonly agents: readonly {
      readonly agent: string;
      readonly runs: number;
      readonly errors: number;
      readonly installed: readonly { readonly dead: readonly string[]; readonly remark?: string }[];
    }[];
  };
  expect(agents[0]).toMatchObject({ agent: "claude-code", runs: 1, errors: 1 });
  expect(agents[0]?.installed[0]?.dead).toEqual(["/gone/bin/reprise-hook"]);
  expect(agents[1]?.installed[0]?.remark).toContain("trust");
  expect(agents[2]?.installed).toEqual([]);
  expect(here.run("hooks", "status", "all").stdout).toContain("not there any more: /gone");
});

test("after a kill, drain counts what the transcript has; bracket and statusline tell it", () => {
  const session = "0f0e0d0c-0b0a-4900-8800-070605040302";
  const folder = join(here.home, ".claude", "projects", "-work");
  const transcript = join(folder, `${session}.jsonl`);
  const at = "2026-11-15T10:00:00.000Z";
  const usage = { input_tokens: 10, cache_read_input_tokens: 149_980, output_tokens: 10 };
  const message = (role: string, content: unknown, more = {}) => ({ role, content, ...more });
  const records = [
    { type: "user", message: message("user", "Mend it") },
    {
      type: "assistant",
      message: message("assistant", [{ type: "tool_use", id: "c1", name: "Bash", input: {} }], {
        model: "m",
        usage,
      }),
    },
    {
      type: "user",
      message: message("user", [{ type: "tool_result", tool_use_id: "c1", content: "ok" }]),
    },
    { type: "user", message: message("user", "Again") },
  ].map((record, index) => ({
    ...record,
    uuid: `u${index}`,
    parentUuid: index === 0 ? null : `u${index - 1}`,
    timestamp: at,
    cwd: here.cwd,
    sessionId: session,
  }));
  write(transcript, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  hook({
    session_id: session,
    hook_event_name: "UserPromptSubmit",
    prompt: "x",
    transcript_path: transcript,
    cwd: here.cwd,
  });
  // As if the agent had been killed a while ago.
  const log = spawnSync(
    "find",
    [join(here.home, ".reprise", "bridge", "claude-code"), "-name", "*.jsonl"],
    { encoding: "utf8" },
  ).stdout.trim();
  spawnSync("touch", ["-d", "1 hour ago", log]);
  expect(here.json("drain")).toMatchObject({ reconciled: [{ agent: "claude-code", session }] });
  expect(here.json("drain")).toMatchObject({ reconciled: [] });
  expect(here.json("bracket", `claude-code:${session}`)).toMatchObject({
    bracket: "DEPLETED",
    leftPercent: 25,
    tokens: 150_000,
    from: "transcript",
    state: { promptCount: 2, tools: { Bash: 1 } },
  });
  const given = JSON.stringify({
    session_id: session,
    cwd: here.cwd,
    cost: { total_cost_usd: 1.5 },
  });
  const line = here.runWith({ input: given }, "statusline").stdout;
  expect(line).toBe("75 % full (150k of 200k tokens), little room left | $1.50 | Mend it\n");
});

test("the session's own commands learn its id from Claude Code's file for variables", () => {
  const file = join(here.home, "env.sh");
  here.env["CLAUDE_ENV_FILE"] = file;
  hook({ session_id: "abc-1", hook_event_name: "SessionStart", source: "startup" });
  hook({ session_id: "x'; rm -rf /", hook_event_name: "SessionStart", source: "startup" });
  expect(read(file)).toBe("export REPRISE_SESSION='claude-code:abc-1'\n");
});

test("a session's end starts a drain, and the next one soon after does not", () => {
  delete here.env["REPRISE_NO_DRAIN"];
  const stamp = join(here.home, ".reprise", "bridge", "drain.at");
  hook({ session_id: "s", hook_event_name: "SessionEnd", reason: "other" });
  expect(existsSync(stamp)).toBe(true);
  const first = statSync(stamp).mtimeMs;
  hook({ session_id: "s", hook_event_name: "SessionEnd", reason: "other" });
  expect(statSync(stamp).mtimeMs).toBe(first);
});

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine, program } from "./program.ts";

let here: Machine;
const sample = (...args: readonly string[]) => here.run("--sample", ...args);

beforeAll(() => {
  here = machine();
});

interface Listed {
  readonly total: number;
  readonly sessions: readonly {
    readonly ref: string;
    readonly agent: string;
    readonly group: object;
  }[];
}

function listed(...args: readonly string[]): Listed {
  const { stdout, status, stderr } = sample("list", "--json", ...args);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as Listed;
}

test("the list is grouped by project and newest first", () => {
  const { stdout } = sample("list");
  const lines = stdout.split("\n");
  expect(lines[0]).toBe("todo-api  ~/dev/todo-api");
  expect(lines.slice(1, 5).map((line) => line.trim().split(/\s+/)[1])).toEqual([
    "claude-code",
    "claude-code",
    "codex",
    "pi",
  ]);
});

test("filters work together", () => {
  const agents = (...args: readonly string[]) => listed(...args).sessions.map(({ agent }) => agent);
  expect(agents("--model", "GPT", "--until", "5d")).toEqual(["pi"]);
  expect(agents("--here", "--state", "interrupted", "--branch", "main")).toEqual(["claude-code"]);
  expect(agents("--all", "--project", "todo", "--since", "4d", "--agent", "codex")).toEqual([
    "codex",
  ]);
});

test("the JSON of a list has a stable shape", () => {
  const { total, sessions } = listed("--limit", "1");
  expect(total).toBe(4);
  expect(sessions).toHaveLength(1);
  expect(sessions[0]).toMatchObject({
    ref: "claude-code:5a3e1c0f-7b64-4d0e-9c55-2f1f6a7d9e10",
    agent: "claude-code",
    session: "5a3e1c0f-7b64-4d0e-9c55-2f1f6a7d9e10",
    title: "Rate limit for POST /todos",
    state: "waiting",
    group: { name: "todo-api" },
  });
});

test.each([
  [["list", "--agent", "nobody"], 2],
  [["sow"], 2],
  [["show", "no such session"], 3],
  [["show", "0"], 3],
  [["show", "@last@9999"], 3],
  [["export", "@last", "--format", "md", "--native"], 2],
  [["pick"], 2],
] as const)("%j exits with %i and a hint", (args, code) => {
  const { status, stdout, stderr } = sample(...args);
  expect(status).toBe(code);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^reprise: .+\n[^\n]+\n$/s);
});

test("with --json an error is one line of JSON", () => {
  const { status, stderr } = sample("show", "no such session", "--json");
  expect(status).toBe(3);
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: "not_found",
      message: 'No session matches "no such session".',
      hint: expect.any(String),
      details: {},
    },
  });
});

test("an ambiguous reference lists its candidates", () => {
  const { status, stderr } = sample("show", "01a1");
  expect(status).toBe(3);
  expect(stderr).toContain("  codex:01a1d7c2");
  expect(stderr).toContain("  pi:01a1c0de");
});

test("a transcript shows calls, failures, diffs and damage", () => {
  const { stdout } = sample("show", "rate limit");
  expect(stdout).toContain("⏺ Bash npm test");
  expect(stdout).toContain("✗ Bash failed");
  expect(stdout).toContain('+ import { rateLimit } from "./rate-limit.js";');
  expect(stdout).not.toContain("\u001b");
  expect(sample("show", "c81d").stdout).toContain("1 damaged record, 0 recovered");
});

test("a transcript can be cut to what is asked for", () => {
  const numbers = (...args: readonly string[]): readonly string[] => {
    const { events } = JSON.parse(sample("show", "--json", ...args).stdout) as {
      readonly events: readonly { readonly number: string }[];
    };
    return events.map(({ number }) => number);
  };
  expect(numbers("5a3e", "--last", "2")).toHaveLength(2);
  expect(numbers("5a3e", "--from", "5", "--to", "7")).toEqual(["5", "6", "7"]);
  expect(numbers("5a3e@8")).toEqual(["5", "6", "7", "8", "9", "10", "11"]);
  expect(numbers("5a3e", "--last", "0")).toEqual([]);
});

test("raw records are what the agent wrote", () => {
  const { stdout } = sample("show", "5a3e", "--raw");
  const first = JSON.parse(stdout.split("\n")[0]!) as { readonly sessionId: string };
  expect(first.sessionId).toBe("5a3e1c0f-7b64-4d0e-9c55-2f1f6a7d9e10");
});

test("every format of an export can be written, and is not overwritten without a word", () => {
  for (const format of ["md", "html", "json", "jsonl"]) {
    const file = join(here.cwd, `session.${format}`);
    expect(sample("export", "5a3e", "--format", format, "-o", file).status).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toContain("rate limit of 20 requests");
  }
  expect(sample("export", "5a3e", "-o", "session.md").status).toBe(4);
  expect(sample("export", "5a3e", "-o", "session.md", "--yes").status).toBe(0);
});

test("exact exports say so, the others mask secrets", () => {
  expect(sample("export", "5a3e", "--format", "json").stderr).toContain("not masked");
  const secret = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4"}`;
  const { session } = here.json("new", "--title", "Secrets") as { readonly session: string };
  const line = JSON.stringify({ role: "user", content: `Use GITHUB_TOKEN=${secret} to push` });
  expect(here.runWith({ input: line }, "append", session).status).toBe(0);
  for (const format of ["md", "html"]) {
    const { stdout, stderr } = here.run("export", session, "--format", format);
    expect(stdout).not.toContain(secret);
    expect(stderr).toMatch(/1 secret masked/);
  }
  expect(here.run("export", session, "--format", "jsonl").stdout).toContain(secret);
});

test("passwords in command lines and in the middle of a line are masked in what is shared", () => {
  const password = "hunter2secret";
  const { session } = here.json("new", "--title", "Commands") as { readonly session: string };
  const said = [
    `mysql --password=${password} -u root`,
    `psql "host=db password=${password} user=bob"`,
    `SECRET_TOKEN=${password}`,
    `x password=${password} y`,
  ];
  const lines = said.map((content) => JSON.stringify({ role: "user", content }));
  expect(here.runWith({ input: `${lines.join("\n")}\n` }, "append", session).status).toBe(0);
  const { status, stdout, stderr } = here.run("share", session, "--format", "md");
  expect(status).toBe(0);
  expect(stderr).toMatch(/4 secrets masked/);
  const text = readFileSync(stdout.trim(), "utf8");
  expect(text).not.toContain(password);
  expect(text).toMatch(/mysql --password=\[secret:password:[0-9a-f]{4}\] -u root/);
});

test("a scan names kinds, counts and events that can be typed back, and no secret", () => {
  const password = "hunter2secret";
  const { session } = here.json("new", "--title", "Scanned") as { readonly session: string };
  const line = JSON.stringify({ role: "user", content: `mysql -p${password} shop` });
  expect(here.runWith({ input: line }, "append", session).status).toBe(0);
  const { status, stdout, stderr } = here.run("scan", session);
  expect(status).toBe(1);
  expect(stdout + stderr).not.toContain(password);
  expect(stdout).toContain("1 secret in 1 of 1 session");
  const event = /password 1 {2}(\S+@\S+)/.exec(stdout)?.[1] ?? "";
  expect(here.run("show", event).status).toBe(0);
  const found = JSON.parse(here.run("scan", session, "--json").stdout);
  expect(found.sessions[0]).toMatchObject({ secrets: 1, kinds: [{ rule: "password", count: 1 }] });
  expect(here.run("scan", "--all").status).toBe(1);
  expect(here.run("scan").status).toBe(1);
});

test("a scan sees what a record holds besides its events, and counts once what both hold", () => {
  const agents = machine();
  const id = "0f0e0d0c-0b0a-4900-8800-000000000001";
  const key = (end: string) => `ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6${end}`;
  const shown = { role: "assistant", content: [] as object[] };
  shown.content.push({ type: "text", text: "Here it is:" }, { type: "text", text: key("Zx8Q") });
  const plan = { role: "user", content: "Do as planned" };
  putClaudeSession(agents, { id }, [
    { user: "Which key?" },
    { record: { type: "assistant", message: shown } },
    { record: { type: "user", message: plan, planContent: `Use ${key("Yw7R")} for it` } },
  ]);
  const { sessions } = JSON.parse(agents.run("scan", id, "--json").stdout) as {
    readonly sessions: readonly { readonly kinds: readonly { readonly events: string[] }[] }[];
  };
  expect(sessions).toMatchObject([{ secrets: 2, kinds: [{ rule: "github-token", count: 2 }] }]);
  const raw = sessions[0]?.kinds[0]?.events.map((event) => agents.run("show", event, "--raw"));
  expect(raw?.map(({ stdout }) => stdout.includes("ghp_"))).toEqual([true, true]);
});

test("a scan of a session without a match ends with 0 and promises nothing", () => {
  const { session } = here.json("new", "--title", "Harmless") as { readonly session: string };
  const line = JSON.stringify({ role: "user", content: "Nothing to hide" });
  expect(here.runWith({ input: line }, "append", session).status).toBe(0);
  const { status, stdout } = here.run("scan", session);
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /^No secret matched the \d+ rules in 1 session\. Rules cannot find every secret: read a session before you share it\.\n$/,
  );
});

test("where no rule matches, what is said is true", () => {
  const { session } = here.json("new", "--title", "Plain") as { readonly session: string };
  const line = JSON.stringify({ role: "user", content: "Nothing to hide" });
  expect(here.runWith({ input: line }, "append", session).status).toBe(0);
  const { stderr } = here.run("share", session);
  expect(stderr).toMatch(/No secret matched the \d+ rules; read it before you share it\./);
});

test("a shared file is private, masked, and hides the home folder", () => {
  const { status, stdout } = sample("share", "5a3e");
  expect(status).toBe(0);
  const file = stdout.trim();
  expect(file).toBe(join(here.cwd, "rate-limit-for-post-todos-5a3e1c0f.html"));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, "utf8");
  expect(text).not.toContain(here.home);
  expect(text).toContain("Content-Security-Policy");
  expect(sample("share", "5a3e").status).toBe(4);
});

test("a reader that goes away ends the program quietly", () => {
  const { session } = here.json("new") as { readonly session: string };
  const line = `${JSON.stringify({ role: "user", content: "x".repeat(1000) })}\n`;
  here.runWith({ input: line.repeat(2000) }, "append", session);
  const command = `"${process.execPath}" "${program}" export ${session} --format jsonl | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const result = spawnSync("bash", ["-c", command], { env: here.env, encoding: "utf8" });
  expect(result.stdout.trim().split("\n").at(-1)).toBe("0");
  expect(result.stderr).toBe("");
});

test("escape sequences of a transcript never reach the terminal", () => {
  const { session } = here.json("new", "--title", "\u001b]0;owned\u0007") as {
    readonly session: string;
  };
  const line = JSON.stringify({
    role: "user",
    content: "\u001b[2J\u001b]52;c;AAAA\u0007\u009b31m",
  });
  here.runWith({ input: line }, "append", session);
  for (const args of [
    ["list"],
    ["show", session],
    ["show", session, "--raw"],
    ["show", session, "--json"],
  ]) {
    expect(here.run(...args).stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  }
});

test("a session file that lies anywhere is shown by its path", () => {
  const folder = join(here.cwd, "elsewhere");
  mkdirSync(folder);
  const file = join(folder, "copy.jsonl");
  writeFileSync(file, sample("show", "5a3e", "--raw").stdout);
  const { status, stdout, stderr } = here.run("show", `claude-code:${file}`);
  expect(status, stderr).toBe(0);
  expect(stdout).toContain("rate limit of 20 requests");
});

test("help and version are quick and complete", () => {
  expect(here.run("--version").stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const overview = here.run("help", "all").stdout;
  for (const name of ["list", "show", "export", "share", "append", "fork", "undo"]) {
    expect(overview).toMatch(new RegExp(`^ {2}${name} `, "m"));
  }
  expect(here.run("help", "show").stdout).toContain("Examples:");
});

test("a machine without any session leads to the sample", () => {
  const empty = machine();
  for (const args of [
    ["show", "@last"],
    ["resume"],
    ["export", "anything"],
    ["handoff", "@last"],
  ]) {
    const { status, stderr } = empty.run(...args);
    expect(status, args.join(" ")).toBe(3);
    expect(stderr, args.join(" ")).toContain("reprise --sample list");
  }
  expect(sample("show", "nothing like it").stderr).toContain("reprise list --all");
});

test("remove means uninstall for hooks, slash commands and the MCP server", () => {
  const here = machine();
  for (const name of ["hooks", "slash", "mcp"]) {
    const { status, stdout } = here.run(name, "remove", "claude-code");
    expect([status, stdout], name).toEqual([0, here.run(name, "uninstall", "claude-code").stdout]);
  }
});

test("a plan of hooks begins with the files, and leaves Reprise's own launcher to --json", () => {
  const here = machine();
  const { stdout } = here.run("hooks", "install", "claude-code");
  expect(stdout).toMatch(/^\d files:\n {2}make ~\/\.(?:claude|reprise)/);
  expect(stdout).toContain("Reprise's own; --json has its text");
  expect(stdout).not.toContain("#!/");
  expect(JSON.stringify(here.json("hooks", "install", "claude-code"))).toContain("#!/");
  here.run("hooks", "install", "claude-code", "--yes");
  const removed = here.run("hooks", "uninstall", "claude-code", "--yes");
  expect(removed.stderr).toContain("stay in ~/.reprise/bridge");
});

test("completion takes the shell from $SHELL, else names the choices", () => {
  const here = machine();
  expect(here.run("completion").stderr).toContain("with one of: bash, ");
  here.env["SHELL"] = "/usr/bin/fish";
  expect(here.run("completion").stdout).toBe(here.run("completion", "fish").stdout);
});

test("settings are shown without quotes, whatever they hold", () => {
  const here = machine();
  expect(here.run("config", "set", "defaults.list.limit", "10").stderr).toContain(
    "limit is 10 now",
  );
  here.run("config", "set", "retention.ttlDays", "90");
  expect(here.run("config").stdout).toBe("defaults.list.limit = 10\nretention.ttlDays = 90\n");
});

test("help that names a page says where the pages lie", () => {
  const help = machine().run("hooks", "--help").stdout;
  expect(help).toContain("docs/hooks.md");
  const folder = /The folder docs\/ is (.+)\n$/.exec(help)?.[1] ?? "";
  expect(existsSync(join(folder, "hooks.md"))).toBe(true);
});

test("share says once to read the file before it is shared", () => {
  const { stderr } = sample("share", "5a3e", "-o", join(machine().cwd, "page.html"));
  expect(stderr.match(/before you (?:share it|pass it on)/g)).toHaveLength(1);
});

test("wrong usage leads to the help of the command", () => {
  for (const [args, words] of [
    [["prune", "--ttl", "soon"], "See `reprise prune --help`."],
    [["resume", "5a3e", "--in", "pi", "--map", "x"], "See `reprise resume --help`."],
    [["show"], "See `reprise show --help`."],
    [["lst"], "Did you mean `reprise list`?"],
    [["resum"], "Did you mean `reprise resume`?"],
    [["xyzzy"], "All commands: `reprise help all`."],
    [["cost"], "Did you mean `reprise stats`? All commands: `reprise help all`."],
  ] as const) {
    const { status, stderr } = sample(...args);
    expect(status, args.join(" ")).toBe(2);
    expect(stderr, args.join(" ")).toContain(words);
  }
});

test("the sample's sessions are continued in the sample's home", () => {
  const { stdout } = sample("resume", "5a3e", "--print");
  expect(stdout).toMatch(/^cd \S+todo-api && HOME=\S+sample\/home claude --resume 5a3e1c0f-/);
});

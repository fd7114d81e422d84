import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hookedNames, loadAgents } from "../../src/agents/registry.ts";
import { bridge } from "../../src/bridge/library.ts";
import { commands } from "../../src/programs/cli/run/commands.ts";
import { leaksOf } from "./bytes-of.ts";
import { type Machine, machine, type Result, root } from "./program.ts";
import { openTerminal } from "./terminal.ts";

/*
 * A sealed session says words that stand nowhere else. Every command there is and every hook is run on it, with the
 * key; then none of the words may be found in any byte of the home, the temporary folder and the project.
 */

// Long enough that what base64 has of them does not stand in sealed bytes by chance.
const canaries = [
  "wq7titleczxdhkrvw",
  "kv8tagbnmwdhkrvw",
  "hj2promptrtzdhkrvw",
  "xz4answerplkdhkrvw",
  "bn6thoughtqwsdhkrvw",
  "rt9pathgfdjdhkrvw",
  "mq3commandvbndhkrvw",
  "zp5largeyhntdhkrvw",
  "gx1noteujmkdhkrvw",
  "tk8argumentolwdhkrvw",
  "lw2summaryedcrdhkrvw",
  "vd7metrictgbydhkrvw",
] as const;
const [title, tag, prompt, answer, thought, path, command, large, note, argument, summary, metric] =
  canaries;

const bodies: readonly object[] = [
  { type: "system", content: `be brief about ${prompt}` },
  { type: "user", content: `We must never forget: ${prompt}. Always use ${prompt}.` },
  { type: "thinking", content: thought },
  { type: "tool_use", call: "c1", name: "Edit", input: editOf(path) },
  { type: "tool_result", call: "c1", content: `done with ${path}` },
  { type: "tool_use", call: "c2", name: "Bash", input: { command: `run ${command}` } },
  { type: "tool_result", call: "c2", content: `${large} `.repeat(8_000) },
  { type: "assistant", content: `I decided on ${answer}.`, usage: { input: 9, output: 9 } },
  { type: "task", task: `task ${note}`, status: "open" },
  { type: "note", content: note },
  { type: "checkpoint", label: note },
  { type: "user", content: `More about ${prompt}` },
  { type: "assistant", content: `Next: ${answer}`, endTurn: true },
];

function editOf(name: string): object {
  return { file_path: `/p/${name}.ts`, old_string: "a", new_string: name };
}

/** A command line on the sealed session `s`; `code` is the error it must end with, where it must. */
interface Line {
  readonly args: readonly string[];
  readonly input?: string;
  readonly code?: string;
}

const line = (...args: readonly string[]): Line => ({ args });
const refused = (...args: readonly string[]): Line => ({ args, code: "sealed" });
const payload = (more: object): string => JSON.stringify({ session_id: "s", ...more });

const agentLines = (agent: string): readonly Line[] =>
  ["install", "status", "uninstall"].map((action) => line(action, agent, "--yes"));

/** Calls of the MCP server about the sealed session. */
const mcpCalls = [
  { name: "search_sessions", arguments: { query: prompt } },
  { name: "get_session", arguments: { session: "s" } },
  { name: "list_sessions", arguments: {} },
  { name: "recall", arguments: { question: prompt } },
  { name: "handoff", arguments: { session: "s" } },
  { name: "remember", arguments: { key: "k", text: "something else", events: ["s@2"] } },
  { name: "blame", arguments: { file: "p.ts" } },
]
  .map((params, id) => ({ jsonrpc: "2.0", id, method: "tools/call", params }))
  .map((message) => `${JSON.stringify(message)}\n`)
  .join("");

/** What is run of each command. */
const lines: Readonly<Record<string, readonly Line[]>> = {
  list: [line(), line("--all"), line("--here"), line("--tag", tag)],
  show: [line("s"), line("s", "--tools", "full", "--thinking"), line("s", "--raw"), line("s@3")],
  search: [line(prompt), line(large, "--substring"), line(answer, "--regex"), line(note, "--deep")],
  pick: [line()],
  blame: [line("p.ts"), line("p.ts", "--all")],
  files: [line("s")],
  tree: [line("s")],
  compare: [line("s", "s@5"), line("s", "s@5", "--format", "html")],
  diff: [line("s@3", "s@9"), line("s@3")],
  resume: [
    line("s"),
    line("s", "--in", "codex", "--dry-run"),
    refused("s", "--in", "claude-code"),
    refused("s", "--in", "codex"),
    refused("s", "--in", "gemini-cli"),
    refused("s", "--in", "opencode"),
    refused("s", "--in", "pi"),
    refused("s", "--in", "aider"),
    line("s@4"),
    line("s", "--budget", "200"),
  ],
  continue: [line("s"), line("s", "--budget", "100")],
  new: [line("--seal", "--id", "other", "--title", argument, "--tag", argument)],
  append: [{ args: ["s"], input: `${JSON.stringify({ type: "note", content: argument })}\n` }],
  fork: [line("s", "--title", argument), line("s@3"), refused("s", "--in", "codex")],
  rewind: [line("s@5", "--reason", argument), line("s@9", "--reason", argument, "--yes")],
  rename: [line("s", argument)],
  tag: [line("s", argument), line("s", "--remove", argument, "--pin")],
  export: [
    line("s"),
    line("s", "--format", "html"),
    line("s", "--format", "jsonl", "--native"),
    refused("s", "--output", "out.md"),
  ],
  scan: [line("s"), line("--all")],
  share: [refused("s"), refused("s", "--format", "md", "--output", "shared.md")],
  handoff: [line("s")],
  import: [line("s"), line("reprise:s")],
  stats: [line(), line("--by", "session"), line("--session", "s"), line("--rebuild")],
  hooks: agentLines("codex"),
  bracket: [line("s")],
  statusline: [{ args: [], input: payload({ cwd: ".", model: { display_name: "m" } }) }],
  drain: [line()],
  ledger: [refused("s"), refused("s", "--renew"), refused("s", "--path")],
  session: [
    line("restore", "s"),
    line("note", "--session", "s", `we decided ${argument}`),
    line("note", "--session", "s", "--kind", "decision", argument),
    refused("note", "--session", "s", "--from", "dev", "--to", "qa", argument),
    refused("end", "--session", "s", "--export-metrics", "run.json", "--summary", summary),
    line("end", "--session", "s", "--summary", summary, "--metrics", "metrics.json"),
    line("end", "--session", "s", "--summary", "--save-memory"),
  ],
  task: [line(), line("add", "something else")],
  memory: [line(), line("stats"), line("export"), line("propose", "s"), line("backup")],
  remember: [line("something else")],
  recall: [line(prompt), line(note, "--sessions")],
  checkpoint: [
    line("--session", "s"),
    line("list"),
    line("status"),
    line("show", "1"),
    line("find", prompt),
  ],
  complete: [line("show", ""), line("show", "s"), line("list", "--tag", "")],
  completion: [line("bash")],
  config: [line(), line("get", "retention.auto")],
  sources: [line()],
  backup: [line("backup")],
  restore: [line("backup"), line("backup", "--yes")],
  chat: [line("s")],
  redo: [line()],
  mcp: [
    ...agentLines("cursor"),
    { args: [], input: mcpCalls },
    { args: ["--write"], input: mcpCalls },
  ],
  slash: agentLines("claude-code"),
  verify: [line(), line("s")],
  index: [line(), line("--status"), line("--rebuild")],
  store: [
    line("copy", "../.reprise", "copy.db"),
    line("copy", "../.reprise", "copy.db", "--yes"),
    line("copy", "copy.db", "copy", "--yes"),
  ],
  prune: [line("--max-sessions", "1"), line("--max-sessions", "1", "--yes")],
  undo: [line("--list"), line(), line()],
  delete: [line("s"), line("other", "--yes")],
};

function machineWithKey(): Machine {
  const here = machine();
  const temporary = join(here.home, "tmp");
  mkdirSync(temporary);
  here.env["REPRISE_KEY"] = "correct horse battery staple";
  here.env["REPRISE_NO_DRAIN"] = "1";
  here.env["TMPDIR"] = temporary;
  return here;
}

function begin(here: Machine, id: string, ...more: readonly string[]): string {
  const input = bodies.map((body) => `${JSON.stringify(body)}\n`).join("");
  const made = here.runWith({ input }, "new", "--id", id, "--title", title, "--stdin", ...more);
  if (made.status !== 0) throw new Error(made.stderr);
  const folder = join(here.home, ".reprise", "sessions");
  return join(folder, readdirSync(folder)[0]!, `${id}.jsonl`);
}

/** The code of the error a run with `--json` ended with; a command may also just answer with its exit code. */
function codeOf({ status, stderr }: Result): string | undefined {
  if (status === 0 || stderr.trim() === "") return undefined;
  const last = stderr.trim().split("\n").at(-1) ?? "";
  return (JSON.parse(last) as { error: { code: string } }).error.code;
}

/** Every hook of an agent, told of the sealed session as its transcript. */
function runHooks(here: Machine, agent: string, transcript: string): void {
  const events: readonly object[] = [
    { hook_event_name: "SessionStart", source: "startup" },
    { hook_event_name: "UserPromptSubmit", prompt: `Always remember ${argument}` },
    { hook_event_name: "BeforeAgent", prompt: `Always remember ${argument}` },
    { hook_event_name: "PostToolUse", tool_name: "Edit", tool_input: editOf(path) },
    { hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command } },
    { hook_event_name: "Stop", last_assistant_message: `I decided on ${answer}` },
    { hook_event_name: "PreCompact", trigger: "manual" },
    { hook_event_name: "SessionEnd", reason: "exit" },
  ];
  const hook = join(root, "dist", "bin", "reprise-hook.cjs");
  for (const event of events) {
    const input = payload({ ...event, transcript_path: transcript, cwd: here.cwd });
    const { status } = spawnSync(process.execPath, [hook, agent], { env: here.env, input });
    expect(status).toBe(0);
  }
}

/** The same by a program that calls the bridge itself. */
async function callBridge(here: Machine, agent: string): Promise<void> {
  const of = { agent, session: "s", cwd: here.cwd };
  const options = { root: join(here.home, ".reprise", "bridge") };
  await bridge.process({ ...of, kind: "session_start", name: "start" }, options);
  await bridge.process({ ...of, kind: "prompt", name: "p", prompt: `Always ${argument}` }, options);
  const work = {
    files: [`/p/${path}.ts`],
    command,
    tasks: [{ name: note, status: "open" }],
  } as const;
  await bridge.process({ ...of, kind: "tool_after", name: "t", tool: "Edit", ...work }, options);
  await bridge.process({ ...of, kind: "stop", name: "s", answer: `I decided ${answer}` }, options);
  await bridge.process({ ...of, kind: "pre_compact", name: "c", reason: "manual" }, options);
  await bridge.process({ ...of, kind: "session_end", name: "e" }, options);
}

test("every command has its lines here: a new one says what it does with a sealed session", () => {
  expect(Object.keys(lines).sort()).toEqual(commands.map(({ name }) => name).sort());
});

test("no word of a sealed session is found anywhere after every command and every hook", async () => {
  const here = machineWithKey();
  const file = begin(here, "s", "--seal", "--tag", tag);
  writeFileSync(join(here.cwd, "p.ts"), "a\n");
  for (const agent of hookedNames) runHooks(here, agent, file);
  await callBridge(here, "reprise");
  await callBridge(here, "an-agent-of-mine");
  expect(leaksOf(canaries, here.home)).toEqual([]);
  const metrics = join(here.home, "metrics.json");
  for (const { name } of commands) {
    for (const { args, input = "", code } of lines[name]!) {
      if (name === "pick") {
        const screen = openTerminal(["pick"], { columns: 80, rows: 24, machine: here });
        await screen.shows("1/1");
        screen.type("\r");
        await screen.end();
        continue;
      }
      if (args.includes("metrics.json")) {
        writeFileSync(metrics, JSON.stringify({ tests: metric }));
      }
      const given = args.map((word) => (word === "metrics.json" ? metrics : word));
      const ran = here.runWith({ input }, name, ...given, "--json");
      const said = `${name} ${args.join(" ")}: ${ran.stderr.slice(0, 500)}`;
      expect(codeOf(ran), said).not.toBe("failed");
      if (code !== undefined) expect(codeOf(ran), said).toBe(code);
      // It was read, and is no part of what is searched.
      writeFileSync(metrics, "");
      expect(leaksOf(canaries, here.home), said).toEqual([]);
    }
  }
}, 300_000);

test("the search finds the same words of a session that is not sealed: pages, index, compressed copies", async () => {
  const here = machineWithKey();
  begin(here, "s", "--tag", tag);
  here.run("ledger", "s", "--renew");
  here.run("search", "words that are not there");
  await callBridge(here, "reprise");
  begin(here, "newer");
  here.run("prune", "--max-sessions", "1", "--yes");
  const files = leaksOf(canaries, here.home).map((leak) => leak.file);
  for (const place of [
    /ledger\.md$/,
    /kept\.json$/,
    /derived.*catalog/,
    /archive.*\.gz$/,
    /bridge/,
  ]) {
    expect(files.filter((found) => place.test(found))).not.toEqual([]);
  }
}, 60_000);

test("with --unseal a sealed session is written where it can be read, and only there", async () => {
  const here = machineWithKey();
  begin(here, "s", "--seal");
  expect(here.run("export", "s", "--output", "out.md", "--unseal").status).toBe(0);
  expect(here.run("share", "s", "--output", "shared.html", "--unseal").status).toBe(0);
  const files = new Set(leaksOf(canaries, here.home).map((leak) => leak.file));
  expect([...files].sort()).toEqual([join("work", "out.md"), join("work", "shared.html")]);
  for (const { name, writer } of await loadAgents()) {
    if (writer === undefined || name === "reprise") continue;
    expect(codeOf(here.run("resume", "s", "--in", name, "--json"))).toBe("sealed");
  }
  expect(here.run("resume", "s", "--in", "claude-code", "--unseal").status).toBe(0);
  const after = leaksOf(canaries, join(here.home, ".claude"));
  expect(after).not.toEqual([]);
}, 60_000);

test("a copy of a sealed session is sealed, and says the same", async () => {
  const here = machineWithKey();
  begin(here, "s", "--seal");
  const { session } = here.json("import", "s") as { session: string };
  const { converted } = here.json("resume", "s@9") as { converted: { ref: string } };
  for (const ref of [session, converted.ref]) {
    expect(here.run("show", ref).stdout).toContain(answer);
    expect(here.run("verify", ref).status).toBe(0);
  }
  expect(leaksOf(canaries, here.home)).toEqual([]);
  delete here.env["REPRISE_KEY"];
  expect(codeOf(here.run("import", "s", "--json"))).toBe("sealed");
}, 60_000);

// Gives the hook inputs no agent would send, each to a process of its own (P9). Used by the test suite with
// fewer rounds.
//
//   node test/crash/hook-fuzz.mjs --rounds 10000 [--seed 1] [--jobs 2]
import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { seeded } from "../random.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";

/** The built hook. */
export const hook = join(
  dirname(fileURLToPath(import.meta.url)),
  "..",
  "..",
  "dist",
  "bin",
  "reprise-hook.cjs",
);
const agents = ["claude-code", "codex", "gemini-cli", "opencode", "nobody", "", "../x"];
const events = [
  ...[
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PreCompact",
  ],
  ...[
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "SessionEnd",
    "BeforeAgent",
    "AfterTool",
    "PreCompress",
  ],
  ...[
    "chat.message",
    "tool.execute.after",
    "session.compacted",
    "dispose",
    "NoSuchEvent",
    "__proto__",
    "",
  ],
];
const ids = [
  "s1",
  "s2",
  "../../../etc/passwd",
  "..",
  ".",
  "a/b",
  "a\\b",
  "con",
  "\u0000",
  "x".repeat(5000),
  "é😀\ud800",
  "__proto__",
  "constructor",
  " ",
  "-rf",
  "$(id)",
  "%2e%2e%2f",
];

/** One case: the agent and the bytes of its payload. */
export function fuzzCase(seed) {
  const next = seeded(seed).fraction;
  const pick = (list) => list[Math.floor(next() * list.length)];
  const agent = next() < 0.7 ? pick(agents.slice(0, 4)) : pick(agents);
  return { agent, input: inputOf(next, pick) };
}

function inputOf(next, pick) {
  const kind = Math.floor(next() * 10);
  if (kind === 0) return Buffer.alloc(0);
  if (kind === 1)
    return Buffer.from(
      Array.from({ length: Math.floor(next() * 400) }, () => Math.floor(next() * 256)),
    );
  if (kind === 2)
    return Buffer.from(
      pick(["null", "[]", "0", '"x"', "true", "{}", "{", "[[[[", '{"a":', "\ufeff{}", "\n\n\n"]),
    );
  if (kind === 3) return Buffer.from("[".repeat(Math.floor(next() * 100_000)));
  const payload = payloadOf(next, pick);
  const text = JSON.stringify(payload);
  if (kind === 4) return Buffer.from(text.slice(0, Math.floor(next() * text.length)));
  if (kind === 5 && next() < 0.2)
    return Buffer.from(JSON.stringify({ ...payload, tool_response: "y".repeat(1_500_000) }));
  return Buffer.from(text);
}

function payloadOf(next, pick) {
  const odd = () =>
    pick([null, 0, -1, 1e308, true, "", [], {}, [[]], { length: 1e9 }, "\u0000", "z".repeat(3000)]);
  const maybe = (value) => (next() < 0.8 ? value : odd());
  const payload = {
    session_id: maybe(pick(ids)),
    hook_event_name: maybe(pick(events)),
    cwd: maybe(pick(["/tmp", "/nowhere", "relative", "/proc/self"])),
    transcript_path: maybe(
      pick(["/nowhere.jsonl", "/dev/zero", "/tmp", "/proc/self/mem", "/dev/full", ""]),
    ),
  };
  if (next() < 0.5) payload.prompt = maybe("hello");
  if (next() < 0.5) payload.source = maybe(pick(["startup", "resume", "clear", "compact"]));
  if (next() < 0.5) {
    payload.tool_name = maybe(
      pick(["Bash", "Write", "__proto__", "toString", "TodoWrite", "apply_patch"]),
    );
    payload.tool_input = maybe({
      command: maybe("ls\u001b[2J"),
      file_path: maybe("/a"),
      todos: maybe([{ content: maybe("t"), status: maybe("done") }]),
    });
  }
  if (next() < 0.2)
    payload.tokens = maybe({
      input: maybe(5),
      output: maybe(5),
      cache: maybe({ read: maybe(1e9) }),
    });
  if (next() < 0.1) payload.stop_hook_active = maybe(true);
  return payload;
}

/** A home with something wrong in it, by the number of the case. */
function homeFor(root, seed) {
  const home = join(root, `home-${seed % 12}`);
  const bridge = join(home, "bridge");
  mkdirSync(join(bridge, "claude-code"), { recursive: true });
  switch (seed % 12) {
    case 1:
      writeFileSync(join(bridge, "settings.json"), "{ not json");
      break;
    case 2:
      // A folder where a file should be.
      rmSync(join(bridge, "codex"), { recursive: true, force: true });
      writeFileSync(join(bridge, "codex"), "");
      break;
    case 3:
      // A disk that takes nothing.
      rmSync(join(bridge, "errors.log"), { force: true });
      symlinkSync("/dev/full", join(bridge, "errors.log"));
      break;
    case 4:
      return "/dev/null/not/a/home";
    case 5:
      for (const name of readdirSync(join(bridge, "claude-code"))) {
        if (name.endsWith(".json")) writeFileSync(join(bridge, "claude-code", name), "\u0000torn");
      }
      break;
    case 6:
      writeFileSync(
        join(bridge, "settings.json"),
        JSON.stringify({ windowTokens: 10, brackets: { fresh: -5 }, budgets: [] }),
      );
      break;
    case 7:
      // A folder that takes no entries, whoever asks.
      return "/proc/nope";
    case 8:
      // A file where the home should be.
      return join(bridge, "settings.json");
    case 9:
      // A pipe that nobody reads where the home should be.
      return pipe(join(home, "pipe"));
    case 10:
      for (const name of ["errors.log", "settings.json", "drain.at"]) pipe(join(bridge, name));
      break;
  }
  return home;
}

function pipe(path) {
  if (!existsSync(path)) execFileSync("mkfifo", [path]);
  return path;
}

/** Runs the hook once; resolves with how it ended. */
export function runHook({ agent, input, home, keepOpen = false }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [hook, agent], {
      env: { PATH: process.env["PATH"], HOME: home, REPRISE_HOME: home, REPRISE_NO_DRAIN: "1" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data) => {
      stdout += data;
    });
    child.stderr.on("data", (data) => {
      stderr += data;
    });
    child.stdin.on("error", () => undefined);
    child.stdin.write(input);
    if (!keepOpen) child.stdin.end();
    // One that hangs is a problem to report, not one to wait for.
    const clock = setTimeout(() => child.kill("SIGKILL"), 20_000);
    child.on("close", (code, signal) => {
      clearTimeout(clock);
      resolve({ code, signal, stdout, stderr });
    });
  });
}

/** Gives `rounds` cases to the hook; problems are exits other than 0, output that is no JSON, and broken logs. */
export async function fuzz({ rounds, seed, jobs }) {
  const root = temporaryFolder();
  const problems = [];
  let next = 0;
  let printed = 0;
  const work = async () => {
    for (;;) {
      const round = next;
      next += 1;
      if (round >= rounds) return;
      const { agent, input } = fuzzCase(seed + round);
      const home = homeFor(root, seed + round);
      const { code, signal, stdout, stderr } = await runHook({ agent, input, home });
      if (code !== 0)
        problems.push(
          `seed ${seed + round}: ended with ${signal ?? code}: ${stderr.slice(0, 300)}`,
        );
      if (stderr !== "") problems.push(`seed ${seed + round}: said ${stderr.slice(0, 300)}`);
      if (stdout !== "") printed += 1;
      if (stdout !== "" && !isObject(stdout))
        problems.push(`seed ${seed + round}: printed ${stdout.slice(0, 100)}`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  for (const file of logsBelow(root)) {
    for (const line of readFileSync(file, "utf8").split("\n")) {
      if (line !== "" && !isObject(line)) problems.push(`${file} holds ${line.slice(0, 100)}`);
    }
  }
  return { rounds, printed, problems };
}

function logsBelow(root) {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(root, name));
}

function isObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "10000" },
      seed: { type: "string", default: "1" },
      jobs: { type: "string", default: "2" },
    },
  });
  const [rounds, seed, jobs] = [values.rounds, values.seed, values.jobs].map(Number);
  const { problems, ...told } = await fuzz({ rounds, seed, jobs });
  process.stdout.write(`${JSON.stringify(told)}\n${problems.slice(0, 20).join("\n")}\n`);
  process.exit(problems.length === 0 ? 0 : 1);
}

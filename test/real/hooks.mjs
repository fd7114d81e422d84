// Hooks in the real programs: installed by our own command into a private home, a scripted conversation,
// a compaction, a kill; then the state, the transcript and what the model was sent are compared.
//
//   node test/real/hooks.mjs [--only claude-code] [--keep]
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { kept, temporaryFolder } from "../temporary-folder.mjs";
import { openHome, run } from "./home.mjs";
import { current, installAll } from "./install.mjs";
import { shellCommand } from "./programs.mjs";

const reprise = fileURLToPath(new URL("../../dist/bin/reprise.js", import.meta.url));
const mark = /<reprise-context v=|&lt;reprise-context v=/g;

/** By agent: what is edited, the arguments of a first and a later turn, and of a compaction where it has one without a screen. */
export const scripts = {
  "claude-code": {
    files: [".claude/settings.json"],
    settings: {
      ".claude/settings.json": '{\n  "cleanupPeriodDays": 30,\n  "env": {"A": "b"}\n}\n',
    },
    first: ({ prompt }) => [
      "-p",
      "--output-format",
      "json",
      "--allowedTools",
      "Bash",
      "--",
      prompt,
    ],
    later: ({ session, prompt }) => [
      "-p",
      "--output-format",
      "json",
      "--allowedTools",
      "Bash",
      "--resume",
      session,
      "--",
      prompt,
    ],
    compact: ({ session, home }) =>
      home.start(["-p", "--output-format", "json", "--resume", session, "/compact"]),
    shell: (command) => ({ name: "Bash", input: { command, description: "Says something" } }),
  },
  codex: {
    files: [".codex/hooks.json", ".codex/config.toml"],
    // In a repository Codex adds this by itself at its first run.
    trusts: (cwd) => ({
      ".codex/config.toml": `\n[projects.${JSON.stringify(cwd)}]\ntrust_level = "trusted"\n`,
    }),
    first: ({ prompt }) => [
      "exec",
      "--json",
      "--skip-git-repo-check",
      "--dangerously-bypass-hook-trust",
      prompt,
    ],
    later: ({ session, prompt }) => [
      "exec",
      "--json",
      "--skip-git-repo-check",
      "--dangerously-bypass-hook-trust",
      "resume",
      session,
      prompt,
    ],
    // It compacts by itself before a turn, where the last one left more than this.
    compactsInTurn: true,
    compact: ({ session, home }) =>
      home.start([
        "exec",
        "--json",
        "--skip-git-repo-check",
        "--dangerously-bypass-hook-trust",
        "-c",
        "model_auto_compact_token_limit=10",
        "resume",
        session,
        word("Compacted"),
      ]),
    shell: (cmd) => ({ name: "exec_command", input: { cmd } }),
  },
  "gemini-cli": {
    files: [".gemini/settings.json"],
    settings: {
      // In a form the program has no reason to rewrite.
      ".gemini/settings.json": `${JSON.stringify({ general: { enableAutoUpdate: false }, privacy: { usageStatisticsEnabled: false }, security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } } }, undefined, 2)}\n`,
    },
    first: ({ prompt }) => ["--model", "gemini-2.5-pro", "--yolo", "-p", prompt],
    later: ({ session, prompt }) => [
      "--model",
      "gemini-2.5-pro",
      "--yolo",
      "--resume",
      session,
      "-p",
      prompt,
    ],
    // It compresses by itself before a request that is larger than a share of the window.
    compactsInTurn: true,
    async compact({ session, home, cwd }) {
      const settings = join(cwd, ".gemini", "settings.json");
      mkdirSync(join(settings, ".."));
      writeFileSync(settings, '{"model":{"compressionThreshold":0.00001}}');
      try {
        return await home.start(this.later({ session, prompt: word("Compacted") }));
      } finally {
        rmSync(join(settings, ".."), { recursive: true });
      }
    },
    shell: (command) => ({ name: "run_shell_command", input: { command } }),
  },
  opencode: {
    files: [".config/opencode/plugin/reprise.js"],
    first: ({ prompt }) => ["run", prompt],
    later: ({ session, prompt }) => ["run", "--session", session, prompt],
    // Its screen asks its own server for it, which also runs without one.
    async compact({ session, home, cwd, lines }) {
      const port = await freePort();
      let done = false;
      const serving = home.start(["serve", "--port", String(port)], { killWhen: () => done });
      const ask = (path, init) =>
        fetch(`http://127.0.0.1:${port}${path}?directory=${encodeURIComponent(cwd)}`, init);
      const tell = (path, body) =>
        ask(path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      try {
        // It may accept a request while it starts and never answer it.
        await until(() =>
          ask("/session", { signal: AbortSignal.timeout(2_000) }).catch(() => false),
        );
        const summary = { providerID: "stub", modelID: "stub-1" };
        const answer = await tell(`/session/${session}/summarize`, summary);
        const said = await answer.text();
        // It answers before its plugins have heard of it.
        await until(() => lines().some(({ kind }) => kind === "post_compact"));
        return { code: answer.ok ? 0 : answer.status, said: () => said };
      } finally {
        done = true;
        await serving;
      }
    },
    shell: (command) => ({ name: "bash", input: { command, description: "Says something" } }),
  },
};

/** The agents whose hooks are proven. */
export const hooked = Object.keys(scripts);

/** Everything that is promised of one program's hooks; returns what does not hold. */
export async function provenHooks(program, { root, cwd }) {
  const script = scripts[program.agent];
  const home = await openHome(program, { root, name: `${program.agent}-hooks`, cwd });
  const problems = [];
  const check = (holds, says) => {
    if (!holds) problems.push(says);
  };
  const ours = async (...args) => {
    const ended = await run([process.execPath, reprise, ...args], { cwd, env: home.env.variables });
    if (ended.code !== 0) throw new Error(`reprise ${args.join(" ")}: ${ended.said()}`);
    return ended.output;
  };
  // Nothing runs on after its test.
  home.env.variables.REPRISE_NO_DRAIN = "1";
  try {
    for (const [file, text] of Object.entries(script.settings ?? {})) {
      mkdirSync(join(home.home, file, ".."), { recursive: true });
      writeFileSync(join(home.home, file), text);
    }
    for (const [file, text] of Object.entries(script.trusts?.(cwd) ?? {})) {
      appendFileSync(join(home.home, file), text);
    }
    const before = settingsOf(home.home, script.files);
    await ours("hooks", "install", program.agent, "--yes");
    // A window so small that the first event already has something to say.
    const bridge = join(home.home, ".reprise", "bridge");
    mkdirSync(bridge, { recursive: true });
    writeFileSync(join(bridge, "settings.json"), '{"windowTokens":12}');

    const turn = async (args, { prompt, says }) => {
      home.stub.say(prompt, says);
      const ended = await home.start(args);
      if (ended.code !== 0) throw new Error(`${program.agent} failed. ${ended.said()}`);
      return home.stub.requests.filter((request) => request.probe === prompt);
    };
    const first = word("First");
    const begun = await turn(script.first({ prompt: first }), {
      prompt: first,
      says: [script.shell(shellCommand), "Done."],
    });
    check(begun.length === 2, `the first turn made ${begun.length} requests`);
    const session = sessionIn(bridge, program.agent);
    check(session !== undefined, "no hook has run");
    if (session === undefined) return problems;
    const compareGiven = (request, when) => {
      const promised = givenIn(linesOf(bridge, program.agent, session));
      check(promised.length > 0, `${when}: nothing was given`);
      check(
        marks(request) === promised.length,
        `${when}: ${promised.length} contexts were given, the model has ${marks(request)}`,
      );
    };
    compareGiven(begun.at(-1), "the first turn");

    const second = word("Second");
    const later = await turn(script.later({ session, prompt: second }), {
      prompt: second,
      says: ["Again."],
    });
    compareGiven(later.at(-1), "the second turn");
    const lived = stateOf(await ours("bracket", `${program.agent}:${session}`, "--json"));
    check(lived.promptCount === 2, `${lived.promptCount} prompts of 2 were counted`);
    check(total(lived.tools) === 1, `${total(lived.tools)} calls of 1 were counted`);
    check(
      lived.context.tokens === 15,
      `the context is said to have ${lived.context.tokens} tokens of 15`,
    );

    await settled();
    await ours("drain");
    const compared = stateOf(await ours("bracket", `${program.agent}:${session}`, "--json"));
    check(
      compared.promptCount === lived.promptCount && total(compared.tools) === total(lived.tools),
      `the transcript counts ${compared.promptCount} prompts, ${JSON.stringify(compared.tools)}; hooks ${lived.promptCount}, ${JSON.stringify(lived.tools)}`,
    );

    if (script.compact !== undefined) {
      const ended = await script.compact({
        session,
        home,
        cwd,
        lines: () => linesOf(bridge, program.agent, session),
      });
      // What is left after it has room in its window.
      writeFileSync(join(bridge, "settings.json"), '{"windowTokens":100000}');
      check(ended.code === 0, `the compaction failed: ${ended.said()}`);
      const third = word("Third");
      const after = await turn(script.later({ session, prompt: third }), {
        prompt: third,
        says: ["Still here."],
      });
      compareGiven(after.at(-1), "after the compaction");
      const kinds = givenIn(linesOf(bridge, program.agent, session)).flatMap(({ injected }) =>
        injected.map(({ kind }) => kind),
      );
      check(kinds.includes("handoff"), `after the compaction was given: ${kinds.join(", ")}`);
    }

    const marker = join(cwd, `running-${program.agent}`);
    const last = word("Last");
    home.stub.say(last, [script.shell(`touch running-${program.agent}; sleep 60`), "Never said."]);
    await home.start(script.later({ session, prompt: last }), {
      killWhen: () => existsSync(marker),
    });
    await settled();
    await ours("drain");
    const killed = stateOf(await ours("bracket", `${program.agent}:${session}`, "--json"));
    const compacted = script.compact === undefined ? 0 : script.compactsInTurn ? 2 : 1;
    const prompts = lived.promptCount + compacted + 1;
    check(
      killed.promptCount === prompts,
      `after the kill ${killed.promptCount} prompts of ${prompts}`,
    );
    check(total(killed.tools) === 1, `after the kill ${JSON.stringify(killed.tools)}`);

    await ours("hooks", "uninstall", program.agent, "--yes");
    for (const file of script.files) {
      const now = settingsOf(home.home, [file])[file];
      check(now === before[file], `${file} is not as it was before`);
    }
    const errors = join(bridge, "errors.log");
    if (existsSync(errors)) problems.push(`errors.log: ${readFileSync(errors, "utf8").trim()}`);
    return problems;
  } finally {
    await home.close();
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Waits for something to become true; what follows tells where it never does. */
async function until(holds, tries = 300) {
  for (let left = tries; left > 0 && !(await holds()); left -= 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
}

let words = 0;

/** A prompt no other turn has; one word, because OpenCode puts several into quotes. */
function word(name) {
  words += 1;
  return `${name}-${words}-of-${process.pid}.`;
}

/** A session that had an event less than a second ago may still go on. */
function settled() {
  return new Promise((resolve) => setTimeout(resolve, 1_100));
}

function marks({ body } = {}) {
  return [...(JSON.stringify(body ?? "").match(mark) ?? [])].length;
}

/** The lines of a session's log. */
function linesOf(bridge, agent, session) {
  const folder = join(bridge, agent);
  const logs = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
  return logs
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line))
    .filter((line) => line.session === session);
}

/** The lines that gave something to the context of now. */
function givenIn(lines) {
  const begins = lines.findLastIndex(
    ({ kind, source, compaction }) =>
      kind === "post_compact" ||
      compaction !== undefined ||
      (kind === "session_start" && (source === "compact" || source === "clear")),
  );
  return lines.slice(Math.max(0, begins)).filter(({ injected }) => injected !== undefined);
}

function sessionIn(bridge, agent) {
  const folder = join(bridge, agent);
  if (!existsSync(folder)) return undefined;
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".jsonl"))) {
    const lines = readFileSync(join(folder, name), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    if (lines.some(({ kind }) => kind === "prompt")) return lines[0].session;
  }
  return undefined;
}

function stateOf(json) {
  const { state } = JSON.parse(json);
  if (state === undefined) throw new Error("no hook kept a state");
  return state;
}

function total(tools) {
  return Object.values(tools).reduce((sum, count) => sum + count, 0);
}

function settingsOf(home, files) {
  return Object.fromEntries(
    files.map((file) => [
      file,
      existsSync(join(home, file)) ? readFileSync(join(home, file), "latin1") : undefined,
    ]),
  );
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { only: { type: "string" }, keep: { type: "boolean" } },
  });
  const wanted = values.only?.split(",") ?? hooked;
  const root = temporaryFolder();
  const cwd = join(root, "project");
  mkdirSync(cwd);
  if (values.keep) process.stdout.write(`kept: ${kept(root)}\n`);
  let failed = 0;
  for (const program of await installAll(current.filter(({ agent }) => wanted.includes(agent)))) {
    const problems = await provenHooks(program, { root, cwd }).catch((error) => [
      String(error.stack ?? error),
    ]);
    if (problems.length > 0) failed += 1;
    process.stdout.write(
      `${program.agent} ${program.version}: ${problems.length === 0 ? "ok" : problems.join("; ")}\n`,
    );
  }
  process.exit(failed === 0 ? 0 : 1);
}

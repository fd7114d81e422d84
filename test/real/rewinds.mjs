// Going back in the real programs: a turn that changes a file, a turn whose shell removes a folder, then `reprise rewind` to
// the checkpoint before it. The files must be those of that moment, and the program that continues the session must send
// its model exactly the history up to there. Checkpoints are taken by hooks, or by hand for a program without any.
//
//   node test/real/rewinds.mjs [--only claude-code] [--keep]
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { kept, temporaryFolder } from "../temporary-folder.mjs";
import { firstDifference } from "./compare.mjs";
import { openHome, run } from "./home.mjs";
import { scripts as hookScripts } from "./hooks.mjs";
import { current, installAll } from "./install.mjs";
import { programs } from "./programs.mjs";

const reprise = fileURLToPath(new URL("../../dist/bin/reprise.js", import.meta.url));

/** By agent, as for the hooks; pi has no hooks. */
const scripts = {
  ...hookScripts,
  pi: {
    first: ({ prompt }) => ["-p", prompt],
    later: ({ session, prompt }) => ["--session", session, "-p", prompt],
    shell: (command) => ({ name: "bash", input: { command } }),
  },
};

/** The agents whose rewinds are proven. */
export const rewound = Object.keys(scripts);

/** Everything that is promised of going back in one program; returns what does not hold. */
export async function provenRewind(program, { root }) {
  const { agent } = program;
  const script = scripts[agent];
  const hasHooks = hookScripts[agent] !== undefined;
  const cwd = join(root, `rewound-${agent}`);
  mkdirSync(join(cwd, "src"), { recursive: true });
  const file = join(cwd, "src", "a.txt");
  writeFileSync(file, "one\n");
  writeFileSync(join(cwd, "mine.txt"), "mine\n");
  const home = await openHome(program, { root, name: `${agent}-rewind`, cwd });
  const problems = [];
  const check = (holds, says) => {
    if (!holds) problems.push(says);
  };
  const ours = async (...args) => {
    const ended = await run([process.execPath, reprise, ...args, "--json"], {
      cwd,
      env: home.env.variables,
    });
    if (ended.code !== 0) throw new Error(`reprise ${args.join(" ")}: ${ended.said()}`);
    return JSON.parse(ended.output);
  };
  const turn = async (args, prompt, says) => {
    home.stub.say(prompt, says);
    const ended = await home.start(args);
    if (ended.code !== 0) throw new Error(`${agent} failed. ${ended.said()}`);
    return home.stub.conversations(prompt);
  };
  // Nothing runs on after its test.
  home.env.variables.REPRISE_NO_DRAIN = "1";
  try {
    if (hasHooks) await withHooks({ script, home, cwd, ours, agent });
    const [first, second, third] = ["First", "Second", "Third"].map((name) => word(name));
    await turn(script.first({ prompt: first }), first, [
      script.shell("echo two > src/a.txt"),
      "Written.",
    ]);
    check(textOf(file) === "two\n", "the first turn wrote nothing");
    const session = (await ours("list", "--agent", agent)).sessions[0]?.session;
    if (!hasHooks) await ours("checkpoint", "-m", "by hand");
    const [before] = await turn(script.later({ session, prompt: second }), second, [
      script.shell(`${removing(agent)} src && echo new > since.txt`),
      "Removed.",
    ]);
    check(!existsSync(join(cwd, "src")), "the second turn removed nothing");

    const { checkpoints } = await ours("checkpoint", "list");
    const wanted = hasHooks ? "prompt" : "asked";
    const target = checkpoints.findLast(({ reason }) => reason === wanted);
    check(target !== undefined, `no checkpoint was taken: ${JSON.stringify(checkpoints)}`);
    if (target === undefined) return problems;
    check(!target.incomplete, "the checkpoint is incomplete");
    const back = await ours("rewind", String(target.number), "--both", "--yes");
    check(textOf(file) === "two\n", `src/a.txt has ${JSON.stringify(textOf(file))}`);
    check(textOf(join(cwd, "mine.txt")) === "mine\n", "a file nobody touched changed");
    check(!existsSync(join(cwd, "since.txt")), "a file that came since is still there");

    const fork = back.fork?.slice(agent.length + 1);
    check(fork !== undefined, `no session to continue: ${JSON.stringify(back)}`);
    const [after] = await home.turn({ session: fork, prompt: third, says: ["Continued."] });
    const difference = firstDifference(story(before, { agent, second, third }), after, agent);
    check(difference === undefined, difference);
    // The way forward again.
    await ours("undo", "--yes");
    check(!existsSync(join(cwd, "src")), "undo did not return");
    check(textOf(join(cwd, "since.txt")) === "new\n", "undo did not bring back what was new");
    return problems;
  } finally {
    await home.close();
  }
}

/** Hooks as a user installs them, time enough for a busy machine, and the base that a session's start has captured. */
async function withHooks({ script, home, cwd, ours, agent }) {
  for (const [file, text] of Object.entries(script.settings ?? {})) {
    mkdirSync(join(home.home, file, ".."), { recursive: true });
    writeFileSync(join(home.home, file), text);
  }
  await ours("hooks", "install", agent, "--yes");
  const settings = { promptCheckpointMs: 30_000, toolCheckpointMs: 30_000, injectedTokens: 1 };
  const bridge = join(home.home, ".reprise", "bridge");
  mkdirSync(bridge, { recursive: true });
  writeFileSync(join(bridge, "settings.json"), JSON.stringify(settings));
  await ours("drain", "--base", cwd, "--base-only");
}

/** What was said before, as it must be said again with another prompt; what the program adds by itself is left out. */
function story(atoms, { agent, second, third }) {
  const { injected, unmarked = (text) => text } = programs[agent];
  const answered = new Set();
  return atoms
    .filter(({ kind, text, id }) => {
      if (kind === "user") return !injected.some((pattern) => pattern.test(text));
      // Gemini CLI sends each result of its own calls twice.
      return kind !== "result" || (!answered.has(id) && answered.add(id));
    })
    .map((atom) =>
      atom.text === undefined
        ? atom
        : { ...atom, text: unmarked(atom.text).replaceAll(second, third) },
    );
}

function textOf(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Codex refuses to run `rm -rf` where nobody can be asked. */
function removing(agent) {
  return agent === "codex" ? "rm -r" : "rm -rf";
}

let words = 0;

/** A prompt no other turn has; one word, because OpenCode puts several into quotes. */
function word(name) {
  words += 1;
  return `${name}-${words}-back-${process.pid}.`;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { only: { type: "string" }, keep: { type: "boolean" } },
  });
  const wanted = values.only?.split(",") ?? rewound;
  const root = temporaryFolder();
  if (values.keep) process.stdout.write(`kept: ${kept(root)}\n`);
  let failed = 0;
  for (const program of await installAll(current.filter(({ agent }) => wanted.includes(agent)))) {
    const began = Date.now();
    const problems = await provenRewind(program, { root }).catch((error) => [
      String(error.stack ?? error),
    ]);
    if (problems.length > 0) failed += 1;
    process.stdout.write(
      `${program.agent} ${program.version} ${((Date.now() - began) / 1000).toFixed(1)} s: ${problems.length === 0 ? "ok" : problems.join("; ")}\n`,
    );
  }
  process.exit(failed === 0 ? 0 : 1);
}

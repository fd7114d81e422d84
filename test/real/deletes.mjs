// Deleting sessions of the real programs: refused while the program runs, in the middle of a turn (the session named, then as
// its newest one) and waiting on a terminal; afterwards it goes, comes back byte for byte, and the program resumes it.
//
//   node test/real/deletes.mjs [--only claude-code] [--keep]
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadAgents } from "../../dist/rooms/agents/registry.js";
import { startOnTerminal } from "../pty.mjs";
import { kept, temporaryFolder } from "../temporary-folder.mjs";
import { byHand, said } from "./by-hand.mjs";
import { firstDifference } from "./compare.mjs";
import { openHome, run } from "./home.mjs";
import { current, installAll } from "./install.mjs";
import { programs } from "./programs.mjs";

const reprise = fileURLToPath(new URL("../../dist/bin/reprise.js", import.meta.url));
const agents = await loadAgents();

/** By agent: how its newest session is opened on a terminal. */
const waiting = {
  "claude-code": ["--continue"],
  codex: ["resume", "--last"],
  "gemini-cli": ["--resume", "latest"],
  opencode: ["--continue"],
  pi: ["-c"],
  "copilot-cli": ["--continue"],
  "qwen-code": ["--continue"],
  amp: ["threads", "continue", "--last"],
};

/** The agents whose deletions are proven. */
export const deleted = Object.keys(waiting);

/** Everything that is promised of deleting a session of one program; returns what does not hold. */
export async function provenDelete(installed, { root, cwd }) {
  const { agent } = installed;
  const program = named(installed, root);
  const home = await openHome(program, { root, name: `${agent}-delete`, cwd });
  const problems = [];
  const check = (holds, says) => {
    if (!holds) problems.push(says);
  };
  const ours = (...args) =>
    run([process.execPath, reprise, ...args], { cwd, env: home.env.variables });
  try {
    const session = await byHand[agent]({ root, cwd, home: home.home, start: home.start });
    const ref = `${agent}:${session}`;
    const story = [...said];
    const heard = (sent, when) => {
      const difference = firstDifference(story, sent, agent);
      check(difference === undefined, `${when}: ${difference}`);
      story.push({ kind: "assistant", text: "Answered." });
    };
    const refused = async (when) => {
      const { code, errors, said: all } = await ours("delete", ref, "--yes");
      check(code === 4, `${when}: delete ended with ${code}: ${all()}`);
      check(/may be writing this session: process \d+/.test(errors), `${when}: ${errors}`);
      check(/Quit .+, then delete the session again/.test(errors), `${when}: no hint`);
    };
    for (const [at, of] of [session, undefined].entries()) {
      const prompt = `Held-${at}-${process.pid}.`;
      story.push({ kind: "user", text: prompt });
      heard(await duringTurn(home, { session: of, prompt, work: () => refused(prompt) }), prompt);
    }
    const plan = JSON.parse((await ours("delete", ref, "--json")).output);
    // As if it were an hour ago: that the session changed lately must not be what refuses.
    const hourAgo = new Date(Date.now() - 3_600_000);
    for (const file of plan.files) utimesSync(file, hourAgo, hourAgo);
    await onTerminal(program, { home, cwd, work: () => refused("on a terminal") });

    const before = bytesOf(plan.files);
    const gone = await ours("delete", ref, "--yes");
    check(gone.code === 0, `delete: ${gone.said()}`);
    check(!plan.files.some(existsSync), "a file of it is still there");
    const listed = await ours("list", "--agent", agent, "--all", "--json");
    check(!listed.output.includes(session), "it is still listed");
    const back = await ours("undo", "--yes");
    check(back.code === 0, `undo: ${back.said()}`);
    check(bytesOf(plan.files).equals(before), "its bytes are not what they were");
    const prompt = `Back-${process.pid}.`;
    story.push({ kind: "user", text: prompt });
    const [sent] = await home.turn({ session, prompt, says: ["Answered."] });
    heard(sent, "after undo");
    return problems;
  } finally {
    await home.close();
  }
}

/** The program under the name that people type: it is known among the processes by it. */
function named(program, root) {
  const { agent, argv } = program;
  const folder = join(root, `bin-${agent}`);
  mkdirSync(folder, { recursive: true });
  const link = join(folder, agents.find(({ name }) => name === agent).program);
  symlinkSync(argv.at(-1), link);
  return { ...program, argv: [...argv.slice(0, -1), link] };
}

/** A turn whose model answers only once the work is done; returns what the model was sent. */
async function duringTurn(home, { session, prompt, work }) {
  let answer;
  const after = new Promise((resolve) => {
    answer = resolve;
  });
  home.stub.say(prompt, [{ after, says: "Answered." }]);
  const asked = home.stub.asked(prompt);
  const ending = home.start(programs[home.program.agent].turn({ session, prompt }));
  await Promise.race([asked.then(work), ending]).finally(answer);
  const ended = await ending;
  const [sent] = home.stub.conversations(prompt);
  if (sent === undefined || ended.code !== 0)
    throw new Error(`${home.program.agent} failed. ${ended.said()}`);
  return sent;
}

/** The program's own screen, with nothing typed into it. */
async function onTerminal(program, { home, cwd, work }) {
  const [file, ...args] = [...program.argv, ...waiting[program.agent]];
  const env = { ...home.env.variables, TERM: "xterm-256color" };
  const terminal = startOnTerminal(file, args, { cwd, env, columns: 100, rows: 40 });
  const ended = new Promise((resolve) => terminal.onExit(resolve));
  try {
    let screen = "";
    const drawn = new Promise((resolve) => {
      terminal.onData((data) => {
        screen += data;
        resolve();
      });
    });
    await Promise.race([drawn, ended]);
    await Promise.race([work(), ended.then(() => Promise.reject(new Error(`ended: ${screen}`)))]);
  } finally {
    terminal.kill("SIGKILL");
    await ended;
  }
}

function bytesOf(files) {
  return Buffer.concat(files.map((file) => readFileSync(file)));
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { only: { type: "string" }, keep: { type: "boolean" } },
  });
  const wanted = values.only?.split(",") ?? deleted;
  const root = temporaryFolder();
  const cwd = join(root, "project");
  mkdirSync(cwd);
  if (values.keep) process.stdout.write(`kept: ${kept(root)}\n`);
  let failed = 0;
  for (const program of await installAll(current.filter(({ agent }) => wanted.includes(agent)))) {
    const problems = await provenDelete(program, { root, cwd }).catch((error) => [
      String(error.stack ?? error),
    ]);
    if (problems.length > 0) failed += 1;
    const says = problems.length === 0 ? "ok" : problems.join("; ");
    process.stdout.write(`${program.agent} ${program.version}: ${says}\n`);
  }
  process.exit(failed === 0 ? 0 : 1);
}

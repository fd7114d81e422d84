// Commands inside the real programs: installed by our own command into a private home, typed, and what the
// model is sent holds the page; then uninstalled without a trace.
//
//   node test/real/slash.mjs [--only claude-code]
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { temporaryFolder } from "../temporary-folder.mjs";
import { openHome, run } from "./home.mjs";
import { current, installAll } from "./install.mjs";

const reprise = fileURLToPath(new URL("../../dist/bin/reprise.js", import.meta.url));

/** By agent: how a command is typed without a screen, and the folder its pages lie in. */
const typed = {
  "claude-code": {
    args: (name, words) => ["-p", "--output-format", "json", "--", `/reprise:${name} ${words}`],
    folder: ".claude/commands",
  },
  "gemini-cli": {
    args: (name, words) => [
      "--model",
      "gemini-2.5-pro",
      "--yolo",
      "-p",
      `/reprise:${name} ${words}`,
    ],
    folder: ".gemini/commands",
  },
  opencode: {
    args: (name, words) => ["run", "--command", `reprise/${name}`, words],
    folder: ".config/opencode/commands",
  },
};

/** The agents whose commands are proven. */
export const slashed = Object.keys(typed);

/** Everything that is promised of one program's commands; returns what does not hold. */
export async function provenSlash(program, { root, cwd }) {
  const { args, folder } = typed[program.agent];
  const home = await openHome(program, { root, name: `${program.agent}-slash`, cwd });
  const problems = [];
  const ours = async (...words) => {
    const ended = await run([process.execPath, reprise, ...words], {
      cwd,
      env: home.env.variables,
    });
    if (ended.code !== 0) throw new Error(`reprise ${words.join(" ")}: ${ended.said()}`);
  };
  try {
    await ours("slash", "install", program.agent, "--yes");
    const words = `words-of-${process.pid}.`;
    home.stub.say(words, ["Done."]);
    const ended = await home.start(args("session-start", words));
    if (ended.code !== 0) problems.push(`the program failed: ${ended.said()}`);
    const [sent] = home.stub.requests.filter(({ probe }) => probe === words);
    const text = JSON.stringify(sent?.body ?? "");
    if (!text.includes(`A piece of work begins. Its goal: ${words}`))
      problems.push(`the model was not sent the page: ${ended.said()}`);
    await ours("slash", "uninstall", program.agent, "--yes");
    if (existsSync(join(home.home, folder))) problems.push(`${folder} was left behind`);
    return problems;
  } finally {
    await home.close();
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  const wanted = values.only?.split(",") ?? slashed;
  const root = temporaryFolder();
  const cwd = join(root, "project");
  mkdirSync(cwd);
  let failed = 0;
  for (const program of await installAll(current.filter(({ agent }) => wanted.includes(agent)))) {
    const problems = await provenSlash(program, { root, cwd }).catch((error) => [String(error)]);
    if (problems.length > 0) failed += 1;
    const says = problems.length === 0 ? "ok" : problems.join("; ");
    process.stdout.write(`${program.agent} ${program.version}: ${says}\n`);
  }
  process.exit(failed === 0 ? 0 : 1);
}

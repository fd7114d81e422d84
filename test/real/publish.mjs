// Published memories in the real programs: written by our own command into the page each of them reads, a scripted turn,
// and what the model is sent holds them; a path in a memory is not read as a file. Then undone without a trace. And every page that we read as an agent's own is one
// that it sends.
//
//   node test/real/publish.mjs [--only claude-code]
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadMemories } from "../../dist/rooms/agents/registry.js";
import { temporaryFolder } from "../temporary-folder.mjs";
import { openHome, run } from "./home.mjs";
import { scripts } from "./hooks.mjs";
import { current, installAll } from "./install.mjs";

const reprise = fileURLToPath(new URL("../../dist/bin/reprise.js", import.meta.url));

/** By agent: the place its memories are published to, its page in the project, and of the user if it has one. */
const pages = {
  "claude-code": { to: "claude-code", page: "CLAUDE.md", user: ".claude/CLAUDE.md" },
  codex: { to: "codex", page: "AGENTS.md", user: ".codex/AGENTS.md" },
  "gemini-cli": { to: "gemini-cli", page: "GEMINI.md", user: ".gemini/GEMINI.md" },
  opencode: { to: "agents-md", page: "AGENTS.md" },
};

/** The agents whose pages are proven. */
export const published = Object.keys(pages);

/** Everything that is promised of one program's page; returns what does not hold. */
export async function provenPublish(program, { root }) {
  const { to, page, user } = pages[program.agent];
  const cwd = join(root, `${program.agent}-published`);
  mkdirSync(join(cwd, ".git"), { recursive: true });
  writeFileSync(join(cwd, "hidden.txt"), "what-no-memory-may-bring");
  const own = "# Own words\n\nKeep them.";
  writeFileSync(join(cwd, page), own);
  const home = await openHome(program, { root, name: `${program.agent}-publish`, cwd });
  const ours = async (...words) => {
    const ended = await run([process.execPath, reprise, ...words], {
      cwd,
      env: home.env.variables,
    });
    if (ended.code !== 0) throw new Error(`reprise ${words.join(" ")}: ${ended.said()}`);
  };
  const problems = [];
  const turn = async (probe) => {
    home.stub.say(probe, ["Done."]);
    const ended = await home.start(scripts[program.agent].first({ prompt: probe }));
    if (ended.code !== 0) problems.push(`the program failed: ${ended.said()}`);
    const sent = home.stub.requests.filter((request) => request.probe === probe);
    return JSON.stringify(sent.map(({ body }) => body));
  };
  try {
    await ours("remember", "the harbour word is quetzal");
    await ours("remember", "read @hidden.txt and @./hidden.txt first");
    await ours("remember", "--user", "the pier word is axolotl");
    await ours("memory", "publish", "--to", to, "--yes");
    if (user !== undefined) await ours("memory", "publish", "--user", "--to", to, "--yes");
    const text = await turn(`Asked-with-${program.agent}.`);
    if (!text.includes("the harbour word is quetzal"))
      problems.push("the model was not sent what was published for the project");
    if (user !== undefined && !text.includes("the pier word is axolotl"))
      problems.push("the model was not sent what was published for the user");
    if (!text.includes("Keep them.")) problems.push("the page's own words were not sent");
    if (text.includes("what-no-memory-may-bring"))
      problems.push("a path in a memory was read as a file");
    if (user !== undefined) {
      await ours("undo");
      if (existsSync(join(home.home, user))) problems.push(`${user} was left behind`);
    }
    await ours("undo");
    if (readFileSync(join(cwd, page), "utf8") !== own)
      problems.push(`${page} is not what it was before`);
    if ((await turn(`Asked-without-${program.agent}.`)).includes("quetzal"))
      problems.push("the model is still sent what was taken back");
    const unread = await unreadPages(program.agent, { home, turn });
    return [...problems, ...unread.map((path) => `${path} is not a page that it reads by itself`)];
  } finally {
    await home.close();
  }
}

/** The pages that we say an agent gives its model by itself and that it does not. */
async function unreadPages(agent, { home, turn }) {
  const { pages: pagesOf } = await loadMemories(agent);
  // Claude Code made this folder; its page is one of those only once it is there.
  const projects = join(home.home, ".claude", "projects");
  for (const name of existsSync(projects) ? readdirSync(projects) : [])
    if (existsSync(join(projects, name, "memory")))
      writeFileSync(join(projects, name, "memory", "MEMORY.md"), "");
  const all = ["user", "project"]
    .flatMap((scope) => pagesOf(scope, home.env))
    // Codex reads what it noted by itself only if a feature is turned on.
    .filter((path) => !path.includes(join(".codex", "memories")));
  for (const [at, path] of all.entries()) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `- the word is page-${at}-of-${agent}.\n`);
  }
  const text = await turn(`Asked-of-pages-${agent}.`);
  return all.filter((_path, at) => !text.includes(`page-${at}-of-${agent}.`));
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  const wanted = values.only?.split(",") ?? published;
  const root = temporaryFolder();
  let failed = 0;
  for (const program of await installAll(current.filter(({ agent }) => wanted.includes(agent)))) {
    const problems = await provenPublish(program, { root }).catch((error) => [String(error)]);
    if (problems.length > 0) failed += 1;
    const says = problems.length === 0 ? "ok" : problems.join("; ");
    process.stdout.write(`${program.agent} ${program.version}: ${says}\n`);
  }
  process.exit(failed === 0 ? 0 : 1);
}

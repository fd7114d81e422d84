// Writes the pages that are made from the program itself: docs/cli.md from the table of commands,
// docs/errors.md from the list of errors, docs/agents/README.md from the registry, docs/conversions.md
// from the table of allowed losses, docs/api from the declarations of the library.
// With --check nothing is written, and a page that differs from what would be written fails.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { apiPages } from "./api-pages.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isCheck = process.argv.includes("--check");
const generated = "<!-- Made by `npm run docs`; do not edit. -->";

/** Does something with a folder that is removed afterwards. */
async function withFolder(use) {
  const cache = join(root, ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "docs-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The program's own tables, bundled for this Node. */
function loadProgram() {
  return withFolder(async (folder) => {
    const outfile = join(folder, "program.mjs");
    const contents = `
      export { commands } from "./src/programs/cli/run/commands.ts";
      export { helpText } from "./src/programs/cli/run/parse.ts";
      export { manPage } from "./src/programs/cli/run/man-page.ts";
      export { exitCodeOf } from "./src/programs/cli/run/errors.ts";
      export { errorHints } from "./src/base/errors.ts";
      export { loadAgents } from "./src/agents/registry.ts";
      export { lossReasons } from "./src/model/loss.ts";`;
    await build({
      absWorkingDir: root,
      stdin: { contents, resolveDir: root, loader: "ts" },
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      external: ["@photostructure/sqlite"],
      banner: {
        js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
      },
      logLevel: "warning",
    });
    return import(pathToFileURL(outfile).href);
  });
}

function cliPage(commands, helpText) {
  const rows = commands.map(({ command, aliases = [] }) => {
    const also =
      aliases.length === 0 ? "" : ` (also ${aliases.map((name) => `\`${name}\``).join(", ")})`;
    return `| [\`${command.name}\`](#${command.name})${also} | ${command.summary} |`;
  });
  const sections = commands.map(
    ({ command }) => `## ${command.name}\n\n\`\`\`text\n${helpText(command).trimEnd()}\n\`\`\`\n`,
  );
  return `${generated}

# The command line

\`reprise\` alone lets you choose a session on a terminal, and prints the list elsewhere.
\`reprise --continue\` continues the newest session of this project; \`reprise --resume [ref]\` a session you name or choose.

| command | what it does |
|---|---|
${rows.join("\n")}

## References

| reference | names |
|---|---|
| \`3f9a1c\` | the session whose id begins so |
| \`codex:01a1\` | the same among one agent's sessions |
| \`rate limit\` | the session with these words in its title |
| \`release\` | the session with this tag |
| \`./session.jsonl\` | the session in this file |
| \`@last\` | the newest session of this project, or of all where it has none |
| \`codex:@last\` | the same, of one agent |
| \`ref@57\`, \`ref@57.2\` | an event of a session, by its number |
| \`ref@<native id>\` | an event of a session, by the agent's own id |

If several sessions match, the candidates are listed and the exit code is 3.

## Exit codes

| code | meaning |
|---|---|
| 0 | done; also a plan that was shown, and a list with nothing in it |
| 1 | failed, or nothing found: a search, a question, or a list with a filter that matches nothing |
| 2 | wrong usage |
| 3 | no such session, checkpoint, memory or file, or several that match |
| 4 | conflict: another writer, newer events, or a file that exists |

With \`--json\` an error is one line on standard error: \`{"error":{"code","message","hint","details"}}\`; the codes are in [errors.md](errors.md).
\`NO_COLOR\` turns colours off; \`PAGER\` names the pager, which is not used where \`TERM\` is \`dumb\`; \`REPRISE_HOME\` the folder of our own store.

${sections.join("\n")}`;
}

function errorsPage(errorHints, exitCodeOf) {
  const rows = Object.entries(errorHints).map(
    ([code, hint]) => `| \`${code}\` | ${exitCodeOf(code)} | ${hint.replaceAll("|", "\\|")} |`,
  );
  return `${generated}

# Errors

Every failure of the library is a \`RepriseError\` with one of these codes; the program exits with the number beside it.

| code | exit | what to do |
|---|---|---|
${rows.join("\n")}
`;
}

/** The versions of an agent that test:real ran, as the conformance page has them. */
function versionsRun(title, conformance) {
  const rows = conformance.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const versions = rows
    .filter(([, agent, , read]) => agent === title && read === "yes")
    .map(([, , version]) => version);
  return versions.length === 0 ? "not run" : versions.join(", ");
}

function agentsPage(agents, conformance) {
  const yes = (value) => (value ? "yes" : "no");
  const rows = agents.map(({ name, title, capabilities, resume }) => {
    const { thinking, images, tree, compaction, subagents, titles, needsSqlite, versionsProven } =
      capabilities;
    const cells = [
      thinking,
      images,
      tree,
      compaction,
      subagents,
      titles,
      needsSqlite,
      resume !== undefined,
    ].map(yes);
    return `| [${title}](${name}.md) | \`${name}\` | ${cells.join(" | ")} | ${versionsProven.join(", ") || "none"} | ${versionsRun(title, conformance)} |`;
  });
  return `${generated}

# Agents

What each agent's own format holds; the versions whose sessions are in the tests; and the versions that \`npm run test:real\`
ran, with what it saw in [conformance.md](../conformance.md).

| agent | name | thinking | images | tree | compaction | subagents | titles | SQLite | resume | in the tests | run |
|---|---|---|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}
`;
}

async function conversionsPage(agents, reasons) {
  const targets = agents.filter(({ writer }) => writer !== undefined);
  const names = Object.keys(reasons);
  const rows = targets.map(({ title, losses }) => {
    const cells = names.map((reason) => (losses.includes(reason) ? "may be lost" : ""));
    return `| ${title} | ${cells.join(" | ")} |`;
  });
  const writers = await Promise.all(targets.map(({ writer }) => writer()));
  const held = targets.map(({ title }, at) => {
    const { holds } = writers[at];
    const images = holds.images.map((kind) => kind.replace("image/", "")).join(", ") || "none";
    const calls = holds.tools ? "as calls" : "told as text";
    return `| ${title} | ${holds.thinking} | ${images === "*" ? "any" : images} | ${calls} |`;
  });
  return `${generated}

# Conversions

A session of any agent can be continued in any agent below. What is written is a new session in that agent's own store; the one it was made from is never changed.

## What happens

1. The live path of the session is read: what its program would replay, up to the event you name.
2. It is brought into a shape every API accepts: a user turn or a summary first, every call answered right after its message in the order of the calls, ids made valid, tools called by the target's names where both agents have the same tool. A call that cannot be said exactly in the target's words stays as it is.
3. Where it does not fit the budget, the newest turns are kept whole and the rest is replaced by a summary. A turn that is too long by itself keeps its newest steps. The last step is kept even where it alone is over the budget: the report says so, and \`--strict\` refuses. The summary is made from at most 4,000 events, the first thousand and the newest; the report says how many it looks past.
4. The target's writer stages it and syncs it; what will be added is written into the journal; then the writer publishes it without overwriting anything. Should the command be killed, the next one that changes something takes it back.
5. It is read back with the target's reader and compared with what was meant; a difference removes it again. A long session is read back while it is still being written, in a thread of its own, and gets its name afterwards.
6. The addition is noted, so that undoing removes exactly what was added, as long as the target has not touched it.

Text that agents, hooks and programs put into a conversation belongs to that agent and is left out; the report counts it. Permissions and credentials are never carried over.

## What may be lost

User text, assistant text, tool calls and tool results are never lost. This is the whole list of what may be, and the report of each conversion counts it:

| target | ${names.map((name) => reasons[name]).join(" | ")} |
|---|${names.map(() => "---|").join("")}
${rows.join("\n")}

\`--strict\` refuses a conversion that would lose any of it, or summarise earlier turns.

## What each target takes

| target | thinking | images | tools |
|---|---|---|---|
${held.join("\n")}

\`same-model\`: only thinking the same agent's model signed; \`text\`: any; \`never\`: none.

## How it is written and taken back

| target | added | taken back |
|---|---|---|
| Claude Code, Gemini CLI, pi, Reprise | one new file, with the folders it needs | the file and those folders, if the file is unchanged |
| Codex CLI | one new file; a title is one line at the end of \`session_index.jsonl\` | the file, if unchanged; the line, while it is the last |
| Copilot CLI | a new folder with two files | both files and the folder, if they are unchanged |
| Amp | a new file, after a warning and a yes | the file, if it is unchanged |
| Qwen Code | a new file | the file, if it is unchanged |
| OpenCode | rows in one transaction | those rows, if they are unchanged |
| Aider | one append to \`.aider.chat.history.md\` of the repository or folder | the append, while it is the end of the file |

Aider keeps no tool calls: what a model said and did in one turn becomes one text in which calls and answers are quoted word for word. Lines of it that Aider would take for something else are moved by one space.

A prompt that Claude Code, Codex CLI or Gemini CLI would take for context of its own, such as \`<bash-stdout>…</bash-stdout>\`, is written with a zero-width space in front. Claude Code's and Codex CLI's readers take it away again.
`;
}

const program = await loadProgram();
const agents = await program.loadAgents();
const commands = await Promise.all(
  program.commands.map(async (entry) => ({ ...entry, command: await entry.load() })),
);
const pages = {
  "docs/cli.md": cliPage(commands, program.helpText),
  "docs/reprise.1": program.manPage(commands.map(({ command }) => command)),
  "docs/errors.md": errorsPage(program.errorHints, program.exitCodeOf),
  "docs/agents/README.md": agentsPage(
    agents,
    readFileSync(join(root, "docs", "conformance.md"), "utf8"),
  ),
  "docs/conversions.md": await conversionsPage(agents, program.lossReasons),
  ...(await withFolder((folder) => apiPages(folder, { root, generated }))),
};
for (const [name, text] of Object.entries(pages)) {
  const path = join(root, name);
  if (isCheck) {
    let there = "";
    try {
      there = readFileSync(path, "utf8");
    } catch {
      // A page that is not there differs from every page.
    }
    if (there === text) continue;
    process.stderr.write(`${name} is not up to date: run \`npm run docs\`.\n`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

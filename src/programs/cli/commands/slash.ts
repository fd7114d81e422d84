import { accessSync, constants } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { RepriseError } from "../../../base/errors.ts";
import { folderExists } from "../../../base/folders.ts";
import { checkLasting, commandLine } from "../../../bridge/install/hook-command.ts";
import { slashCommands } from "../../../bridge/install/slash/commands.ts";
import {
  addPages,
  ownPages,
  planPages,
  removePages,
  type SlashStep,
} from "../../../bridge/install/slash/install.ts";
import { type SlashAgent, slashAgents, slashPages } from "../../../bridge/install/slash/pages.ts";
import { homely } from "../render/path-text.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { confirmPlan, yesFlag } from "../run/plan.ts";
import { homeOf } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise slash`: commands to type inside agents. */
export const slash: Command = {
  name: "slash",
  summary: "install, remove and check commands to type inside agents",
  details: `Adds ${slashCommands.map(({ name }) => name).join(", ")} to the agent's own folder of commands. Files
that somebody else wrote are never changed; \`uninstall\` and \`reprise undo\` remove only files that Reprise wrote and nobody
changed.`,
  args: [
    { name: "<action>", says: "one of the actions above" },
    { name: "[agents...]", says: "names of agents, or all (default: those you have)" },
  ],
  actions: [
    { name: "install", takes: "[agents...]", says: "add the commands to the folders of agents" },
    { name: "uninstall", also: ["remove"], takes: "[agents...]", says: "remove them" },
    { name: "status", takes: "[agents...]", says: "list which are installed" },
  ],
  flags: [
    { flags: "--project", says: "use this project's folder, not the user's", kind: "switch" },
    yesFlag,
  ],
  examples: [
    { line: "reprise slash install claude-code", says: "show what would be added" },
    { line: "reprise slash install all --yes", says: "for every agent" },
  ],
  json: `{ agents: { agent: string, files: { path: string, does: "add" | "renew" | "kept" | "foreign" | "remove" |
  "changed" }[] }[], done: boolean, entries?: number[] }`,
  changes: ({ args, flags }) => args[0] !== "status" && flags.isSet("yes"),
  run: async (invocation, context) => {
    const [action = "", ...given] = invocation.args;
    const does = actions.get(action);
    if (does === undefined) {
      throw new RepriseError("usage", `Not an action: ${JSON.stringify(action)}.`, {
        hint: "Say install, uninstall or status.",
      });
    }
    return does(await chosenAgents(given, invocation, context), invocation, context);
  },
};

const actions = new Map([
  ["install", install],
  ["uninstall", uninstall],
  ["status", status],
]);

/** Those that were named; where none is, those the user has. */
async function chosenAgents(
  given: readonly string[],
  invocation: Invocation,
  { env }: CommandContext,
): Promise<readonly SlashAgent[]> {
  const known = await slashAgents();
  const names = known.map(({ agent }) => agent);
  if (given.includes("all")) return known;
  const project = invocation.flags.isSet("project");
  if (given.length === 0) {
    const present = known.filter(({ slash }) =>
      folderExists(dirname(dirname(slash.folder("user", env)))),
    );
    if (present.length > 0) return present;
    if (project || invocation.args[0] === "status") return known;
    throw new RepriseError("not_found", "No agent with commands was found in this home.", {
      hint: `Name one: ${names.join(", ")}.`,
    });
  }
  return [...new Set(given)].map((name) => {
    const found = known.find(({ agent }) => agent === name);
    if (found !== undefined) return found;
    throw new RepriseError("usage", `No commands are known for ${name}.`, {
      hint: `There are ${names.join(", ")}, and all.`,
    });
  });
}

function pagesOf(agent: SlashAgent, invocation: Invocation, context: CommandContext) {
  const program = programWords(context);
  const scope = invocation.flags.isSet("project") ? "project" : "user";
  return slashPages(agent.slash, { env: context.env, scope, program });
}

/** How a shell starts this program: by its name where that is on the path, else by where it lies. */
function programWords({ env }: CommandContext): string {
  for (const folder of (env.variables["PATH"] ?? "").split(delimiter)) {
    try {
      if (folder === "") continue;
      accessSync(join(folder, "reprise"), constants.X_OK);
      return "reprise";
    } catch {
      // Not here.
    }
  }
  const [node, script] = [process.execPath, process.argv[1] ?? ""];
  checkLasting({ node, script });
  return commandLine([node, script], env.platform);
}

const words: Readonly<Record<SlashStep["does"], string>> = {
  add: "make",
  renew: "change",
  kept: "is there",
  foreign: "stays, another hand wrote it",
};

/** The same once it is done. */
const doneWords: typeof words = { ...words, add: "Made", renew: "Changed" };

async function install(
  chosen: readonly SlashAgent[],
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const home = homeOf(context);
  const plans = chosen.map((agent) => ({
    agent,
    steps: planPages(home, pagesOf(agent, invocation, context)),
  }));
  const told = plans.map(({ agent: { agent }, steps }) => ({
    agent,
    files: steps.map(({ page, does }) => ({ path: page.path, does })),
  }));
  const linesIn = (said: typeof words): string =>
    plans
      .flatMap(({ steps }) => steps)
      .map(({ page, does }) => {
        return `${said[does].padEnd(8)} ${safeLine(homely(page.path, context.env))}\n`;
      })
      .join("");
  const todo = plans.some(({ steps }) =>
    steps.some(({ does }) => does === "add" || does === "renew"),
  );
  if (todo)
    await confirmPlan({ text: linesIn(words), json: { agents: told } }, invocation, context);
  const entries: number[] = [];
  for (const { agent, steps } of plans) {
    const entry = await addPages(home, agent.agent, steps);
    if (entry !== undefined) entries.push(entry);
  }
  if (context.json) return context.out.writeJson({ agents: told, done: true, entries });
  await context.out.write(linesIn(doneWords));
  for (const { agent } of plans) {
    context.out.note(
      `In ${agent.agent}: ${slashCommands.map(({ name }) => agent.slash.typed(name)).join(" ")}`,
    );
  }
}

async function uninstall(
  chosen: readonly SlashAgent[],
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const home = homeOf(context);
  const plans = chosen.map((one) => ({
    agent: one.agent,
    ...ownPages(home, pagesOf(one, invocation, context)),
  }));
  const told = plans.map(({ agent, untouched, changed }) => ({
    agent,
    files: [
      ...untouched.map(({ path }) => ({ path, does: "remove" })),
      ...changed.map((path) => ({ path, does: "changed" })),
    ],
  }));
  const linesIn = (removes: string): string =>
    told
      .flatMap(({ files }) => files)
      .map(({ path, does }) => {
        const said = does === "remove" ? removes.padEnd(8) : "stays, it was changed ";
        return `${said} ${safeLine(homely(path, context.env))}\n`;
      })
      .join("");
  const isNothing = plans.every(({ untouched }) => untouched.length === 0);
  if (!isNothing)
    await confirmPlan({ text: linesIn("remove"), json: { agents: told } }, invocation, context);
  for (const { agent, untouched } of plans)
    if (untouched.length > 0) removePages(home, agent, untouched);
  if (context.json) return context.out.writeJson({ agents: told, done: true });
  await context.out.write(linesIn("Removed") || "No command of Reprise is installed.\n");
}

async function status(
  chosen: readonly SlashAgent[],
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const home = homeOf(context);
  const told = chosen.map((agent) => ({
    agent: agent.agent,
    files: planPages(home, pagesOf(agent, invocation, context)).map(({ page, does }) => ({
      path: page.path,
      does,
    })),
  }));
  if (context.json) return context.out.writeJson({ agents: told, done: true });
  for (const { agent, files } of told) {
    const there = files.filter(({ does }) => does === "kept").length;
    const older = files.filter(({ does }) => does === "renew").length;
    const foreign = files.filter(({ does }) => does === "foreign").length;
    const more = `${older > 0 ? `, ${older} of an older version` : ""}${foreign > 0 ? `, ${foreign} changed by another hand` : ""}`;
    await context.out.write(`${agent}: ${there} of ${files.length} installed${more}\n`);
  }
}

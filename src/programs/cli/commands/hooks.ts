import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HookScope } from "../../../agents/hooks-contract.ts";
import { agentMeant } from "../../../agents/known-agent.ts";
import { hookedNames as names } from "../../../agents/registry.ts";
import { RepriseError } from "../../../base/errors.ts";
import { folderExists } from "../../../base/folders.ts";
import type { HookProgram } from "../../../bridge/install/hook-command.ts";
import {
  planInstall,
  planLauncher,
  planLauncherRemoval,
  planUninstall,
} from "../../../bridge/install/install.ts";
import { type Installable, installables } from "../../../bridge/install/installable.ts";
import { hookRuns, installedHooks } from "../../../bridge/install/status.ts";
import { bridgeRoot } from "../../../bridge/state/places.ts";
import type { Home } from "../../../store/home.ts";
import { hooksReport } from "../render/hooks-report.ts";
import { homely } from "../render/path-text.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { yesFlag } from "../run/plan.ts";
import { carryOut } from "../run/settings-plan.ts";
import { homeOf } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise hooks`: lets agents call us, and says how that goes. */
export const hooks: Command = {
  name: "hooks",
  summary: "install, remove and check the hooks that agents call",
  details: `Hooks keep a session's state while the agent runs (prompts, tools, files, how full the context is) and give the model
what helps it to continue. \`install\` edits the agent's own settings: comments, order and other hooks stay, a backup is
kept, and \`uninstall\` or \`reprise undo\` restores the file. Agents call a launcher in Reprise's home, which finds Node
and this package even after they moved, and otherwise does nothing. See docs/hooks.md.`,
  args: [
    { name: "<action>", says: "one of the actions above" },
    { name: "[agents...]", says: `${names.join(", ")} or all (default: those you have)` },
  ],
  actions: [
    { name: "install", takes: "[agents...]", says: "add the hooks to the settings of agents" },
    { name: "uninstall", also: ["remove"], takes: "[agents...]", says: "remove them" },
    { name: "status", takes: "[agents...]", says: "list what is installed, and how it runs" },
  ],
  flags: [
    { flags: "--project", says: "use this project's settings, not the user's", kind: "switch" },
    yesFlag,
  ],
  examples: [
    { line: "reprise hooks install claude-code", says: "show what would change" },
    { line: "reprise hooks install all --yes", says: "for every agent" },
    { line: "reprise hooks status", says: "what is installed, and how it runs" },
  ],
  json: `install, uninstall: { changes: { agent: string, file: string, new: boolean, removed: boolean, text?: string }[],
  remarks: string[], done: boolean, entries?: number[] }
status: { agents: { agent: string, installed: { scope: "user" | "project", file: string, events: string[],
  missing: string[], dead: string[], outdated: boolean, remark?: string }[], runs: number, lastAt?: string, p50Ms?: number,
  p95Ms?: number, ownP95Ms?: number, errors: number, lastError?: string }[] }`,
  changes: ({ args, flags }) => args[0] !== "status" && flags.isSet("yes"),
  run: async (invocation, context) => {
    const [action = "", ...given] = invocation.args;
    // Before anything is looked for: a misspelt action is reported as such.
    if (!["status", "install", "uninstall"].includes(action)) {
      throw new RepriseError("usage", `Not an action: ${JSON.stringify(action)}.`, {
        hint: "Say install, uninstall or status.",
      });
    }
    const chosen = await chosenAgents(given, action, context);
    if (action === "status") return status(chosen, context);
    if (action === "install") return install(chosen, invocation, context);
    return uninstall(chosen, invocation, context);
  },
};

/** Those that were named; where none is, those the user has. */
async function chosenAgents(
  given: readonly string[],
  action: string,
  { env }: CommandContext,
): Promise<readonly Installable[]> {
  const known = await installables();
  if (given.includes("all")) return known;
  if (given.length === 0) {
    const present = known.filter((agent) => isPresent(agent, env));
    if (present.length > 0) return present;
    if (action === "status") return known;
    throw new RepriseError("not_found", "No agent with hooks was found in this home.", {
      hint: `Name one: ${names.join(", ")}.`,
    });
  }
  return [...new Set(given)].map((name) => {
    const meant = agentMeant(name, names);
    const found = known.find(({ agent }) => agent === meant);
    if (found === undefined) {
      throw new RepriseError("usage", `No hooks are known for ${name}.`, {
        hint: `There are ${names.join(", ")}, and all.`,
      });
    }
    return found;
  });
}

function isPresent({ install: { recipe } }: Installable, env: CommandContext["env"]): boolean {
  const folder = dirname(recipe.file("user", env));
  return folderExists(recipe.form === "plugin" ? dirname(folder) : folder);
}

function scopeOf({ flags }: Invocation): HookScope {
  return flags.isSet("project") ? "project" : "user";
}

async function install(
  chosen: readonly Installable[],
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const { env } = context;
  const options = {
    scope: scopeOf(invocation),
    env,
    home: homeOf(context),
    program: ownProgram(),
  };
  const plans = chosen.map((agent) => planInstall(agent, options));
  const changes = [...planLauncher(options), ...plans.flatMap((plan) => plan.changes)];
  const remarks = plans.flatMap((plan) => plan.remarks);
  await carryOut(
    { changes, remarks, nothing: "Every hook is installed already." },
    invocation,
    context,
  );
}

async function uninstall(
  chosen: readonly Installable[],
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const home = homeOf(context);
  const options = { scope: scopeOf(invocation), env: context.env, home };
  const settings = chosen.flatMap((agent) => planUninstall(agent, options));
  const changes = [...settings, ...planLauncherRemoval(home, settings)];
  await carryOut(
    { changes, remarks: [keptBackups(home, context)], nothing: "No hook of Reprise is installed." },
    invocation,
    context,
  );
}

/** What stays after hooks are gone, and how it goes. */
function keptBackups(home: Home, { env }: CommandContext): string {
  const folder = safeLine(homely(join(home.root, "bridge"), env));
  return `What hooks recorded, and the backups that \`reprise undo\` needs, stay in ${folder}; delete that folder if you want neither.`;
}

/** Node, and the hook beside this program. */
function ownProgram(): HookProgram {
  const program = realpathSync(process.argv[1] ?? "");
  return { node: process.execPath, script: join(dirname(program), "reprise-hook.cjs") };
}

async function status(chosen: readonly Installable[], context: CommandContext): Promise<void> {
  const { env } = context;
  const root = bridgeRoot(env.variables, env.home);
  const agents = chosen.map((one) => ({
    agent: one.agent,
    // In the home folder both scopes may be one file.
    installed: (["user", "project"] as const)
      .filter((scope) => {
        const { recipe } = one.install;
        return scope === "user" || recipe.file("user", env) !== recipe.file(scope, env);
      })
      .flatMap((scope) => installedHooks(one, scope, env) ?? []),
    ...hookRuns(root, one.agent),
  }));
  if (context.json) return context.out.writeJson({ agents });
  await context.out.write(hooksReport(agents, context));
}

import { join } from "node:path";
import type { Environment } from "../../../base/env.ts";
import { type SlashCommand, slashCommands } from "./commands.ts";

/** An agent that takes commands from files. */
export interface SlashAgent {
  readonly agent: string;
  /** How its users type one. */
  typed(name: string): string;
  folder(env: Environment, options: { readonly project: boolean }): string;
  readonly ending: "md" | "toml";
  readonly given: string;
}

/** Every agent whose commands are known. */
export const slashAgents: readonly SlashAgent[] = [
  {
    agent: "claude-code",
    typed: (name) => `/reprise:${name}`,
    folder: ({ home, cwd, variables }, { project }) =>
      project
        ? join(cwd, ".claude", "commands", "reprise")
        : join(variables["CLAUDE_CONFIG_DIR"] || join(home, ".claude"), "commands", "reprise"),
    ending: "md",
    given: "$ARGUMENTS",
  },
  {
    agent: "gemini-cli",
    typed: (name) => `/reprise:${name}`,
    folder: ({ home, cwd, variables }, { project }) =>
      join(project ? cwd : variables["GEMINI_CLI_HOME"] || home, ".gemini", "commands", "reprise"),
    ending: "toml",
    given: "{{args}}",
  },
  {
    agent: "opencode",
    typed: (name) => `/reprise/${name}`,
    folder: ({ home, cwd, variables }, { project }) =>
      project
        ? join(cwd, ".opencode", "commands", "reprise")
        : join(
            variables["XDG_CONFIG_HOME"] || join(home, ".config"),
            "opencode",
            "commands",
            "reprise",
          ),
    ending: "md",
    given: "$ARGUMENTS",
  },
];

/** A file to add, and what it says. */
export interface SlashPage {
  readonly path: string;
  readonly text: string;
}

/** The pages of an agent's commands. */
export function slashPages(
  agent: SlashAgent,
  options: { readonly env: Environment; readonly project: boolean; readonly program: string },
): readonly SlashPage[] {
  const folder = agent.folder(options.env, options);
  return slashCommands.map((command) => ({
    path: join(folder, `${command.name}.${agent.ending}`),
    text:
      agent.ending === "toml" ? toml(command, agent, options) : markdown(command, agent, options),
  }));
}

function markdown(
  { says, hint, page }: SlashCommand,
  { given }: SlashAgent,
  { program }: { readonly program: string },
): string {
  const more = hint === undefined ? "" : `argument-hint: ${JSON.stringify(hint)}\n`;
  return `---\ndescription: ${JSON.stringify(says)}\n${more}---\n\n${page({ program, given })}`;
}

/** A literal string takes everything but its own end; a program's path does not hold three quotes. */
function toml(
  { says, page }: SlashCommand,
  { given }: SlashAgent,
  { program }: { readonly program: string },
): string {
  return `description = ${JSON.stringify(says)}\nprompt = '''\n${page({ program, given })}'''\n`;
}

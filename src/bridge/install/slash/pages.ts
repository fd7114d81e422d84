import { join } from "node:path";
import type { HookScope, SlashCommands } from "../../../agents/hooks-contract.ts";
import type { Environment } from "../../../base/env.ts";
import { installables } from "../installable.ts";
import { type SlashCommand, slashCommands } from "./commands.ts";

/** An agent that takes commands from files. */
export interface SlashAgent {
  readonly agent: string;
  readonly slash: SlashCommands;
}

/** Every agent whose commands are known. */
export async function slashAgents(): Promise<readonly SlashAgent[]> {
  return (await installables()).flatMap(({ agent, install: { slash } }) =>
    slash === undefined ? [] : [{ agent, slash }],
  );
}

/** A file to add, and what it says. */
export interface SlashPage {
  readonly path: string;
  readonly text: string;
}

/** The pages of an agent's commands. */
export function slashPages(
  agent: SlashCommands,
  options: { readonly env: Environment; readonly scope: HookScope; readonly program: string },
): readonly SlashPage[] {
  const folder = agent.folder(options.scope, options.env);
  return slashCommands.map((command) => ({
    path: join(folder, `${command.name}.${agent.ending}`),
    text:
      agent.ending === "toml" ? toml(command, agent, options) : markdown(command, agent, options),
  }));
}

function markdown(
  { says, hint, page }: SlashCommand,
  { given }: SlashCommands,
  { program }: { readonly program: string },
): string {
  const more = hint === undefined ? "" : `argument-hint: ${JSON.stringify(hint)}\n`;
  return `---\ndescription: ${JSON.stringify(says)}\n${more}---\n\n${page({ program, given })}`;
}

/** A literal string takes everything but its own end; a program's path does not hold three quotes. */
function toml(
  { says, page }: SlashCommand,
  { given }: SlashCommands,
  { program }: { readonly program: string },
): string {
  return `description = ${JSON.stringify(says)}\nprompt = '''\n${page({ program, given })}'''\n`;
}

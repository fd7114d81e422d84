import { everyAgent } from "../../../agents/user-agents.ts";
import { exportCommand } from "../../cli/commands/export.ts";
import { share } from "../../cli/commands/share.ts";
import { documentFormats } from "../../cli/render/document.ts";
import type { Command } from "../../cli/run/command.ts";
import { asRepriseError } from "../../cli/run/errors.ts";
import { flagValues } from "../../cli/run/flag-values.ts";
import { safeLine } from "../../cli/terminal/terminal-text.ts";
import type { SlashSetting } from "./commands.ts";

/** `/export`: the session as a document, in the format that the file's name ends with. */
export async function exportTo(file: string, setting: SlashSetting): Promise<undefined> {
  const session = setting.chat.session?.getSessionId() ?? "";
  await handOut(exportCommand, file === "" ? `${session}.md` : file, setting);
}

/** `/share`: a page to give away. */
export async function shareTo(file: string, setting: SlashSetting): Promise<undefined> {
  await handOut(share, file, setting);
}

/** Runs the command of the same name on the session. */
async function handOut(command: Command, file: string, setting: SlashSetting): Promise<void> {
  const { chat, context, say } = setting;
  const path = chat.session?.getSessionFile();
  if (path === undefined) {
    say("There is nothing to write yet.");
    return;
  }
  const ending = file.slice(file.lastIndexOf(".") + 1);
  const format = documentFormats.find((known) => known === ending);
  const flags = new Map<string, unknown>([
    ...(file === "" ? [] : [["output", file] as const]),
    ...(format === undefined ? [] : [["format", format] as const]),
  ]);
  try {
    const agents = await everyAgent(context.out.note);
    await command.run(
      { args: [path], flags: flagValues(flags) },
      { ...context, agents, json: false },
    );
  } catch (error) {
    // The chat goes on.
    const { message, hint } = asRepriseError(error);
    say(safeLine(`${message} ${hint}`));
  }
}

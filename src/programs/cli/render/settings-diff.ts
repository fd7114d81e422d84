import { createTwoFilesPatch } from "diff";
import type { SettingsChange } from "../../../bridge/install/install.ts";
import type { CommandContext } from "../run/command.ts";
import { safeText } from "../terminal/terminal-text.ts";
import { homely } from "./path-text.ts";

/** A change of settings as people read changes. */
export function changeDiff(
  { file: path, before, after }: SettingsChange,
  { colours, env }: Pick<CommandContext, "colours" | "env">,
): string {
  const file = homely(path, env);
  if (after === undefined) return `${colours.red(`remove ${safeText(file)}`)}\n`;
  const patch = createTwoFilesPatch(
    before === undefined ? "(new)" : file,
    file,
    before ?? "",
    after,
    undefined,
    undefined,
    { context: 2 },
  );
  return safeText(patch)
    .split("\n")
    .filter((line) => !/^(?:={4}|Index: |\\ No newline)/.test(line))
    .map((line) => {
      if (line.startsWith("+") && !line.startsWith("+++")) return colours.green(line);
      if (line.startsWith("-") && !line.startsWith("---")) return colours.red(line);
      return line;
    })
    .join("\n");
}

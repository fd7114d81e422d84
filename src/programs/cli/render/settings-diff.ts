import { createTwoFilesPatch } from "diff";
import type { SettingsChange } from "../../../bridge/install/install.ts";
import type { Colours } from "../terminal/colours.ts";
import { safeText } from "../terminal/terminal-text.ts";

/** A change of settings as people read changes. */
export function changeDiff({ file, before, after }: SettingsChange, colours: Colours): string {
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

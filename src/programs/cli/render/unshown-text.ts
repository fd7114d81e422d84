import type { Colours } from "../terminal/colours.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { truncated, wrapped } from "../terminal/width.ts";

/** So many commands are named for people; `--json` has all. */
const named = 5;

/** Which commands may have changed files unseen, a line each behind `mark`; empty where none did. */
export function unshownText(
  commands: readonly { readonly place: string; readonly command: string }[],
  {
    mark = "",
    colours,
    out,
  }: {
    readonly mark?: string;
    readonly colours: Colours;
    readonly out: { readonly isTerminal: boolean; readonly columns: number };
  },
): string {
  if (commands.length === 0) return "";
  const columns = (out.isTerminal ? out.columns : 160) - mark.length;
  const rows = commands
    .slice(0, named)
    .map(({ place, command }) => truncated(`  ${safeLine(place)} ${safeLine(command)}`, columns));
  const more = commands.length - rows.length;
  const lines = [...wrapped(says, columns), ...rows, ...(more > 0 ? [`  and ${more} more`] : [])];
  return lines.map((line) => `${colours.dim(`${mark}${line}`)}\n`).join("");
}

const says = "Commands may have changed files too; their changes are not shown:";

import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { RepriseError } from "../../base/errors.ts";

/** Places from which packages are run once and cleaned away: a hook there is dead tomorrow. */
const ephemeral =
  /[\\/](?:_npx|dlx-[^\\/]+|dlx|bunx-[^\\/]+|\.yarn[\\/]cache|xfs-[^\\/]+)[\\/]|[\\/]fnm_multishells[\\/]/;

/** What a hook is made of. */
export interface HookProgram {
  readonly node: string;
  /** The file that Node runs. */
  readonly script: string;
}

/** Throws where a hook would not outlive the day. */
export function checkLasting({ node, script }: HookProgram): void {
  for (const path of [node, script]) {
    if (ephemeral.test(path)) {
      throw new RepriseError("unsupported", `${path} is in a temporary folder.`, {
        hint: "Install reprise permanently first: `npm i -g reprise`, then run this again.",
      });
    }
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
      throw new RepriseError("not_found", `${path} is not there.`, {
        hint: "Install reprise again; a part of it is missing.",
      });
  }
}

/** The words as one line for a shell. */
export function commandLine(argv: readonly string[], platform: NodeJS.Platform): string {
  return argv.map((word) => quoted(word, platform)).join(" ");
}

/** The line that agents give to a shell to start a hook: silent, and ending with 0, also where our home is gone. */
export function hookLine(argv: readonly string[], platform: NodeJS.Platform): string {
  const line = commandLine(argv, platform);
  return platform === "win32" ? line : `test ! -x ${quoted(argv[0] ?? "", platform)} || ${line}`;
}

/** The files that such a line names, each once. */
export function filesIn(line: string): readonly string[] {
  const words = [...line.matchAll(/'((?:[^']|'\\'')*)'|"([^"]*)"|([^\s'"]+)/g)].map(
    ([, single, double, plain]) => single?.replaceAll("'\\''", "'") ?? double ?? plain ?? "",
  );
  return [...new Set(words.filter(isAbsolute))];
}

function quoted(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

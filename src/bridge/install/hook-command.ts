import { statSync } from "node:fs";
import { RepriseError } from "../../base/errors.ts";

/** Places from which packages are run once and cleaned away: a hook there is dead tomorrow. */
const ephemeral =
  /[\\/](?:_npx|dlx-[^\\/]+|dlx|bunx-[^\\/]+|\.yarn[\\/]cache|xfs-[^\\/]+)[\\/]|[\\/]fnm_multishells[\\/]/;

/** The words that start the hook of an agent; throws where they would not outlive the day. */
export function hookArgv(options: {
  readonly node: string;
  readonly script: string;
  readonly agent: string;
}): readonly string[] {
  const { node, script, agent } = options;
  for (const path of [node, script]) {
    if (ephemeral.test(path)) {
      throw new RepriseError("unsupported", `${path} is in a place that is cleaned away.`, {
        hint: "Install reprise for good first: `npm i -g reprise`, then run this again.",
      });
    }
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
      throw new RepriseError("not_found", `${path} is not there.`, {
        hint: "Install reprise again; a part of it is missing.",
      });
  }
  return [node, script, agent];
}

/** The words as one line for the shell that agents start hooks with. */
export function commandLine(argv: readonly string[], platform: NodeJS.Platform): string {
  return argv.map((word) => quoted(word, platform)).join(" ");
}

/** The words of such a line. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'((?:[^']|'\\'')*)'|"([^"]*)"|([^\s'"]+)/g)].map(
    ([, single, double, plain]) => single?.replaceAll("'\\''", "'") ?? double ?? plain ?? "",
  );
}

function quoted(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

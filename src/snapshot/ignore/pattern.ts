import { isMatch, stepsOf } from "./glob.ts";

/** One line of a file of ignore rules. Texts are compared byte by byte, as git does. */
export interface Pattern {
  readonly negated: boolean;
  /** Matches folders alone. */
  readonly foldersOnly: boolean;
  /** Matches the path below the rule's folder; else the name alone. */
  readonly anchored: boolean;
  readonly matches: (text: string) => boolean;
  /** The folders an anchored pattern names before its first wildcard, for `.repriseinclude`. */
  readonly literalFolders: readonly string[];
}

/** The patterns of a file of ignore rules, in order; the text has a character for each byte. */
export function parsePatterns(text: string): readonly Pattern[] {
  return text
    .replace(/^\xEF\xBB\xBF/, "")
    .split("\n")
    .flatMap((line) => patternOf(line.replace(/\r$/, "")) ?? []);
}

function patternOf(line: string): Pattern | undefined {
  if (line === "" || line.startsWith("#")) return undefined;
  let glob = withoutTrailingSpaces(line);
  const negated = glob.startsWith("!");
  if (negated) glob = glob.slice(1);
  const foldersOnly = glob.endsWith("/");
  if (foldersOnly) glob = glob.slice(0, -1);
  if (glob === "") return undefined;
  const anchored = glob.includes("/");
  if (glob.startsWith("/")) glob = glob.slice(1);
  const matches = matcherOf(glob, { anchored });
  const folders = anchored ? glob.split("/").slice(0, foldersOnly ? undefined : -1) : [];
  const wild = folders.findIndex((folder) => /[*?[\\]/.test(folder));
  const literalFolders = wild < 0 ? folders : folders.slice(0, wild);
  return { negated, foldersOnly, anchored, matches, literalFolders };
}

/** Spaces at the end do not count, unless the last one is escaped. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") end -= 1;
  if (end === line.length) return line;
  let backslashes = 0;
  while (backslashes < end && line[end - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1 ? line.slice(0, end + 1) : line.slice(0, end);
}

function matcherOf(glob: string, at: { readonly anchored: boolean }): Pattern["matches"] {
  if (!/[*?[\\]/.test(glob)) return (text) => text === glob;
  const ending = /^\*([^*?[\\/]+)$/.exec(glob)?.[1];
  // The commonest pattern, `*.log`, needs no steps.
  if (ending !== undefined && !at.anchored) return (text) => text.endsWith(ending);
  const steps = stepsOf(glob);
  return steps === undefined ? () => false : (text) => isMatch(steps, text);
}

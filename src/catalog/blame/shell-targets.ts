import { posix } from "node:path";

/** Where a command runs, and the folder whose files are asked for. */
export interface ShellPlace {
  readonly folder: string;
  readonly cwd?: string | undefined;
}

/** One simple command of a script: its words without quotes, and the files its output goes into. */
interface Part {
  readonly words: readonly string[];
  readonly into: readonly string[];
}

/**
 * The files of a folder that a shell command may change, as far as its text tells: what it writes, or what is named to a
 * program that writes. Paths begin in the folder; `.` is all of it. Empty for a command that only looks.
 */
export function shellTargets(
  command: string,
  { folder, cwd = folder }: ShellPlace,
): readonly string[] {
  const { script, bodies } = heredocs(command);
  const found = new Set<string>();
  let at = cwd;
  for (const { words, into } of partsOf(script)) {
    const [program, to] = words;
    if (program === "cd" && to !== undefined) at = posix.resolve(at, to);
    const nested = nestedScript(words);
    if (nested !== undefined) {
      for (const path of shellTargets(nested, { folder, cwd: at })) found.add(path);
    }
    for (const path of [...into, ...changedBy(words, bodies)]) {
      const near = posix.relative(folder, posix.resolve(at, path)) || ".";
      const isWithin = near !== ".." && !near.startsWith("../");
      if (isWithin && !/^~|[$`]/.test(path)) found.add(near);
    }
  }
  return [...found];
}

/** The commands of a script apart from the texts that are given to them between `<<EOF` and `EOF`. */
function heredocs(command: string): { readonly script: string; readonly bodies: string } {
  const lines = command.replaceAll("\r\n", "\n").split("\n");
  // Where each line stands, the last place first: commands are as long as their writer likes.
  const places = new Map<string, number[]>();
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at]!.trim();
    const known = places.get(line);
    if (known === undefined) places.set(line, [at]);
    else known.push(at);
  }
  const script: string[] = [];
  const bodies: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    script.push(line);
    const word = /<<-?\s*(['"]?)(\w+)\1/.exec(line)?.[2];
    const ends = places.get(word ?? "") ?? [];
    while ((ends.at(-1) ?? lines.length) <= at) ends.pop();
    const end = word === undefined ? undefined : ends.at(-1);
    if (end === undefined) continue;
    bodies.push(lines.slice(at + 1, end).join("\n"));
    at = end;
  }
  return { script: script.join("\n"), bodies: bodies.join("\n") };
}

const tokens =
  /(?<word>(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\\[\s\S]|[^\s;&|<>()"'\\])+)|(?<into>&?>[>|]?(?!&))|(?<from><+-?|>&)|(?<end>[\n;&|()])/g;

function partsOf(script: string): readonly Part[] {
  const parts: { readonly words: string[]; readonly into: string[] }[] = [{ words: [], into: [] }];
  let before: string | undefined;
  for (const { groups } of script.matchAll(tokens)) {
    const { word, into, from } = groups!;
    const part = parts.at(-1)!;
    if (word === undefined) {
      before = into ?? from;
      if (before === undefined) parts.push({ words: [], into: [] });
      continue;
    }
    if (before === undefined) part.words.push(unquoted(word));
    else if (/^&?>[>|]?$/.test(before)) part.into.push(unquoted(word));
    before = undefined;
  }
  return parts;
}

function unquoted(word: string): string {
  return word.replace(/"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])/g, (_, double, single, one) =>
    double === undefined ? (single ?? one) : double.replace(/\\(["\\$`])/g, "$1"),
  );
}

const shells = /^(?:ba|z|da)?sh$/;
const startersOfPrograms =
  /^(?:\w+=.*|sudo|env|time|exec|command|xargs|npx|bunx|pnpm|yarn|uv|run|-.*|\d+)$/;

/** The words from the program on that a command really runs: `npx prettier …`, `find … -exec sed …`. */
function fromProgram(words: readonly string[]): readonly string[] {
  const rest = words.slice(words.indexOf("-exec") + 1);
  const at = rest.findIndex((word) => !startersOfPrograms.test(word));
  return at < 0 ? [] : rest.slice(at);
}

/** The script that a shell is given as an argument. */
function nestedScript(words: readonly string[]): string | undefined {
  const [program = "", ...rest] = fromProgram(words);
  const at = rest.findIndex((word) => /^-\w*c$/.test(word));
  return shells.test(posix.basename(program)) && at >= 0 ? rest[at + 1] : undefined;
}

/** What is named to a program that writes. */
function changedBy(all: readonly string[], bodies: string): readonly string[] {
  const [program = "", ...rest] = fromProgram(all);
  const words = rest.filter((word) => !word.startsWith("-"));
  const has = (flag: RegExp): boolean => rest.some((word) => flag.test(word));
  const named = words.filter(isLikeFile);
  // Files that the text does not name come from elsewhere, such as a list that was searched for.
  const namedOrAll = named.length > 0 ? named : ["."];
  const name = posix.basename(program);
  if (/^(?:mv|rm|rmdir|tee|touch|truncate|unlink)$/.test(name)) return words;
  if (/^(?:cp|ln|rsync|install)$/.test(name)) return words.slice(-1);
  if (name === "patch") return has(/^--dry-run$/) ? [] : ["."];
  if (name === "git") return changedByGit(words, has);
  if (/^g?sed$/.test(name)) return has(/^(?:-[a-zA-Z]*i|--in-place)/) ? namedOrAll : [];
  if (/^(?:perl|ruby)$/.test(name) && has(/^-(?![MI])[\w.]*i/)) return namedOrAll;
  if (/^(?:python[\d.]*|node|deno|bun|tsx|perl|ruby)$/.test(name)) {
    const text = `${rest.join("\n")}\n${bodies}`;
    return writesInScript.test(text) ? [...named, ...namedInScript(text)] : [];
  }
  const isFormatter = /^(?:black|isort|rustfmt)$/.test(name) || (name === "gofmt" && has(/^-w$/));
  return (isFormatter && !has(/^--(?:check|diff)/)) || has(/^--(?:write|fix|in-place)$/)
    ? namedOrAll
    : [];
}

function changedByGit(words: readonly string[], has: (flag: RegExp) => boolean): readonly string[] {
  const [act = ""] = words.filter((word) => /^(?:checkout|restore|apply|am|mv|rm)$/.test(word));
  if (act === "apply" || act === "am") return has(/^--(?:check|stat|cached)$/) ? [] : ["."];
  const isOfFiles = act !== "" && words[0] === act && !has(/^(?:--cached|--staged|-b|-B)$/);
  return isOfFiles ? words.slice(1).filter(isLikeFile) : [];
}

const writesInScript =
  /\bopen\([^\n]{0,200}?,\s*(?:mode\s*=\s*)?['"][rbt]*[wax+]|\.write_(?:text|bytes)\(|\b(?:write|append)File(?:Sync)?\(|\b(?:Bun\.write|(?:unlink|rename|rm)Sync|os\.(?:remove|rename|replace)|shutil\.\w+)\(/;

function namedInScript(text: string): readonly string[] {
  const quoted = [...text.matchAll(/(['"`])([\w@.+/()[\]*-]+)\1/g)].map((match) => match[2]!);
  return quoted.filter(isLikeFile);
}

/** A name with an ending, a Makefile and its like, or the folder itself. */
function isLikeFile(word: string): boolean {
  return /(?:^|\/)(?:[^/]*\.[a-z]\w*|[A-Z]\w*file|\.)$/i.test(word);
}

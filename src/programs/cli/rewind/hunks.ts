import { exactLines, exactText } from "../../../catalog/diff/exact-lines.ts";
import { type FileSource, type FileState, textOf } from "../../../catalog/diff/files-at.ts";
import { type Hunk, hunksBetween } from "../../../catalog/diff/hunks.ts";
import type { AdoptedFile } from "../../../snapshot/adopted-file.ts";
import { shownName } from "../../../snapshot/file-name.ts";
import type { RestorePlan } from "../../../snapshot/plan.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import type { Questions } from "./ask.ts";
import { actionOf, leavesOf } from "./plan-text.ts";
import { adopted } from "./without-call.ts";

/**
 * Asks for each change of a plan whether it shall go back; returns the files as chosen. A text is asked for hunk by hunk,
 * anything else as a whole.
 */
export async function chosenHunks(
  plan: RestorePlan,
  sources: { readonly present: FileSource; readonly target: FileSource },
  questions: Questions,
): Promise<ReadonlyMap<string, AdoptedFile>> {
  const files = new Map<string, AdoptedFile>();
  for (const step of leavesOf(plan.steps)) {
    const { path } = step;
    const [now, then] = [sources.present.read(path), sources.target.read(path)];
    const texts = [now, then].map((state) => (state.kind === "file" ? textOf(state) : undefined));
    const [ours, theirs] = texts;
    const answer =
      ours === undefined || theirs === undefined || ours === theirs
        ? await wholeFile(`${actionOf(step)} ${safeLine(shownName(path))}`, then, questions)
        : await byHunks(path, [ours, theirs], questions);
    if (answer.chosen !== undefined) files.set(path, adopted(answer.chosen, now));
    if (answer.isLast) break;
  }
  return files;
}

/** What a file becomes, if anything of it was chosen, and whether the user has answered enough. */
interface Answer {
  readonly chosen?: FileState;
  readonly isLast: boolean;
}

async function wholeFile(what: string, then: FileState, { ask }: Questions): Promise<Answer> {
  const typed = letterOf(await ask(`${what}? [y]es, [n]o, [q]uit: `));
  return { isLast: isQuit(typed), ...(typed === "y" && { chosen: then }) };
}

async function byHunks(
  path: string,
  [ours, theirs]: readonly [string, string],
  { ask }: Questions,
): Promise<Answer> {
  const lines = exactLines(ours);
  const hunks = hunksBetween(lines, exactLines(theirs));
  const taken = new Set<Hunk>();
  let isLast = false;
  for (const [at, hunk] of hunks.entries()) {
    const place = `${safeLine(shownName(path))} ${at + 1}/${hunks.length}`;
    const typed = letterOf(await ask(`${hunkText(hunk)}${place}: [y]es, [n]o, [a]ll, [q]uit: `));
    isLast = isQuit(typed);
    if (typed === "a") for (const rest of hunks.slice(at)) taken.add(rest);
    if (typed === "a" || isLast) break;
    if (typed === "y") taken.add(hunk);
  }
  if (taken.size === 0) return { isLast };
  const bytes = Buffer.from(exactText(applied(lines, hunks, taken)));
  return { isLast, chosen: { kind: "file", bytes } };
}

/** The lines with some hunks made. */
function applied(
  lines: readonly string[],
  hunks: readonly Hunk[],
  taken: ReadonlySet<Hunk>,
): readonly string[] {
  const out: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const [start, count] = hunk.from;
    const begin = count === 0 ? start : start - 1;
    out.push(...lines.slice(at, begin));
    const without = taken.has(hunk) ? "removed" : "added";
    out.push(...hunk.lines.filter(({ kind }) => kind !== without).map(({ text }) => text));
    at = begin + count;
  }
  return [...out, ...lines.slice(at)];
}

const signs = { added: "+", removed: "-", same: " " } as const;

function hunkText({ from, to, lines }: Hunk): string {
  const shown = lines.map(({ kind, text }) => `${signs[kind]}${safeLine(text.split("\n")[0]!)}\n`);
  return `@@ -${from.join(",")} +${to.join(",")} @@\n${shown.join("")}`;
}

/** Also the end of the input, and an empty line: what was chosen before stays chosen. */
function isQuit(letter: string): boolean {
  return letter === "q" || letter === "";
}

function letterOf(answer: string): string {
  return answer.trim().toLowerCase().charAt(0);
}

import { diffWordsWithSpace } from "diff";
import { shortReference } from "../../../agents/reference.ts";
import { limits } from "../../../base/limits.ts";
import type { FileDiff, MadeHunk } from "../../../catalog/diff/diff-points.ts";
import type { HunkLine } from "../../../catalog/diff/hunks.ts";
import type { DiffMaker } from "../../../catalog/diff/makers.ts";
import type { Colours } from "../terminal/colours.ts";
import { safeLine, safeText } from "../terminal/terminal-text.ts";
import { padded, textWidth, truncated } from "../terminal/width.ts";
import { count } from "./count.ts";

/** How a diff is printed. */
export interface DiffTextOptions {
  readonly colours: Colours;
  readonly words: boolean;
}

/** One file as a unified diff that `git apply` and `patch` take; behind each place stands who made it. */
export function fileDiffText(file: FileDiff, options: DiffTextOptions): string {
  const { colours } = options;
  const path = safeLine(file.path);
  const from = file.action === "created" ? "/dev/null" : `a/${path}`;
  const to = file.action === "deleted" ? "/dev/null" : `b/${path}`;
  const lines = [colours.bold(`--- ${from}`), colours.bold(`+++ ${to}`)];
  if (file.note !== undefined) lines.push(`# ${safeLine(file.note)}  ${makersText(file.by)}`);
  for (const hunk of file.hunks) lines.push(...hunkLines(hunk, options));
  return `${lines.join("\n")}\n`;
}

function hunkLines(hunk: MadeHunk, { colours, words }: DiffTextOptions): readonly string[] {
  const place = hunk.told ? "@@" : `@@ -${hunk.from.join(",")} +${hunk.to.join(",")} @@`;
  const head = `${colours.cyan(place)} ${colours.dim(makersText(hunk.by))}`;
  return [
    head,
    ...(words ? wordLines(hunk.lines, colours) : hunk.lines.map((line) => plain(line, colours))),
  ];
}

/** Why some hunks say no place, behind all of them; empty where each says one. */
export function placelessNote(files: readonly FileDiff[], { colours }: DiffTextOptions): string {
  const isAny = files.some(({ hunks }) => hunks.some(({ told }) => told));
  return isAny ? `${colours.dim(placeless)}\n` : "";
}

const placeless =
  "# @@ without line numbers: only what the calls said is known of these files, not where in them it stands.";

function plain({ kind, text }: HunkLine, colours: Colours): string {
  const safe = safeText(text);
  if (kind === "added") return colours.green(`+${safe}`);
  return kind === "removed" ? colours.red(`-${safe}`) : ` ${safe}`;
}

/** Runs of removed and added lines as one text in which the words that differ are marked. */
function wordLines(lines: readonly HunkLine[], colours: Colours): readonly string[] {
  const shown: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = runEnd(lines, at);
    const run = lines.slice(at, end);
    const side = (kind: HunkLine["kind"]): string =>
      run
        .filter((line) => line.kind === kind)
        .map(({ text }) => text)
        .join("\n");
    const [before, after] = [side("removed"), side("added")];
    const isPair =
      before !== "" && after !== "" && before.length + after.length <= limits.diffBytes;
    if (isPair) shown.push(...markedWords(before, after, colours));
    else shown.push(...run.map((line) => plain(line, colours)));
    at = end;
  }
  return shown;
}

/** The end of the lines from here on that are all changed, or all the same. */
function runEnd(lines: readonly HunkLine[], from: number): number {
  const isSame = lines[from]!.kind === "same";
  const end = lines.findIndex(({ kind }, at) => at >= from && (kind === "same") !== isSame);
  return end < 0 ? lines.length : end;
}

function markedWords(before: string, after: string, colours: Colours): readonly string[] {
  const text = diffWordsWithSpace(before, after)
    .map(({ added, removed, value }) => {
      const safe = safeText(value);
      if (added) return eachLine(safe, (line) => colours.green(`{+${line}+}`));
      return removed ? eachLine(safe, (line) => colours.red(`[-${line}-]`)) : safe;
    })
    .join("");
  return text.split("\n").map((line) => `~${line}`);
}

/** A mark ends with its line, so that each line can be read for itself. */
function eachLine(text: string, mark: (line: string) => string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : mark(line)))
    .join("\n");
}

/** So many makers of one place are named for people; `--json` has all. */
const namedMakers = 4;

/** Who made something, on one line. */
export function makersText(makers: readonly DiffMaker[]): string {
  const named = makers.slice(0, namedMakers).map((maker, at) => {
    const text = makerText(maker);
    // Calls of the same session differ in the event alone.
    const session = sessionOf(maker);
    const isNamed = makers.slice(0, at).some((before) => sessionOf(before) === session);
    return session !== "" && isNamed ? text.slice(session.length) : text;
  });
  const more = makers.length - named.length;
  return [...named, ...(more > 0 ? [count(more, "other")] : [])].join(", ");
}

/** The session a maker's reference begins with; empty for somebody outside. */
function sessionOf(maker: DiffMaker): string {
  if (maker.kind === "outside") return "";
  return safeLine(shortReference(maker.ref.slice(0, maker.ref.lastIndexOf("@"))));
}

/** The event of a maker, with as much of its session's id as is needed to type it. */
function placeOf(maker: Exclude<DiffMaker, { readonly kind: "outside" }>): string {
  return `${sessionOf(maker)}${safeLine(maker.ref.slice(maker.ref.lastIndexOf("@")))}`;
}

function makerText(maker: DiffMaker): string {
  switch (maker.kind) {
    case "edit":
      return [placeOf(maker), ...(maker.tool === undefined ? [] : [safeLine(maker.tool)])].join(
        " ",
      );
    case "shell": {
      const doubt =
        maker.others === undefined ? "" : ` (or one of ${count(maker.others, "other command")})`;
      return `${placeOf(maker)} ran ${safeLine(truncated(maker.command, 60))}${doubt}`;
    }
    case "outside":
      return "outside of any session";
  }
}

const barColumns = 20;

/** A line for each file: how much changed, and by whom; on a terminal each fits its width. */
export function statText(
  files: readonly FileDiff[],
  {
    colours,
    out,
  }: {
    readonly colours: Colours;
    readonly out: { readonly isTerminal: boolean; readonly columns: number };
  },
): string {
  const columns = out.isTerminal ? out.columns : 160;
  const most = Math.max(1, ...files.map(({ added, removed }) => added + removed));
  const nameWidth = Math.min(
    Math.max(...files.map(({ path }) => textWidth(safeLine(path)))),
    Math.max(12, Math.floor(columns / 2)),
  );
  const lines = files.map((file) => {
    const { added, removed } = file;
    const name = padded(truncated(safeLine(file.path), nameWidth), nameWidth);
    const figure = file.note === undefined ? `+${added} -${removed}` : safeLine(file.note);
    const scale = Math.min(1, barColumns / most);
    const bar = `${colours.green("+".repeat(Math.ceil(added * scale)))}${colours.red("-".repeat(Math.ceil(removed * scale)))}`;
    const room = columns - nameWidth - textWidth(figure) - 4;
    const isRoomy = room >= barColumns + 12;
    const width = Math.ceil(added * scale) + Math.ceil(removed * scale);
    const tail = isRoomy
      ? `${bar}${" ".repeat(Math.max(0, barColumns + 2 - width))}  ${colours.dim(truncated(makersText(file.by), room - barColumns - 4))}`
      : colours.dim(truncated(makersText(file.by), Math.max(0, room)));
    return `${name}  ${figure}  ${tail}`.trimEnd();
  });
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  return `${lines.join("\n")}\n${count(files.length, "file")}, +${added} -${removed}\n`;
}

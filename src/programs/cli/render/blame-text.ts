import { shortIds } from "../../../agents/reference.ts";
import type { Blame } from "../../../catalog/blame/blame.ts";
import type { Edit } from "../../../catalog/blame/edit.ts";
import type { BlamedRange } from "../../../catalog/blame/ranges.ts";
import type { Colours } from "../terminal/colours.ts";
import { safeLine, safeText } from "../terminal/terminal-text.ts";
import { padded, textWidth, truncated } from "../terminal/width.ts";
import { countsOf } from "./blame-json.ts";
import { count } from "./count.ts";
import { relativeTime } from "./time.ts";

/** What printing a blame needs to know. */
export interface BlameTextOptions {
  /** The file as the person named it. */
  readonly name: string;
  readonly ranges: readonly BlamedRange[];
  /** The ids of all sessions, so that what is shown of one names it alone. */
  readonly ids: readonly string[];
  /** Lines were asked for: they are printed under their range. */
  readonly isPart: boolean;
  readonly colours: Colours;
  readonly nowMs: number;
  readonly out: { readonly isTerminal: boolean; readonly columns: number };
}

const pipedColumns = 120;

/** A blame for people: a line per range, then the sessions and how to open them. */
export function blameText(told: Blame, options: BlameTextOptions): string {
  const short = shortIds(options.ids);
  const refOf = ({ origin, act }: Edit, event = act.event): string =>
    safeLine(`${origin.agent}:${short.get(origin.session) ?? origin.session}@${event}`);
  const blocks = [heading(told, options)];
  if (told.missing && told.last !== undefined) blocks.push(lastText(told.last, refOf, options));
  if (told.lines.length > 0 || !told.missing) {
    blocks.push(rangeRows(told, { ...options, refOf }));
    if (!options.isPart) blocks.push(sessionRows(told, { ...options, short }));
  }
  blocks.push(...remarks(told, options));
  const opened = changeToOpen(told, options);
  if (opened !== undefined) {
    const { edit, name } = opened;
    const { promptEvent } = edit.act;
    const prompt =
      promptEvent === undefined
        ? ""
        : `, and its whole prompt with \`reprise show ${refOf(edit, promptEvent)}\``;
    blocks.push(
      options.colours.dim(`Open ${name} with \`reprise show ${refOf(edit)}\`${prompt}.\n`),
    );
  }
  return blocks.join("\n");
}

/** Of a whole file that is gone the last change, which is named above; else that of the first line that a session wrote. */
function changeToOpen(
  told: Blame,
  { ranges, isPart }: BlameTextOptions,
): { readonly edit: Edit; readonly name: string } | undefined {
  if (!isPart && told.missing && told.last !== undefined)
    return { edit: told.last, name: "the last change" };
  const range = ranges.find(({ writer }) => writer !== undefined);
  if (range?.writer === undefined) return undefined;
  const name = ranges.length === 1 ? "the change" : `the change of line ${range.from}`;
  return { edit: range.writer.by, name };
}

function heading(told: Blame, options: BlameTextOptions): string {
  const { ranges, colours } = options;
  const name = colours.bold(safeLine(options.name));
  if (told.missing && told.lines.length === 0) return `${name}  is not there now\n`;
  const counts = Object.entries(countsOf(ranges)).filter(([, lines]) => lines > 0);
  const words = counts.map(([word, lines]) => `${lines.toLocaleString("en")} ${word}`);
  const left = told.missing ? "is not there now; as sessions left it, " : "";
  return `${name}  ${left}${linesText(told, options)}: ${words.join(", ") || "empty"}\n`;
}

/** How many lines there are, or which of them were asked for. */
function linesText({ lines }: Blame, { ranges, isPart }: BlameTextOptions): string {
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (!isPart || first === undefined || last === undefined) return count(lines.length, "line");
  const asked = first.from === last.to ? `line ${first.from}` : `lines ${first.from}-${last.to}`;
  return `${asked} of ${lines.length.toLocaleString("en")}`;
}

type Rows = BlameTextOptions & { readonly refOf: (edit: Edit) => string };

function rangeRows(told: Blame, options: Rows): string {
  const { ranges, colours, nowMs, out } = options;
  const rows = ranges.map((range) => ({
    range,
    place: range.from === range.to ? `${range.from}` : `${range.from}-${range.to}`,
    by: range.writer === undefined ? commitText(range) : options.refOf(range.writer.by),
    age: relativeTime(range.writer?.by.atMs ?? range.commit?.atMs ?? Number.NaN, nowMs),
  }));
  const placeWidth = Math.max(...rows.map(({ place }) => place.length), 0);
  const byWidth = Math.max(...rows.map(({ by }) => textWidth(by)), 0);
  const columns = out.isTerminal ? out.columns : pipedColumns;
  const rest = Math.max(16, columns - placeWidth - byWidth - 10 - 9 - 8);
  const lines = rows.flatMap(({ range, place, by, age }) => {
    const why = range.writer === undefined ? summaryText(range) : askedText(range.writer);
    const row = [
      `  ${padded(place, placeWidth)}`,
      confidenceText(range, colours),
      colours.cyan(padded(by, byWidth)),
      colours.dim(padded(age, 10)),
      truncated(why, rest),
    ].join("  ");
    return options.isPart ? [row.trimEnd(), ...textRows(told, range, options)] : [row.trimEnd()];
  });
  return `${lines.join("\n")}\n`;
}

function textRows(told: Blame, range: BlamedRange, { colours }: Rows): readonly string[] {
  const width = `${range.to}`.length;
  return told.lines.slice(range.from - 1, range.to).map(({ text }, index) => {
    const number = `${range.from + index}`.padStart(width);
    return `    ${colours.dim(number)}  ${safeText(text).replaceAll("\n", " ")}`;
  });
}

function confidenceText({ writer }: BlamedRange, colours: Colours): string {
  const text = padded(writer?.confidence ?? "unknown", 8);
  if (writer === undefined) return colours.dim(text);
  return writer.confidence === "exact" ? colours.green(text) : colours.yellow(text);
}

/** What a line that no session explains is known by. */
function commitText({ commit }: BlamedRange): string {
  return commit === undefined ? "-" : safeLine(`commit ${commit.hash.slice(0, 10)}`);
}

function summaryText({ commit }: BlamedRange): string {
  return commit === undefined
    ? "no session wrote this line"
    : safeLine(`${commit.author}: ${commit.summary}`);
}

function askedText(writer: NonNullable<BlamedRange["writer"]>): string {
  const { prompt } = writer.by.act;
  const asked = prompt === undefined ? "" : `"${prompt}"`;
  const how = writer.evidence === "replayed" ? "" : ` (${evidenceWords[writer.evidence]})`;
  return safeLine(`${asked}${how}`.trim());
}

const evidenceWords = {
  replayed: "",
  whole: "the whole file at once",
  ambiguous: "one of several equal lines",
  matched: "by its content",
  moved: "moved or put back",
  reformatted: "reformatted since",
  elsewhere: "written in another copy",
} as const;

function sessionRows(
  told: Blame,
  { ranges, colours, short }: BlameTextOptions & { readonly short: ReadonlyMap<string, string> },
): string {
  const sessions = new Map<string, { readonly edit: Edit; lines: number }>();
  for (const { from, to, writer } of ranges) {
    if (writer === undefined) continue;
    const { origin } = writer.by;
    const key = `${origin.agent}:${short.get(origin.session) ?? origin.session}`;
    const known = sessions.get(key) ?? { edit: writer.by, lines: 0 };
    sessions.set(key, known);
    known.lines += to - from + 1;
  }
  if (sessions.size === 0) {
    return `No session wrote what is there now (${count(told.sessionsRead, "session")} looked at).\n`;
  }
  const rows = [...sessions].sort(([, one], [, two]) => two.lines - one.lines);
  const keyWidth = Math.max(...rows.map(([key]) => textWidth(safeLine(key))));
  const lines = rows.map(([key, { edit, lines: written }]) =>
    [
      `  ${colours.cyan(padded(safeLine(key), keyWidth))}`,
      count(written, "line").padStart(11),
      safeLine(edit.origin.title ?? "(no title)"),
    ].join("  "),
  );
  return `${colours.bold("Sessions")}\n${lines.join("\n")}\n`;
}

function lastText(
  last: Edit,
  refOf: (edit: Edit) => string,
  { colours, nowMs }: BlameTextOptions,
): string {
  const verb = last.act.action === "deleted" ? "deleted" : "written last";
  const asked = last.act.prompt === undefined ? "" : `  "${safeLine(last.act.prompt)}"`;
  return `  ${verb} by ${colours.cyan(refOf(last))}  ${relativeTime(last.atMs, nowMs)}${asked}\n`;
}

function remarks(told: Blame, { colours, isPart }: BlameTextOptions): readonly string[] {
  const said: string[] = [];
  if (told.missing && told.lines.length === 0 && isPart && told.last?.act.action !== "deleted")
    said.push("Its lines are not known: sessions changed only parts of it.");
  if (told.damaged > 0)
    said.push(`${count(told.damaged, "place")} in the sessions could not be read.`);
  if (told.unread > 0) said.push(`${count(told.unread, "session")} could not be read.`);
  if (told.untold > 0) said.push(`${count(told.untold, "edit")} too large to be replayed.`);
  return said.map((sentence) => `${colours.yellow(sentence)}\n`);
}

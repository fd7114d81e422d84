import type { AgentEvent } from "../../../agents/contract.ts";
import { isOfNamed } from "../../../agents/event-name.ts";
import type { Environment } from "../../../base/env.ts";
import { limits } from "../../../base/limits.ts";
import { clockTime } from "../../../base/local-time.ts";
import { plainText } from "../../../model/block.ts";
import type { SessionHead } from "../../../model/head.ts";
import type { Colours } from "../terminal/colours.ts";
import { hungLines } from "../terminal/hung-lines.ts";
import { safeLine, safeText } from "../terminal/terminal-text.ts";
import { type Run, wrappedRuns } from "../terminal/wrap-runs.ts";
import type { DiffLine, FileChange } from "./edit-diff.ts";
import { factsOf, titleOf } from "./heading.ts";
import { markdownLines } from "./terminal-markdown.ts";
import { asideOf, type View, type ViewOptions, viewer } from "./view.ts";

/** How a transcript looks on a terminal. */
export interface TranscriptOptions extends ViewOptions {
  readonly colours: Colours;
  /** The event to point at. */
  readonly focus?: string;
  /** How wide the terminal is: words are wrapped and Markdown is styled. Absent, what was said stays as it is. */
  readonly columns?: number;
}

/** The lines above a transcript on a terminal. */
export function transcriptHeading(
  head: SessionHead,
  colours: Colours,
  options: { readonly columns?: number; readonly env?: Environment } = {},
): string {
  const facts = factsOf(head, options.env).flatMap(([label, value], index): readonly Run[] => [
    ...(index === 0 ? [] : [{ text: " · ", paint: colours.dim }]),
    { text: label, paint: colours.dim },
    { text: ` ${safeLine(value)}` },
  ]);
  const title = { text: safeLine(titleOf(head)), paint: colours.bold };
  return `${[...fitted([title], options), ...fitted(facts, options)].join("\n")}\n\n`;
}

/** A transcript for a terminal, event by event; nothing in it can act on the terminal. */
export async function* transcript(
  events: AsyncIterable<AgentEvent>,
  options: TranscriptOptions,
): AsyncGenerator<string> {
  const viewOf = viewer(options);
  for await (const event of events) {
    const pointed = options.focus !== undefined && isOfNamed(event, options.focus);
    const view = viewOf(event, pointed);
    if (view === undefined) continue;
    yield entry(view, { ...options, pointed });
  }
}

interface EntryOptions extends TranscriptOptions {
  readonly pointed: boolean;
}

function entry(view: View, options: EntryOptions): string {
  const lines = [...fitted(headRuns(view, options), options)];
  const text = plainText(view.blocks);
  if (view.input !== undefined)
    lines.push(...indented(safeText(view.input).split("\n"), "    ", options));
  for (const change of view.changes) lines.push(...changeLines(change, view, options));
  if (text !== "") lines.push(...body(view, text, options));
  return `${lines.join("\n")}\n${view.kind === "call" && view.changes.length === 0 ? "" : "\n"}`;
}

/** The line above what was said, as stretches of text. */
function headRuns(view: View, { colours, pointed }: EntryOptions): readonly Run[] {
  const dim = (text: string): Run => ({ text, paint: colours.dim });
  const number = `#${safeLine(view.number)}`;
  const aside = asideOf(view);
  const asides = aside === undefined ? [] : [dim(` (${aside})`)];
  const tail = [...asides, dim(`  ${clockTime(view.at)}`)];
  const who = safeLine(view.who);
  const begin: readonly Run[] = [
    { text: number, paint: pointed ? colours.inverse : colours.dim },
    { text: " " },
  ];
  switch (view.kind) {
    case "user":
      return [...begin, strong(`❯ ${who}`, colours.cyan, colours), ...tail];
    case "assistant":
      return [...begin, strong(`● ${who}`, colours.green, colours), ...tail];
    case "thinking":
      return [...begin, dim("✻ Thinking"), ...tail];
    case "context":
      return [...begin, dim(`◇ ${who}`), ...tail];
    case "call": {
      const subject = view.subject === undefined ? [] : [{ text: ` ${safeLine(view.subject)}` }];
      return [...begin, { text: `⏺ ${who}`, paint: colours.yellow }, ...subject, ...asides];
    }
    case "result": {
      const failed = { text: `✗ ${who} failed`, paint: colours.red };
      const answers = view.answers === undefined ? [] : [dim(` ${safeLine(view.answers)}`)];
      return [...begin, view.isError ? failed : dim(`↳ ${who}`), ...answers, ...asides];
    }
    case "mark":
      return [
        ...begin,
        { text: `─ ${safeLine(view.subject ?? "")}`, paint: colours.magenta },
        ...tail,
      ];
  }
}

function strong(text: string, paint: (text: string) => string, { bold }: Colours): Run {
  return { text, paint: (part) => bold(paint(part)) };
}

function body(view: View, text: string, options: EntryOptions): readonly string[] {
  const { colours, columns } = options;
  const indent = view.kind === "result" ? "    " : "  ";
  if (columns !== undefined && isProse(view)) {
    const lines = markdownLines(text, { columns: columns - indent.length, colours });
    return lines.map((line) => (line === "" ? "" : `${indent}${line}`));
  }
  const all = safeText(text).trimEnd().split("\n");
  const paint = view.kind === "thinking" || view.kind === "context" ? colours.dim : plain;
  if (!view.folds || options.pointed) return indented(all, indent, { ...options, paint });
  return folded(all, indent, { ...options, paint });
}

/** What people and models say is Markdown; what tools say is not. */
function isProse({ kind, folds }: View): boolean {
  return (
    kind === "user" || kind === "assistant" || kind === "mark" || (kind === "context" && !folds)
  );
}

function changeLines(change: FileChange, view: View, options: EntryOptions): readonly string[] {
  const { colours } = options;
  const folds = view.folds && !options.pointed;
  const shown = folds ? change.lines.slice(0, limits.shortToolLines * 5) : change.lines;
  const rest = change.lines.length - shown.length;
  const name = { ...options, paint: colours.bold };
  const named = view.changes.length > 1 ? indented([safeLine(change.path)], "    ", name) : [];
  const word = change.action === "delete" ? [`    ${colours.red("deleted")}`] : [];
  return [
    ...named,
    ...word,
    ...shown.flatMap((line) => diffLines(line, options)),
    ...(rest > 0 ? [`    ${colours.dim(more(rest))}`] : []),
  ];
}

function diffLines({ kind, text }: DiffLine, options: EntryOptions): readonly string[] {
  const { colours, columns } = options;
  const safe = safeText(text);
  const parts = columns === undefined ? [safe] : hungLines(safe, Math.max(1, columns - 6));
  switch (kind) {
    case "added":
      return parts.map((part, at) => `    ${colours.green(`${at === 0 ? "+" : " "} ${part}`)}`);
    case "removed":
      return parts.map((part, at) => `    ${colours.red(`${at === 0 ? "-" : " "} ${part}`)}`);
    case "same":
      return parts.map((part) => `      ${part}`);
    case "place":
      return parts.map((part) => `    ${colours.cyan(part)}`);
  }
}

/** A style for lines, and how wide they may be. */
interface LineOptions {
  readonly paint?: (text: string) => string;
  readonly columns?: number;
}

function folded(
  all: readonly string[],
  indent: string,
  options: LineOptions & { readonly colours: Colours },
): readonly string[] {
  const shown = all
    .slice(0, limits.shortToolLines)
    .map((line) => (line.length > 400 ? `${line.slice(0, 400).toWellFormed()}…` : line));
  const rest = all.length - shown.length;
  const lines = indented(shown, indent, options);
  return rest > 0 ? [...lines, `${indent}${options.colours.dim(more(rest))}`] : lines;
}

function more(count: number): string {
  return count === 1 ? "… 1 more line" : `… ${count} more lines`;
}

function indented(
  lines: readonly string[],
  indent: string,
  { paint = plain, columns }: LineOptions,
): readonly string[] {
  const room = Math.max(1, (columns ?? 0) - indent.length);
  const parts = columns === undefined ? lines : lines.flatMap((line) => hungLines(line, room));
  return parts.map((line) => (line === "" ? "" : `${indent}${paint(line)}`));
}

/** Stretches of text on one line, or on as many as the width takes; further ones are moved in. */
function fitted(runs: readonly Run[], { columns }: LineOptions): readonly string[] {
  if (columns === undefined) return wrappedRuns(runs, Number.POSITIVE_INFINITY);
  const [first = "", ...rest] = wrappedRuns(runs, columns - 2);
  return [first, ...rest.map((line) => `  ${line}`)];
}

function plain(text: string): string {
  return text;
}

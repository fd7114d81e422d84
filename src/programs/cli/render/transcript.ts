import type { AgentEvent } from "../../../agents/contract.ts";
import { isOfNamed } from "../../../agents/event-name.ts";
import { limits } from "../../../base/limits.ts";
import { plainText } from "../../../model/block.ts";
import type { SessionHead } from "../../../model/head.ts";
import type { Colours } from "../terminal/colours.ts";
import { safeLine, safeText } from "../terminal/terminal-text.ts";
import type { DiffLine, FileChange } from "./edit-diff.ts";
import { factsOf, titleOf } from "./heading.ts";
import { clockTime } from "./time.ts";
import { type View, type ViewOptions, viewer } from "./view.ts";

/** How a transcript looks on a terminal. */
export interface TranscriptOptions extends ViewOptions {
  readonly colours: Colours;
  /** The event to point at. */
  readonly focus?: string;
}

/** The lines above a transcript on a terminal. */
export function transcriptHeading(head: SessionHead, colours: Colours): string {
  const facts = factsOf(head).map(([label, value]) => `${colours.dim(label)} ${safeLine(value)}`);
  return `${colours.bold(safeLine(titleOf(head)))}\n${facts.join(colours.dim(" · "))}\n\n`;
}

/** A transcript for a terminal, event by event; nothing in it can act on the terminal. */
export async function* transcript(
  events: AsyncIterable<AgentEvent>,
  options: TranscriptOptions,
): AsyncGenerator<string> {
  const viewOf = viewer(options);
  for await (const event of events) {
    const view = viewOf(event);
    if (view === undefined) continue;
    const pointed = options.focus !== undefined && isOfNamed(event, options.focus);
    yield entry(view, { ...options, pointed });
  }
}

interface EntryOptions extends TranscriptOptions {
  readonly pointed: boolean;
}

function entry(view: View, options: EntryOptions): string {
  const lines = [headLine(view, options)];
  const text = plainText(view.blocks);
  if (view.input !== undefined) lines.push(...indented(safeText(view.input).split("\n"), "    "));
  for (const change of view.changes) lines.push(...changeLines(change, view, options));
  if (text !== "") lines.push(...body(view, text, options));
  return `${lines.join("\n")}\n${view.kind === "call" && view.changes.length === 0 ? "" : "\n"}`;
}

function headLine(view: View, { colours, pointed }: EntryOptions): string {
  const side = view.sidechain === undefined ? "" : colours.dim(" (subagent)");
  const dead = view.live ? "" : colours.dim(" (not on the path)");
  const number = pointed
    ? colours.inverse(`#${view.number}`)
    : colours.dim(`#${safeLine(view.number)}`);
  const tail = `${side}${dead}  ${colours.dim(clockTime(view.at))}`.trimEnd();
  const who = safeLine(view.who);
  switch (view.kind) {
    case "user":
      return `${number} ${colours.bold(colours.cyan(`❯ ${who}`))}${tail}`;
    case "assistant":
      return `${number} ${colours.bold(colours.green(`● ${who}`))}${tail}`;
    case "thinking":
      return `${number} ${colours.dim("✻ Thinking")}${tail}`;
    case "context":
      return `${number} ${colours.dim(`◇ ${who}`)}${tail}`;
    case "call": {
      const subject = view.subject === undefined ? "" : ` ${safeLine(view.subject)}`;
      return `${number} ${colours.yellow(`⏺ ${who}`)}${subject}${side}${dead}`;
    }
    case "result":
      return `${number} ${view.isError ? colours.red(`✗ ${who} failed`) : colours.dim(`↳ ${who}`)}${side}${dead}`;
    case "mark":
      return `${number} ${colours.magenta(`─ ${safeLine(view.subject ?? "")}`)}${tail}`;
  }
}

function body(view: View, text: string, options: EntryOptions): readonly string[] {
  const safe = safeText(text).trimEnd();
  const all = safe.split("\n");
  const paint = view.kind === "thinking" || view.kind === "context" ? options.colours.dim : plain;
  const indent = view.kind === "result" ? "    " : "  ";
  if (!view.folds || options.pointed) return indented(all, indent, paint);
  return folded(all, indent, { paint, colours: options.colours });
}

function changeLines(change: FileChange, view: View, options: EntryOptions): readonly string[] {
  const { colours } = options;
  const lines = change.lines.map((line) => diffLine(line, colours));
  const shown = view.folds && !options.pointed ? limits.shortToolLines * 5 : lines.length;
  const rest = lines.length - shown;
  const named = view.changes.length > 1 ? [`    ${colours.bold(safeLine(change.path))}`] : [];
  const word = change.action === "delete" ? [`    ${colours.red("deleted")}`] : [];
  return [
    ...named,
    ...word,
    ...lines.slice(0, shown),
    ...(rest > 0 ? [`    ${colours.dim(more(rest))}`] : []),
  ];
}

function diffLine({ kind, text }: DiffLine, colours: Colours): string {
  const safe = safeLine(text);
  switch (kind) {
    case "added":
      return `    ${colours.green(`+ ${safe}`)}`;
    case "removed":
      return `    ${colours.red(`- ${safe}`)}`;
    case "same":
      return `      ${safe}`;
    case "place":
      return `    ${colours.cyan(safe)}`;
  }
}

function folded(
  all: readonly string[],
  indent: string,
  style: { readonly paint: (text: string) => string; readonly colours: Colours },
): readonly string[] {
  const shown = all
    .slice(0, limits.shortToolLines)
    .map((line) => (line.length > 400 ? `${line.slice(0, 400).toWellFormed()}…` : line));
  const rest = all.length - shown.length;
  const lines = indented(shown, indent, style.paint);
  return rest > 0 ? [...lines, `${indent}${style.colours.dim(more(rest))}`] : lines;
}

function more(count: number): string {
  return count === 1 ? "… 1 more line" : `… ${count} more lines`;
}

function indented(
  lines: readonly string[],
  indent: string,
  paint: (text: string) => string = plain,
): readonly string[] {
  return lines.map((line) => (line === "" ? "" : `${indent}${paint(line)}`));
}

function plain(text: string): string {
  return text;
}

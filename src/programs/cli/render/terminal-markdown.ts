import { Marked, type Token, type Tokens } from "marked";
import { limits } from "../../../base/limits.ts";
import type { Colours } from "../terminal/colours.ts";
import { hungLines } from "../terminal/hung-lines.ts";
import { safeText } from "../terminal/terminal-text.ts";
import { textWidth, wrapped } from "../terminal/width.ts";
import { type Run, wrappedRuns } from "../terminal/wrap-runs.ts";
import { tableLines } from "./terminal-table.ts";

/** The place Markdown is made lines for. */
export interface MarkdownPlace {
  readonly columns: number;
  readonly colours: Colours;
}

// Of its own: what others set up for theirs must not reach it. A line end within a paragraph is one.
const reader = new Marked({ gfm: true, breaks: true });

/**
 * What a person or a model wrote as Markdown, as lines for a terminal: no wider than its columns, styled, no word broken
 * that fits a line. Nothing in it can act on the terminal. Without colours its own marks stay.
 */
export function markdownLines(text: string, place: MarkdownPlace): readonly string[] {
  const safe = safeText(text).trimEnd();
  const columns = Math.max(1, place.columns);
  if (safe === "") return [];
  const tokens = tokensOf(safe);
  if (tokens === undefined) return wrapped(safe, columns);
  return blockLines(tokens, { ...place, columns });
}

/** The parts of a text; undefined if it is too long, or nested deeper than can be read. */
function tokensOf(text: string): readonly Token[] | undefined {
  if (text.length > limits.markdownChars) return undefined;
  try {
    return reader.lexer(text);
  } catch {
    return undefined;
  }
}

function blockLines(tokens: readonly Token[], place: MarkdownPlace): readonly string[] {
  const lines: string[] = [];
  for (const token of tokens) {
    if (token.type === "space" || token.type === "def") {
      if (lines.length > 0 && lines.at(-1) !== "") lines.push("");
      continue;
    }
    const isApart = token.type === "heading" || token.type === "table" || token.type === "hr";
    if (isApart && lines.length > 0 && lines.at(-1) !== "") lines.push("");
    lines.push(...linesOf(token, place));
  }
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

function linesOf(token: Token, place: MarkdownPlace): readonly string[] {
  const { columns, colours } = place;
  switch (token.type) {
    case "heading":
      return headingLines(token as Tokens.Heading, place);
    case "code":
      return codeLines(token as Tokens.Code, place);
    case "list":
      return listLines(token as Tokens.List, place);
    case "blockquote": {
      const inner = { ...place, columns: Math.max(1, columns - 2) };
      const bar = colours.dim("│ ");
      return blockLines((token as Tokens.Blockquote).tokens, inner).map((line) => `${bar}${line}`);
    }
    case "table":
      return tableLines(token as Tokens.Table, { ...place, runsOf: (cell) => runs(cell, place) });
    case "hr":
      return [colours.dim("─".repeat(Math.min(columns, 24)))];
    default:
      return wrappedRuns(runs(inlineTokens(token), place), columns);
  }
}

/** What a token consists of within a line; itself where it has no parts. */
function inlineTokens(token: Token): readonly Token[] {
  return "tokens" in token && token.tokens !== undefined ? token.tokens : [token];
}

function headingLines({ depth, tokens }: Tokens.Heading, place: MarkdownPlace): readonly string[] {
  const { colours, columns } = place;
  if (!colours.enabled) {
    const mark = { text: `${"#".repeat(depth)} ` };
    return wrappedRuns([mark, ...runs(tokens, place)], columns);
  }
  const paint = depth <= 2 ? (text: string) => colours.bold(colours.magenta(text)) : colours.bold;
  const plain = runs(tokens, place).map(({ text }) => ({ text, paint }));
  return wrappedRuns(plain, columns);
}

/** Code keeps its lines, and those that are too long go on below their text. */
function codeLines({ text, lang = "" }: Tokens.Code, place: MarkdownPlace): readonly string[] {
  const { colours, columns } = place;
  const indent = columns > 20 ? "  " : "";
  const isDiff = /^(diff|patch)\b/.test(lang);
  const room = Math.max(1, columns - indent.length);
  const partsOf = (line: string): readonly string[] => {
    const sign = isDiff ? (/^[-+]/.exec(line)?.[0] ?? "") : "";
    const [first = "", ...rest] = hungLines(line.slice(sign.length), room - sign.length);
    return [sign + first, ...rest.map((part) => (sign === "" ? "" : " ") + part)];
  };
  const paintOf = (line: string): Paint => {
    if (!isDiff) return colours.cyan;
    if (line.startsWith("+")) return colours.green;
    return line.startsWith("-") ? colours.red : (part) => part;
  };
  return text.split("\n").flatMap((line) => {
    const paint = paintOf(line);
    return partsOf(line).map((part) => (part === "" ? "" : `${indent}${paint(part)}`));
  });
}

function listLines(list: Tokens.List, place: MarkdownPlace): readonly string[] {
  const start = typeof list.start === "number" ? list.start : 1;
  const last = String(start + list.items.length - 1);
  return list.items.flatMap((item, index) => {
    const mark = list.ordered ? `${String(start + index).padStart(last.length)}. ` : "• ";
    const box = item.task ? `[${item.checked === true ? "x" : " "}] ` : "";
    const first = `${mark}${box}`;
    const indent = " ".repeat(place.columns > 20 ? textWidth(first) : 0);
    const inner = { ...place, columns: Math.max(1, place.columns - textWidth(first)) };
    const tokens = item.tokens.filter(({ type }) => type !== "checkbox");
    const lines = blockLines(tokens, inner);
    const shown = lines.length === 0 ? [""] : lines;
    const space = list.loose && index < list.items.length - 1 ? [""] : [];
    return [
      ...shown.map((line, at) => {
        if (at === 0) return `${place.colours.dim(first)}${line}`;
        return line === "" ? "" : `${indent}${line}`;
      }),
      ...space,
    ];
  });
}

type Paint = (text: string) => string;

/** What stands within lines, in its styles. */
function runs(tokens: readonly Token[], place: MarkdownPlace, paint?: Paint): readonly Run[] {
  return tokens.flatMap((token) => runsOf(token, place, paint));
}

function runsOf(token: Token, place: MarkdownPlace, paint?: Paint): readonly Run[] {
  const { colours } = place;
  const plain = (text: string): Run => (paint === undefined ? { text } : { text, paint });
  const within = (style: Paint, mark: string): readonly Run[] => {
    const inner = inlineTokens(token);
    if (!colours.enabled) return [plain(mark), ...runs(inner, place, paint), plain(mark)];
    return runs(inner, place, both(paint, style));
  };
  switch (token.type) {
    case "strong":
      return within(colours.bold, "**");
    case "em":
      return within(colours.italic, "*");
    case "del":
      return within(colours.dim, "~~");
    case "codespan": {
      const { text } = token as Tokens.Codespan;
      return [colours.enabled ? { text, paint: colours.cyan } : plain(`\`${text}\``)];
    }
    case "link":
      return linkRuns(token as Tokens.Link, place, paint);
    case "image": {
      const { text, href } = token as Tokens.Image;
      return [{ text: `[image ${text === "" ? href : text}]`, paint: colours.dim }];
    }
    case "br":
      return [{ text: "\n" }];
    case "text":
    case "paragraph": {
      const { tokens } = token as Tokens.Text;
      return tokens === undefined
        ? [plain((token as Tokens.Text).text)]
        : runs(tokens, place, paint);
    }
    case "escape":
      return [plain((token as Tokens.Escape).text)];
    default:
      return [plain(token.raw.replace(/\n+$/, ""))];
  }
}

/** The words of a link, and its address where the words do not say it. */
function linkRuns(
  { text, href, tokens }: Tokens.Link,
  place: MarkdownPlace,
  paint?: Paint,
): readonly Run[] {
  const { colours } = place;
  const words = runs(tokens, place, both(paint, colours.underline));
  const isSaid = href === text || href === `mailto:${text}` || href === `http://${text}`;
  return isSaid ? words : [...words, { text: ` (${href})`, paint: colours.dim }];
}

function both(outer: Paint | undefined, inner: Paint): Paint {
  return outer === undefined ? inner : (text) => outer(inner(text));
}

import { RepriseError } from "../base/errors.ts";

/*
 * A block of ours in a file of others, between two lines. The lines are the marker of all that this project puts in front
 * of a model, so that readers of transcripts know the block again when an agent shows it.
 */

const begin = '<reprise-context v="1" kind="memories">';
const end = "</reprise-context>";

/** Where a block stands: from the first character of its first line to the last of its last line, line end excluded. */
interface Place {
  readonly from: number;
  readonly to: number;
}

/** Whether a file has our block, whole or damaged. */
export function hasBlock(text: string): boolean {
  return linesOf(text).some(({ line }) => line === begin);
}

/** What stands in the block of a file; undefined if there is none. Throws `bad_input` as the others do. */
export function blockIn(text: string): string | undefined {
  const place = placeOf(text);
  if (place === undefined) return undefined;
  const lines = text.slice(place.from, place.to).split(/\r?\n/);
  return lines.slice(1, -1).join("\n");
}

/**
 * The file with our block saying this, its line ends as the file has them: in the place of the old block, or at the end.
 * Everything else stays, character by character. Throws `bad_input` if the lines around a block are damaged.
 */
export function withBlock(text: string, inner: string): string {
  const newline = newlineOf(text);
  const block = `${begin}\n${inner}\n${end}`.replaceAll("\n", newline);
  const place = placeOf(text);
  if (place !== undefined) return text.slice(0, place.from) + block + text.slice(place.to);
  if (text === "") return block + newline;
  // A file that ends without a line end still does: so the block can be taken out again without a trace.
  return text.endsWith("\n") ? text + newline + block + newline : text + newline + newline + block;
}

/** The file without our block and the blank line before it; the same text if there is none. Throws likewise. */
export function withoutBlock(text: string): string {
  const place = placeOf(text);
  if (place === undefined) return text;
  const [ahead, behind] = [text.slice(0, place.from), text.slice(place.to)];
  if (behind === "") return ahead.replace(/\r?\n\r?\n$/, "");
  return ahead.replace(/(?<=\n)\r?\n$/, "") + behind.replace(/^\r?\n/, "");
}

function placeOf(text: string): Place | undefined {
  const lines = linesOf(text);
  const begins = lines.filter(({ line }) => line === begin);
  const [first] = begins;
  if (first === undefined) return undefined;
  const last = lines.find(({ line, from }) => line === end && from > first.from);
  if (last !== undefined && begins.length === 1) return { from: first.from, to: last.to };
  const what = last === undefined ? `has no line ${end} after it` : "is there more than once";
  throw new RepriseError("bad_input", `The line ${begin} ${what}.`);
}

function linesOf(
  text: string,
): readonly { readonly line: string; readonly from: number; readonly to: number }[] {
  // Few files have a block: the others are not taken apart.
  if (!text.includes(begin)) return [];
  return [...text.matchAll(/^.*$/gm)].map((match) => {
    // An editor may have put a byte order mark in front of the first line: it is not ours.
    const mark = match.index === 0 && text.startsWith("\ufeff") ? 1 : 0;
    const line = match[0].slice(mark).trimEnd();
    const from = match.index + mark;
    return { line, from, to: from + line.length };
  });
}

/** The line end of the first line; `\n` where there is none. */
function newlineOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

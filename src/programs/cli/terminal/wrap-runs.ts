import { textWidth } from "./width.ts";

/** A stretch of text in one style. */
export interface Run {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/** A word with its styles, or the blanks between two words. */
interface Word {
  readonly runs: readonly Run[];
  readonly width: number;
}

/** Styled text in lines of so many columns: a word that fits a line is never broken; line ends are kept. */
export function wrappedRuns(runs: readonly Run[], columns: number): readonly string[] {
  const room = Math.max(1, columns);
  return linesOf(runs).flatMap((line) => wrappedLine(line, room));
}

/** The runs of each line; a run may reach over several. */
function linesOf(runs: readonly Run[]): readonly (readonly Run[])[] {
  const lines: Run[][] = [[]];
  for (const run of runs) {
    for (const [index, text] of run.text.replaceAll("\t", "    ").split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (text !== "") lines.at(-1)!.push({ ...run, text });
    }
  }
  return lines;
}

function wrappedLine(runs: readonly Run[], columns: number): readonly string[] {
  const lines: string[] = [];
  let line: Run[] = [];
  let width = 0;
  const end = (): void => {
    lines.push(paintedLine(line));
    line = [];
    width = 0;
  };
  for (const { blank, word } of wordsOf(runs)) {
    // Blanks where a line breaks are left out; those a line begins with are its indent.
    const isFirst = lines.length === 0 && line.length === 0;
    const gap = line.length > 0 || isFirst ? blank.width : 0;
    if (line.length > 0 && width + gap + word.width > columns) end();
    else if (gap > 0 && gap + word.width <= columns) {
      line.push(...blank.runs);
      width += gap;
    }
    if (word.width <= columns) {
      line.push(...word.runs);
      width += word.width;
      continue;
    }
    for (const run of word.runs) {
      for (const [index, text] of broken(run.text, { columns, used: width }).entries()) {
        if (index > 0) end();
        if (text !== "") line.push({ ...run, text });
        width += textWidth(text);
      }
    }
  }
  end();
  return lines;
}

/** A text in the pieces that fill a line that is begun, and further lines. */
function broken(
  text: string,
  { columns, used }: { readonly columns: number; readonly used: number },
): readonly string[] {
  const pieces: string[] = [""];
  let width = used;
  for (const character of text) {
    const step = textWidth(character);
    if (width + step > columns && width > 0) {
      pieces.push("");
      width = 0;
    }
    pieces[pieces.length - 1] += character;
    width += step;
  }
  return pieces;
}

/** The words of a line with the blanks before each; what changes its style within a word is one word still. */
function wordsOf(runs: readonly Run[]): readonly { readonly blank: Word; readonly word: Word }[] {
  const words: { blank: Run[]; word: Run[] }[] = [];
  for (const run of runs) {
    for (const text of run.text.split(/(\s+)/)) {
      if (text === "") continue;
      const isBlank = /^\s/.test(text);
      const last = words.at(-1);
      if (isBlank && (last === undefined || last.word.length > 0))
        words.push({ blank: [{ ...run, text }], word: [] });
      else if (isBlank) last!.blank.push({ ...run, text });
      else if (last === undefined) words.push({ blank: [], word: [{ ...run, text }] });
      else last.word.push({ ...run, text });
    }
  }
  return words
    .filter(({ word }) => word.length > 0)
    .map(({ blank, word }) => ({ blank: measured(blank), word: measured(word) }));
}

function measured(runs: readonly Run[]): Word {
  return { runs, width: runs.reduce((sum, { text }) => sum + textWidth(text), 0) };
}

/** A line with its styles; neighbours of one style are painted together. */
function paintedLine(runs: readonly Run[]): string {
  let line = "";
  for (let at = 0; at < runs.length; ) {
    const { paint } = runs[at]!;
    let text = "";
    while (at < runs.length && runs[at]!.paint === paint) {
      text += runs[at]!.text;
      at += 1;
    }
    line += paint === undefined ? text : paint(text);
  }
  return line;
}

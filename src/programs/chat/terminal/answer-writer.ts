import type { Colours } from "../../cli/terminal/colours.ts";
import { screenSize } from "../../cli/terminal/picker/terminal.ts";
import { safeText } from "../../cli/terminal/terminal-text.ts";
import { textWidth } from "../../cli/terminal/width.ts";
import { MarkdownLines } from "./markdown-line.ts";

/** Shows an answer while it comes in. */
export interface AnswerWriter {
  text(delta: string): void;
  /** The answer is over, or something else is shown next. */
  end(): void;
}

/** On a terminal: what is said of a line is shown at once, and again in style when the line is whole. */
export function terminalAnswer(colours: Colours): AnswerWriter {
  const lines = new MarkdownLines(colours);
  let partial = "";
  let shownRows = 0;
  const wipe = (): string => {
    const up = shownRows > 1 ? `\u001b[${shownRows - 1}A` : "";
    const wiped = shownRows === 0 ? "" : `${up}\r\u001b[J`;
    shownRows = 0;
    return wiped;
  };
  return {
    text: (delta) => {
      const [first = "", ...rest] = delta.split("\n");
      let out = "";
      partial += first;
      for (const next of rest) {
        out += `${wipe()}${lines.line(partial.replace(/\r$/, ""))}\r\n`;
        partial = next;
      }
      const { columns, rows } = screenSize();
      const shown = lines.partial(partial);
      const needed = Math.max(1, Math.ceil(textWidth(shown) / columns));
      if (needed >= rows - 1) {
        // More than the screen can take back: it stays as it is.
        out += `${wipe()}${shown}`;
        partial = "";
      } else if (partial !== "") {
        out += `${wipe()}${shown}`;
        shownRows = needed;
      }
      process.stdout.write(out);
    },
    end: () => {
      if (partial === "") return;
      process.stdout.write(`${wipe()}${lines.line(partial)}\r\n`);
      partial = "";
    },
  };
}

/** Where nobody looks: the text as it is said, harmless, line ends included. */
export function plainAnswer(write: (text: string) => void): AnswerWriter {
  let isLineOpen = false;
  return {
    text: (delta) => {
      if (delta === "") return;
      write(safeText(delta));
      isLineOpen = !delta.endsWith("\n");
    },
    end: () => {
      if (isLineOpen) write("\n");
      isLineOpen = false;
    },
  };
}

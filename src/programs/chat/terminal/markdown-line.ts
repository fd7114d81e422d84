import type { Colours } from "../../cli/terminal/colours.ts";
import { safeText } from "../../cli/terminal/terminal-text.ts";

/**
 * Markdown for a terminal, line by line as a model says it: headings, lists, quotations, code, and the styles within a line.
 * What came from the model cannot act on the terminal: every line is made harmless first.
 */
export class MarkdownLines {
  readonly #colours: Colours;
  #fence: string | undefined;

  constructor(colours: Colours) {
    this.#colours = colours;
  }

  /** A whole line, styled. */
  line(text: string): string {
    const { bold, dim, cyan } = this.#colours;
    const safe = safeText(text);
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(safe);
    if (this.#fence !== undefined) {
      if (mark?.[1]?.startsWith(this.#fence) && mark[2]!.trim() === "") {
        this.#fence = undefined;
        return dim("└──");
      }
      return `${dim("│")} ${cyan(safe)}`;
    }
    if (mark !== null) {
      this.#fence = mark[1]!;
      return dim(`┌── ${mark[2]!.trim()}`.trimEnd());
    }
    const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/.exec(safe);
    if (heading !== null) return bold(this.#spans(heading[1]!));
    if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(safe)) return dim("────────────────");
    const quoted = /^ {0,3}>\s?(.*)$/.exec(safe);
    if (quoted !== null) return `${dim("▌")} ${dim(this.#spans(quoted[1]!))}`;
    const item = /^(\s*)[-*+]\s+(.*)$/.exec(safe);
    if (item !== null) return `${item[1]}${cyan("•")} ${this.#spans(item[2]!)}`;
    const numbered = /^(\s*\d{1,9}[.)])\s+(.*)$/.exec(safe);
    if (numbered !== null) return `${cyan(numbered[1]!)} ${this.#spans(numbered[2]!)}`;
    return this.#spans(safe);
  }

  /** A line that is not whole yet, as it is. */
  partial(text: string): string {
    return safeText(text);
  }

  #spans(text: string): string {
    const { bold, cyan, dim } = this.#colours;
    // Code first: nothing in it is a style.
    return text
      .split(/(`+[^`]+`+)/)
      .map((part, index) => {
        if (index % 2 === 1) return cyan(part.replace(/^`+|`+$/g, ""));
        return part
          .replace(/\*\*(\S(?:.*?\S)?)\*\*/g, (_, inner: string) => bold(inner))
          .replace(/(?<![\w*])\*(\S(?:[^*]*?\S)?)\*(?![\w*])/g, (_, inner: string) =>
            this.#italic(inner),
          )
          .replace(/(?<!!)\[([^\]]+)\]\((\S+?)\)/g, (_, label: string, address: string) =>
            label === address ? label : `${label} ${dim(`(${address})`)}`,
          );
      })
      .join("");
  }

  #italic(text: string): string {
    return this.#colours.enabled ? `\u001b[3m${text}\u001b[23m` : text;
  }
}

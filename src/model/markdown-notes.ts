import { blankInjected } from "./injected.ts";

/** One thing that a page of Markdown says: an item of a list with what belongs to it, or a paragraph. */
export interface MarkdownNote {
  readonly text: string;
  /** The line it begins on, from 1. */
  readonly line: number;
  /** The heading it stands under. */
  readonly heading?: string;
}

const fence = /^\s*(?:```|~~~)/;
const item = /^(\s*)(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;
/** Lines that say nothing by themselves: rules, and pages that are named to be read in their place. */
const silent = /^\s*(?:[-*_](?:\s*[-*_]){2,}|@\S+)\s*$/;

/**
 * What a page says, in its order. Left out are what stands between `---` lines at its top, comments, which a reader of
 * the page does not see, and what this project put there.
 */
export function markdownNotes(page: string): readonly MarkdownNote[] {
  const notes: MarkdownNote[] = [];
  let heading: string | undefined;
  let open: { line: number; lines: string[]; isItem: boolean } | undefined;
  let isFenced = false;
  const close = (): void => {
    const text = open?.lines.join("\n").trim() ?? "";
    // Words that only announce a list are a heading in all but name.
    const isEmpty = !/[\p{L}\p{N}]/u.test(text) || /^[^\n]{0,120}:$/.test(text);
    if (open !== undefined && !isEmpty)
      notes.push({ text, line: open.line, ...(heading !== undefined && { heading }) });
    open = undefined;
  };
  for (const [at, line] of visibleLines(page).entries()) {
    if (isFenced || fence.test(line)) {
      if (fence.test(line)) isFenced = !isFenced;
      open ??= { line: at + 1, lines: [], isItem: false };
      open.lines.push(line);
      continue;
    }
    const title = /^#{1,6}\s+(\S.{0,199})$/.exec(line)?.[1]?.replace(/\s+#*$/, "");
    if (title !== undefined || line.trim() === "" || silent.test(line)) {
      close();
      heading = title ?? heading;
      continue;
    }
    const mark = item.exec(line);
    // An item below an item belongs to it.
    if (mark !== null && !(open?.isItem === true && mark[1]!.length >= 2)) {
      close();
      open = { line: at + 1, lines: [line.slice(mark[0].length)], isItem: true };
      continue;
    }
    open ??= { line: at + 1, lines: [], isItem: false };
    open.lines.push(open.isItem ? line.replace(/^\s{1,4}/, "") : line);
  }
  close();
  return notes;
}

/** The lines of a page with blank ones in place of what is not to be read. */
function visibleLines(page: string): readonly string[] {
  const blank = (text: string): string => text.replace(/[^\n]/g, "");
  return blankInjected(page.replace(/^\ufeff/, "").replaceAll("\r\n", "\n"))
    .replace(/^---\n[\s\S]*?\n---(?=\n|$)/, blank)
    .replace(/<!--[\s\S]*?(?:-->|$)/g, blank)
    .split("\n");
}

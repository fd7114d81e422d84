import { safeText } from "../terminal/terminal-text.ts";

/**
 * What was said, as Markdown that runs and fetches nothing: HTML becomes text, remote images become links, addresses that
 * run something are defused, headings are lowered below ours. Code stays as it is, which takes that every renderer sees
 * the same code as we do: fences are moved to the beginning of their lines, where no list or quotation can end them.
 */
export function markdownProse(text: string): string {
  const safe = safeText(text).trimEnd();
  const lines = safe.split("\n");
  const hasTable = lines.some(isTableRule);
  const out: string[] = [];
  let fence: OpenFence | undefined;
  // A backtick that found no other in its line may find one in a later line of the paragraph.
  let isOpen = false;
  for (const line of lines) {
    if (fence !== undefined) {
      const end: boolean = closes(line, fence);
      out.push(end ? line.trim() : withoutIndent(line, fence.indent));
      if (end) fence = undefined;
      continue;
    }
    fence = fenceOf(line);
    if (fence !== undefined) {
      isOpen = false;
      if (fence.marker !== "") out.push(fence.marker);
      out.push(fence.line);
      continue;
    }
    // Other spaces make no end of a paragraph.
    if (/^[ \t]*$/.test(line)) isOpen = false;
    const parts: readonly LinePart[] = isOpen
      ? [{ text: line, isCode: false }]
      : codeSpans(line, hasTable);
    isOpen ||= parts.some(({ text: part, isCode }) => !isCode && part.includes("`"));
    out.push(lineProse(parts));
  }
  // One that was left open does not swallow what follows.
  if (fence !== undefined) out.push(fence.mark);
  return out.join("\n");
}

/** No address that runs something, whatever a renderer makes of the text around it. */
export function withoutSchemes(text: string): string {
  return text.replace(/\b(javascript|data|vbscript)(\s*):/gi, "$1$2&#58;");
}

interface OpenFence {
  /** Its backticks or tildes. */
  readonly mark: string;
  /** Its whole line without what stands before it. */
  readonly line: string;
  /** The marker of the list item it begins, which then stands alone. */
  readonly marker: string;
  readonly indent: number;
}

/** A fence, at the beginning of a line or of a list item. With more backticks behind it, it is code within a line. */
const fenceShape = /^( {0,3}(?:(?:[-+*]|\d{1,9}[.)]) {1,4})?)((`{3,}(?=[^`]*$)|~{3,})[^\n]*)$/;

function fenceOf(line: string): OpenFence | undefined {
  const found = fenceShape.exec(line);
  if (found === null) return undefined;
  const [, before = "", rest = "", mark = ""] = found;
  return { mark, line: rest, marker: before.trimEnd(), indent: before.length };
}

function closes(line: string, { mark, indent }: OpenFence): boolean {
  const found = /^( *)(`{3,}|~{3,})\s*$/.exec(line);
  const [, spaces = "", ticks = ""] = found ?? [];
  return ticks[0] === mark[0] && ticks.length >= mark.length && spaces.length <= indent + 3;
}

function withoutIndent(line: string, most: number): string {
  let at = 0;
  while (at < most && line[at] === " ") at += 1;
  return line.slice(at);
}

/** The line below a table's heading; cells end at a bar even within code. */
function isTableRule(line: string): boolean {
  return /^[\s>*+\d.)|:-]+$/.test(line) && line.includes("|") && line.includes("-");
}

interface LinePart {
  readonly text: string;
  readonly isCode: boolean;
}

/** Code within a line: between two runs of equally many backticks, the first of them not escaped. */
const codeSpanShape = /(?<![\\`])(`+)(?!`).*?(?<!`)\1(?!`)/g;

function codeSpans(line: string, hasTable: boolean): readonly LinePart[] {
  const parts: LinePart[] = [];
  let at = 0;
  for (const { 0: text, index } of line.matchAll(codeSpanShape)) {
    const isCode = !(hasTable && text.includes("|"));
    parts.push({ text: line.slice(at, index), isCode: false }, { text, isCode });
    at = index + text.length;
  }
  parts.push({ text: line.slice(at), isCode: false });
  return parts;
}

function lineProse(parts: readonly LinePart[]): string {
  return parts
    .map(({ text, isCode }) => (isCode ? text : outsideCode(text)))
    .join("")
    .replace(/^(\s{0,3})(#{1,6})(?=\s)/, (_, space: string, marks: string) => {
      return `${space}${"#".repeat(Math.min(6, marks.length + 2))}`;
    });
}

function outsideCode(text: string): string {
  return withoutSchemes(withoutImages(text.replace(/</g, "&lt;")));
}

const ownImage =
  /!\[[^[\]\\`]{0,200}\]\(data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}\)/y;

/** Whether an image that is whole in the text begins at a place: nothing is fetched for it. */
function isOwnImage(text: string, at: number): boolean {
  ownImage.lastIndex = at;
  return ownImage.test(text);
}

/**
 * Images become links, in every form they have: all of them begin with `![`, and after this nothing does but an image
 * that is whole in the text. Exclamation marks in front of a bracket that are no part of it stay as a reference to the character.
 */
function withoutImages(text: string): string {
  let result = "";
  let at = 0;
  for (let found = text.indexOf("!["); found >= 0; found = text.indexOf("![", found + 2)) {
    const marks = runBefore(text, { end: found + 1, from: at, of: "!" });
    const slashes = runBefore(text, { end: found + 1 - marks, from: at, of: "\\" });
    const isEscaped = slashes % 2 === 1;
    if (marks === 1 && !isEscaped && isOwnImage(text, found)) continue;
    const begin = found + 1 - marks - (isEscaped ? 1 : 0);
    // The last one makes an image, unless it is the one that is escaped.
    const left = isEscaped && marks === 1 ? 1 : marks - 1;
    result += `${text.slice(at, begin)}${"&#33;".repeat(left)}`;
    at = found + 1;
  }
  return result + text.slice(at);
}

/** How many of a character stand in front of a place, not beyond another. */
function runBefore(
  text: string,
  { end, from, of }: { readonly end: number; readonly from: number; readonly of: string },
): number {
  let at = end;
  while (at > from && text[at - 1] === of) at -= 1;
  return end - at;
}

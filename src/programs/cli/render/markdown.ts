import type { AgentEvent } from "../../../agents/contract.ts";
import { type Block, plainText } from "../../../model/block.ts";
import type { SessionHead } from "../../../model/head.ts";
import { oneLine } from "../../../model/text.ts";
import { safeText } from "../terminal/terminal-text.ts";
import type { FileChange } from "./edit-diff.ts";
import { factsOf, titleOf } from "./heading.ts";
import { dayTime } from "./time.ts";
import { type View, type ViewOptions, viewer } from "./view.ts";

/** The top of a Markdown transcript. */
export function markdownHeading(head: SessionHead): string {
  const facts = factsOf(head).map(([label, value]) => `- ${label}: ${inline(value)}`);
  return `# ${inline(titleOf(head))}\n\n${facts.join("\n")}\n\n`;
}

/** A transcript as Markdown, event by event. HTML in what was said is text, not markup. */
export async function* markdown(
  events: AsyncIterable<AgentEvent>,
  options: ViewOptions,
): AsyncGenerator<string> {
  const viewOf = viewer(options);
  for await (const event of events) {
    const view = viewOf(event);
    if (view !== undefined) yield section(view);
  }
}

/** Sentences at the end of a Markdown transcript. */
export function markdownFooting(sentences: readonly string[]): string {
  return sentences.length === 0 ? "" : `---\n\n${sentences.map(inline).join("  \n")}\n`;
}

function section(view: View): string {
  const parts = [heading(view)];
  if (view.input !== undefined) parts.push(fenced(view.input, "json"));
  for (const change of view.changes) parts.push(changeText(change));
  const isQuoted = view.kind === "result" || view.kind === "context";
  if (view.blocks.length > 0) {
    parts.push(isQuoted ? fenced(plainText(view.blocks), "") : prose(view.blocks));
  }
  return `${parts.join("\n\n")}\n\n`;
}

function heading(view: View): string {
  const at = dayTime(view.at);
  const remarks = [
    `#${view.number}`,
    at,
    view.sidechain === undefined ? "" : "subagent",
    view.live ? "" : "not on the path",
  ].filter((word) => word !== "");
  const aside = `<sub>${remarks.map(inline).join(" · ")}</sub>`;
  switch (view.kind) {
    case "call":
      return `**${inline(view.who)}** ${codeSpan(view.subject ?? "")} ${aside}`;
    case "result":
      return `${view.isError ? `**${inline(view.who)} failed**` : `${inline(view.who)} result`} ${aside}`;
    case "mark":
      return `*${inline(view.subject ?? "")}* ${aside}`;
    default:
      return `## ${inline(view.who)} ${aside}`;
  }
}

function changeText(change: FileChange): string {
  const marks = { added: "+", removed: "-", same: " ", place: "" } as const;
  const lines = change.lines.map(({ kind, text }) => `${marks[kind]}${text}`);
  const word = change.action === "delete" ? "deleted " : "";
  return `${word}${codeSpan(change.path)}\n\n${fenced(lines.join("\n"), "diff")}`;
}

function prose(blocks: readonly Block[]): string {
  return blocks
    .map((block) => (block.type === "text" ? proseText(block.text) : inline(plainText([block]))))
    .join("\n\n");
}

/** What was said is Markdown already; its HTML is made text, and a fence it left open is closed. */
function proseText(text: string): string {
  let fence: string | undefined;
  // A backtick that found no other in its line may find one in a later line of the paragraph.
  let isOpen = false;
  const lines = safeText(text)
    .trimEnd()
    .split("\n")
    .map((line) => {
      // With more backticks behind it, it is code within a line.
      const mark = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
      if (fence === undefined && mark !== undefined) {
        fence = mark;
        isOpen = false;
        return line;
      }
      if (fence !== undefined) {
        const closes = mark?.[0] === fence[0] && mark!.length >= fence.length;
        if (closes && line.trim() === mark) fence = undefined;
        return line;
      }
      if (line.trim() === "") isOpen = false;
      const parts = isOpen ? [{ text: line, isCode: false }] : codeSpans(line);
      isOpen ||= parts.some(({ text: part, isCode }) => !isCode && part.includes("`"));
      return lineProse(parts);
    });
  if (fence !== undefined) lines.push(fence);
  return lines.join("\n");
}

interface LinePart {
  readonly text: string;
  readonly isCode: boolean;
}

/** Code within a line: between two runs of equally many backticks, the first of them not escaped. */
const codeSpanShape = /(?<![\\`])(`+)(?!`).*?(?<!`)\1(?!`)/g;

function codeSpans(line: string): readonly LinePart[] {
  const parts: LinePart[] = [];
  let at = 0;
  for (const { 0: text, index } of line.matchAll(codeSpanShape)) {
    parts.push({ text: line.slice(at, index), isCode: false }, { text, isCode: true });
    at = index + text.length;
  }
  parts.push({ text: line.slice(at), isCode: false });
  return parts;
}

/** Headings are lowered below ours; `<` outside code spans is escaped; scripts in links are defused. */
function lineProse(parts: readonly LinePart[]): string {
  return parts
    .map(({ text, isCode }) => (isCode ? text : outsideCode(text)))
    .join("")
    .replace(/^(\s{0,3})(#{1,6})(?=\s)/, (_, space: string, marks: string) => {
      return `${space}${"#".repeat(Math.min(6, marks.length + 2))}`;
    });
}

function outsideCode(text: string): string {
  return withoutSchemes(text.replace(/</g, "&lt;"));
}

/** No address that runs something, whatever a renderer makes of the text around it. */
function withoutSchemes(text: string): string {
  return text.replace(/\b(javascript|data|vbscript)(\s*):/gi, "$1$2&#58;");
}

function fenced(text: string, language: string): string {
  const safe = safeText(text).trimEnd();
  const longest = Math.max(2, ...[...safe.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${safe}\n${fence}`;
}

function codeSpan(text: string): string {
  const flat = oneLine(safeText(text), 200);
  if (flat === "") return "";
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map((run) => run[0].length));
  const ticks = "`".repeat(longest + 1);
  return longest === 0 ? `\`${flat}\`` : `${ticks} ${flat} ${ticks}`;
}

function inline(text: string): string {
  const flat = oneLine(safeText(text), 400).replace(/&/g, "&amp;").replace(/</g, "&lt;");
  return withoutSchemes(flat).replace(/([\\`*_[\]])/g, "\\$1");
}

import type { AgentEvent } from "../../../agents/contract.ts";
import { dayTime } from "../../../base/local-time.ts";
import { type Block, plainText } from "../../../model/block.ts";
import type { SessionHead } from "../../../model/head.ts";
import { oneLine } from "../../../model/text.ts";
import { safeText } from "../terminal/terminal-text.ts";
import type { FileChange } from "./edit-diff.ts";
import { documentTitleOf, factsOf } from "./heading.ts";
import { markdownProse, withoutSchemes } from "./markdown-prose.ts";
import { asideOf, type View, type ViewOptions, viewer } from "./view.ts";

/** The top of a Markdown transcript. */
export function markdownHeading(head: SessionHead): string {
  const facts = factsOf(head).map(([label, value]) => `- ${label}: ${inline(value)}`);
  return `# ${inline(documentTitleOf(head))}\n\n${facts.join("\n")}\n\n`;
}

/** A transcript as Markdown, event by event. HTML in what was said is text, not markup, and nothing in it is fetched. */
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
  const remarks = [`#${view.number}`, at, asideOf(view) ?? ""].filter((word) => word !== "");
  const aside = `<sub>${remarks.map(inline).join(" · ")}</sub>`;
  switch (view.kind) {
    case "call":
      return `**${inline(view.who)}** ${codeSpan(view.subject ?? "")} ${aside}`;
    case "result": {
      const says = view.isError ? `**${inline(view.who)} failed**` : `${inline(view.who)} result`;
      const answers = view.answers === undefined ? "" : ` ${codeSpan(view.answers)}`;
      return `${says}${answers} ${aside}`;
    }
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
    .map((block) =>
      block.type === "text" ? markdownProse(block.text) : inline(plainText([block])),
    )
    .join("\n\n");
}

function fenced(text: string, language: string): string {
  const safe = safeText(text).trimEnd();
  const longest = Math.max(2, ...[...safe.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${safe}\n${fence}`;
}

/** Text as code within a line; nothing in it is markup. */
export function codeSpan(text: string): string {
  const flat = oneLine(safeText(text), 200);
  if (flat === "") return "";
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map((run) => run[0].length));
  const ticks = "`".repeat(longest + 1);
  return longest === 0 ? `\`${flat}\`` : `${ticks} ${flat} ${ticks}`;
}

/** Text within a line; nothing in it is markup, and nothing is fetched. */
export function inline(text: string): string {
  const flat = oneLine(safeText(text), 400).replace(/&/g, "&amp;").replace(/</g, "&lt;");
  return withoutSchemes(flat).replace(/([\\`*_[\]])/g, "\\$1");
}

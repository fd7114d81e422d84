import { createHash } from "node:crypto";
import type { AgentEvent } from "../../../agents/contract.ts";
import { clockTime, dayTime } from "../../../base/local-time.ts";
import { type Block, plainText } from "../../../model/block.ts";
import type { SessionHead } from "../../../model/head.ts";
import { oneLine } from "../../../model/text.ts";
import type { FileChange } from "./edit-diff.ts";
import { documentTitleOf, factsOf } from "./heading.ts";
import { codeHtml } from "./html-code.ts";
import { markdownHtml } from "./html-markdown.ts";
import { stylesheet } from "./html-style.ts";
import { escaped } from "./html-text.ts";
import { type View, type ViewOptions, viewer } from "./view.ts";

/** The beginning of a session's page. */
export function htmlHeading(head: SessionHead): string {
  const facts = factsOf(head).map(
    ([label, value]) => `<div><dt>${escaped(label)}</dt><dd>${escaped(value)}</dd></div>`,
  );
  return htmlPage(documentTitleOf(head), `<dl>${facts.join("")}</dl>`);
}

/** The beginning of a page that needs nothing from outside and runs nothing; `below` is markup under its title. */
export function htmlPage(name: string, below: string): string {
  const title = escaped(name);
  const hash = createHash("sha256").update(stylesheet).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${stylesheet}</style>
</head>
<body>
<header><h1 dir="auto">${title}</h1>${below}</header>
<main>
`;
}

/** A place in a page, and what it is called. */
export interface ContentsLine {
  readonly id: string;
  readonly text: string;
}

/** What of a prompt the table of contents says, and how many of them it has. */
const contentsChars = 90;
const contentsLines = 2_000;

/**
 * A transcript as HTML, event by event, each with the anchor `e<number>`; all text is escaped. What people said is added to
 * `contents`.
 */
export async function* html(
  events: AsyncIterable<AgentEvent>,
  options: ViewOptions & { readonly contents?: ContentsLine[] },
): AsyncGenerator<string> {
  const viewOf = viewer(options);
  let day = "";
  for await (const event of events) {
    const view = viewOf(event);
    if (view === undefined) continue;
    // The day is said once; after that the clock says enough.
    const full = dayTime(view.at);
    const isNewDay = full !== "" && full.slice(0, 10) !== day;
    if (isNewDay) day = full.slice(0, 10);
    if (view.kind === "user" && (options.contents?.length ?? 0) < contentsLines)
      options.contents?.push({
        id: idOf(view),
        text: oneLine(withoutMarks(plainText(view.blocks)), contentsChars),
      });
    yield article(view, isNewDay ? full : clockTime(view.at));
  }
}

/** A prompt without what only its page needs: signs of headings, and the elements that programs put around commands. */
function withoutMarks(text: string): string {
  return text.slice(0, contentsChars * 10).replaceAll(/^#{1,6} |<\/?[a-z][a-z-]*>/gm, " ");
}

/** The end of the page, with what the reader should know about the reading. */
export function htmlFooting(
  sentences: readonly string[],
  contents: readonly ContentsLine[] = [],
): string {
  const lines = contents.map(
    ({ id, text }) =>
      `<li><a href="#${id}" dir="auto">${escaped(text === "" ? "…" : text)}</a></li>`,
  );
  // It is known when everything was written; the page's style puts it in front.
  const nav =
    contents.length < 2
      ? ""
      : `<nav><details open><summary>Contents</summary><ol>${lines.join("")}</ol></details></nav>\n`;
  const notes = sentences.map((sentence) => `<p>${escaped(sentence)}</p>`).join("");
  return `</main>\n${nav}<footer>${notes}<p>Written by reprise.</p></footer>\n</body>\n</html>\n`;
}

function idOf({ number }: View): string {
  return `e${number.replace(/[^\w.~/-]/g, "")}`;
}

function article(view: View, timeText: string): string {
  const id = idOf(view);
  const classes = [view.kind, view.isError ? "error" : "", view.live ? "" : "dead"];
  const name = classes.filter((word) => word !== "").join(" ");
  const anchor = `<a class="number" href="#${id}">#${escaped(view.number)}</a>`;
  const side = view.sidechain === undefined ? "" : ' <span class="aside">subagent</span>';
  const time = `<time datetime="${escaped(view.at ?? "")}">${escaped(timeText)}</time>`;
  const open = `<article id="${id}" class="${name}">`;
  const who = `<b dir="auto">${escaped(view.who)}</b>`;
  switch (view.kind) {
    case "call":
    case "result":
    case "context":
    case "thinking":
      return `${open}${foldable(`${anchor} ${summaryOf(view, who)}${side} ${time}`, view)}</article>\n`;
    case "mark":
      return `${open}${anchor} <i dir="auto">${escaped(view.subject ?? "")}</i> ${time}${content(view)}</article>\n`;
    case "user":
    case "assistant":
      return `${open}<div class="who">${anchor} ${who}${side} ${time}</div>${content(view)}</article>\n`;
  }
}

function summaryOf(view: View, who: string): string {
  if (view.kind === "call") return `${who} <code dir="auto">${escaped(view.subject ?? "")}</code>`;
  if (view.kind === "result") {
    const answers =
      view.answers === undefined ? "" : ` <code dir="auto">${escaped(view.answers)}</code>`;
    return `${who} ${view.isError ? "failed" : "result"}${answers}`;
  }
  return who;
}

function foldable(summary: string, view: View): string {
  const inside = content(view);
  if (inside === "") return `<div class="who">${summary}</div>`;
  const isOpen = view.changes.length > 0 || view.isError ? " open" : "";
  return `<details${isOpen}><summary>${summary}</summary>${inside}</details>`;
}

function content(view: View): string {
  const input = view.input === undefined ? "" : codeHtml(view.input, "json");
  const changes = view.changes
    .map((change) => changeHtml(change, { named: !isNamedBy(view, change) }))
    .join("");
  const isProse = view.kind === "user" || view.kind === "assistant" || view.kind === "mark";
  const blocks = view.blocks.map((block) => blockHtml(block, isProse)).join("");
  return `${input}${changes}${blocks}`;
}

const shownImages: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

function blockHtml(block: Block, isProse: boolean): string {
  if (
    block.type === "image" &&
    block.source.kind === "base64" &&
    shownImages.has(block.mediaType)
  ) {
    // Only the alphabet of base64 gets into the attribute.
    const data = block.source.data.replace(/[^A-Za-z0-9+/=]/g, "");
    return `<img alt="image" src="data:${block.mediaType};base64,${data}">`;
  }
  const text = plainText([block]);
  if (text === "") return "";
  return isProse && block.type === "text"
    ? markdownHtml(text)
    : `<pre dir="auto">${escaped(text)}</pre>`;
}

/** Whether the line above a change says already which file it changes. */
function isNamedBy({ changes, subject = "" }: View, { path, action }: FileChange): boolean {
  return changes.length === 1 && action !== "delete" && subject !== "" && path.endsWith(subject);
}

function changeHtml(change: FileChange, options: { readonly named: boolean }): string {
  const tags = { added: "ins", removed: "del", same: "span", place: "i" } as const;
  const lines = change.lines.map(
    ({ kind, text }) => `<${tags[kind]}>${escaped(text)}\n</${tags[kind]}>`,
  );
  const word = change.action === "delete" ? "deleted " : "";
  const file = `<div class="file">${word}<code dir="auto">${escaped(change.path)}</code></div>`;
  return `${options.named ? file : ""}<pre class="diff">${lines.join("")}</pre>`;
}

import type { ComparedTurn } from "../../../catalog/compare/side.ts";
import {
  callText,
  commonSentence,
  type Figure,
  figuresOf,
  fileRows,
  loneSide,
  type ShownComparison,
} from "./compare-figures.ts";
import { documentTitleOf } from "./heading.ts";
import { htmlFooting, htmlPage } from "./html.ts";
import { escaped } from "./html-text.ts";
import { codeSpan, inline } from "./markdown.ts";
import { markdownProse } from "./markdown-prose.ts";

/** A comparison as Markdown: tables, then turn by turn, first one side and then the other. */
export function compareMarkdown(shown: ShownComparison): string {
  const parts = [
    `# ${inline(documentTitleOf(shown.heads[0]))} / ${inline(documentTitleOf(shown.heads[1]))}`,
    `- A: ${codeSpan(shown.refs[0])}\n- B: ${codeSpan(shown.refs[1])}`,
    inline(commonSentence(shown)),
    markdownTable(["", "A", "B"], figuresOf(shown)),
  ];
  const files = fileRows(shown);
  if (files.length > 0) parts.push(markdownTable(["file", "A", "B"], files));
  const [a, b] = shown.sides;
  for (let at = 0; at < Math.max(a.turns.length, b.turns.length); at += 1) {
    parts.push(
      `## Turn ${at + 1}`,
      ...markdownTurn("A", a.turns[at]),
      ...markdownTurn("B", b.turns[at]),
    );
  }
  return `${parts.join("\n\n")}\n`;
}

function markdownTable(head: Figure, rows: readonly Figure[]): string {
  const cell = (text: string): string => inline(text).replaceAll("|", "\\|");
  const line = (row: Figure): string => `| ${row.map(cell).join(" | ")} |`;
  return [line(head), "|---|---|---|", ...rows.map(line)].join("\n");
}

function markdownTurn(side: string, turn: ComparedTurn | undefined): readonly string[] {
  if (turn === undefined) return [];
  const at = turn.event === undefined ? "" : ` <sub>#${inline(turn.event)}</sub>`;
  const calls = turn.calls.map((call) => `- ${codeSpan(callText(call))}`);
  return [
    `### ${side}${at}`,
    ...(turn.prompt === "" ? [] : [quoted(markdownProse(turn.prompt))]),
    ...(calls.length === 0 ? [] : [calls.join("\n")]),
    ...(turn.answer === "" ? [] : [markdownProse(turn.answer)]),
  ];
}

function quoted(text: string): string {
  return text.replace(/^/gm, "> ");
}

/** A comparison as a page that needs nothing from outside and runs nothing; the sides stand side by side. */
export function compareHtml(shown: ShownComparison): string {
  const name = `${documentTitleOf(shown.heads[0])} / ${documentTitleOf(shown.heads[1])}`;
  const refs = shown.refs
    .map((ref, at) => `<div><dt>${"AB"[at]}</dt><dd>${escaped(ref)}</dd></div>`)
    .join("");
  const files = fileRows(shown);
  const [a, b] = shown.sides;
  const lone = loneSide(shown);
  const turns = Array.from({ length: Math.max(a.turns.length, b.turns.length) }, (_, at) => {
    const both = `${turnHtml(a.turns[at])}${turnHtml(b.turns[at])}`;
    if (lone === undefined) return `<section class="pair">${both}</section>\n`;
    return `<section>${turnHtml(shown.sides[lone].turns[at])}</section>\n`;
  });
  return [
    htmlPage(name, `<dl>${refs}</dl>`),
    `<p>${escaped(commonSentence(shown))}</p>\n`,
    tableHtml("", figuresOf(shown)),
    files.length === 0 ? "" : tableHtml("file", files),
    ...turns,
    htmlFooting([]),
  ].join("");
}

function tableHtml(label: string, rows: readonly Figure[]): string {
  const head = `<tr><th>${escaped(label)}</th><th>A</th><th>B</th></tr>`;
  const lines = rows.map(
    (row) => `<tr>${row.map((cell) => `<td dir="auto">${escaped(cell)}</td>`).join("")}</tr>`,
  );
  return `<table>${head}${lines.join("")}</table>\n`;
}

function turnHtml(turn: ComparedTurn | undefined): string {
  if (turn === undefined) return "<div></div>";
  const at = turn.event === undefined ? "" : `<span class="number">#${escaped(turn.event)}</span>`;
  const prompt =
    turn.prompt === ""
      ? ""
      : `<article class="user"><div class="who">${at} <b>You</b></div>${text(turn.prompt)}</article>`;
  const calls = turn.calls.map((call) => {
    const name = call.failed === true ? "call error" : "call";
    const end = call.unanswered === true ? " (no result)" : "";
    return `<article class="${name}"><b>${escaped(call.name)}</b> <code dir="auto">${escaped(call.subject)}</code>${end}</article>`;
  });
  const answer =
    turn.answer === ""
      ? ""
      : `<article class="assistant"><div class="who"><b>Answer</b></div>${text(turn.answer)}</article>`;
  return `<div>${prompt}${calls.join("")}${answer}</div>`;
}

function text(said: string): string {
  return `<div class="text" dir="auto">${escaped(said)}</div>`;
}

import { Marked, type Token, type Tokens } from "marked";
import { limits } from "../../../base/limits.ts";
import { codeHtml } from "./html-code.ts";
import { escaped } from "./html-text.ts";

// Of its own: what others set up for theirs must not reach it. A line end within a paragraph is one.
const reader = new Marked({ gfm: true, breaks: true });

/**
 * What a person or a model wrote as Markdown, as HTML. It is made tag by tag of what was read: markup of the text is text,
 * images are links, and links lead only to web pages and mail; so nothing runs, and nothing is fetched.
 */
export function markdownHtml(text: string): string {
  const tokens = tokensOf(text.toWellFormed());
  if (tokens === undefined) return `<pre dir="auto">${escaped(text)}</pre>`;
  return `<div class="prose" dir="auto">${blocks(tokens)}</div>`;
}

function tokensOf(text: string): readonly Token[] | undefined {
  if (text.length > limits.markdownChars) return undefined;
  try {
    return reader.lexer(text);
  } catch {
    return undefined;
  }
}

function blocks(tokens: readonly Token[]): string {
  return tokens.map(block).join("");
}

function block(token: Token): string {
  switch (token.type) {
    case "space":
    case "def":
    case "checkbox":
      return "";
    case "heading": {
      const { depth, tokens } = token as Tokens.Heading;
      // The page's own title is the first heading, the speakers come below it.
      const tag = `h${Math.min(6, depth + 2)}`;
      return `<${tag}>${inline(tokens)}</${tag}>`;
    }
    case "code": {
      const { text, lang = "" } = token as Tokens.Code;
      return codeHtml(text, lang);
    }
    case "blockquote":
      return `<blockquote>${blocks((token as Tokens.Blockquote).tokens)}</blockquote>`;
    case "list":
      return listHtml(token as Tokens.List);
    case "table":
      return tableHtml(token as Tokens.Table);
    case "hr":
      return "<hr>";
    case "paragraph":
      return `<p>${inline((token as Tokens.Paragraph).tokens)}</p>`;
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      return tokens === undefined ? escaped(text) : inline(tokens);
    }
    default:
      return `<p>${escaped(token.raw.trim())}</p>`;
  }
}

function listHtml({ ordered, start, items }: Tokens.List): string {
  const tag = ordered ? "ol" : "ul";
  const first = ordered && typeof start === "number" && start !== 1 ? ` start="${start}"` : "";
  const rows = items.map(({ task, checked, tokens }) => {
    const box = task ? (checked === true ? "☑ " : "☐ ") : "";
    return `<li>${box}${blocks(tokens)}</li>`;
  });
  return `<${tag}${first}>${rows.join("")}</${tag}>`;
}

function tableHtml({ header, rows }: Tokens.Table): string {
  const cells = (row: readonly Tokens.TableCell[], tag: string): string =>
    `<tr>${row.map(({ tokens, align }) => `<${tag}${align === null ? "" : ` class="${align}"`}>${inline(tokens)}</${tag}>`).join("")}</tr>`;
  const body = rows.map((row) => cells(row, "td")).join("");
  return `<div class="wide"><table><thead>${cells(header, "th")}</thead><tbody>${body}</tbody></table></div>`;
}

function inline(tokens: readonly Token[]): string {
  return tokens.map(piece).join("");
}

function piece(token: Token): string {
  switch (token.type) {
    case "strong":
      return `<strong>${inline((token as Tokens.Strong).tokens)}</strong>`;
    case "em":
      return `<em>${inline((token as Tokens.Em).tokens)}</em>`;
    case "del":
      return `<s>${inline((token as Tokens.Del).tokens)}</s>`;
    case "codespan":
      return `<code>${escaped((token as Tokens.Codespan).text)}</code>`;
    case "br":
      return "<br>";
    case "link": {
      const { href, tokens } = token as Tokens.Link;
      return anchor(href, inline(tokens));
    }
    case "image": {
      const { href, text } = token as Tokens.Image;
      return anchor(href, escaped(text === "" ? href : text));
    }
    case "text":
    case "paragraph": {
      const { tokens, text } = token as Tokens.Text;
      return tokens === undefined ? escaped(text) : inline(tokens);
    }
    case "escape":
      return escaped((token as Tokens.Escape).text);
    case "checkbox":
      return "";
    default:
      return escaped(token.raw);
  }
}

/** A link to a web page or an address of mail; any other is only its words. */
function anchor(href: string, words: string): string {
  if (!/^(?:https?:\/\/|mailto:)[^\s"'<>]+$/i.test(href)) return words;
  return `<a href="${escaped(href)}" rel="noopener noreferrer nofollow">${words}</a>`;
}

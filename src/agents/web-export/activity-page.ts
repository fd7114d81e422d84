import { isUtf8 } from "node:buffer";
import type { ByteWindow } from "../../base/byte-window.ts";
import type { JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { Element } from "../../json/array-elements.ts";
import type { Damage } from "../../model/damage.ts";
import { isMoment, momentOfLine } from "./activity-time.ts";
import { plainOfHtml } from "./plain-html.ts";

/** Where an activity, or its head, begins on a page of Takeout. */
const mark = /<div class="(?:outer|header)-cell\b/g;
const longestMark = 64;

/** The activities on a page, each as its twin in JSON would be; after a damaged one, reading goes on with the next. */
export function* activitiesOn(
  window: ByteWindow,
  onDamage: (damage: Damage) => void,
): Generator<Element & { readonly element: JsonObject }> {
  for (const { offset, length } of cellsOn(window)) {
    const broken = { offset, length, recovered: 0 };
    if (length > limits.foreignLineBytes) {
      onDamage({ ...broken, kind: "bad_record", detail: "an activity is too long" });
      continue;
    }
    const bytes = window.range(offset, length);
    const element = activityIn(bytes);
    const kind = bytes.includes(0) ? "nul_run" : isUtf8(bytes) ? undefined : "bad_utf8";
    if (kind !== undefined) onDamage({ ...broken, kind, recovered: element === undefined ? 0 : 1 });
    if (element !== undefined) yield { offset, length, element };
  }
  const end = window.range(Math.max(0, window.end - longestMark), longestMark);
  if (!end.includes("</html>"))
    onDamage({ kind: "torn_tail", offset: window.end, recovered: 0, detail: "the page was cut" });
}

/** From each mark to the next, or to the end; what stands before the first one comes first. */
function* cellsOn(window: ByteWindow): Generator<Element> {
  let begin = 0;
  for (const next of marksOn(window)) {
    yield { offset: begin, length: next - begin };
    begin = next;
  }
  yield { offset: begin, length: window.end - begin };
}

function* marksOn(window: ByteWindow): Generator<number> {
  let last = -1;
  for (let from = 0; from < window.end; from += limits.chunkBytes) {
    // A mark may lie across two chunks.
    const text = window.range(from, limits.chunkBytes + longestMark).toString("latin1");
    for (const { index } of text.matchAll(mark)) {
      if (from + index <= last) continue;
      last = from + index;
      yield last;
    }
  }
}

/**
 * The activity in a piece of a page: what was asked, the moment, and behind it the answer; undefined if there is none. Its
 * fields are those of the same export in JSON.
 */
export function activityIn(bytes: Buffer): JsonObject | undefined {
  const html = bytes.toString("utf8");
  const content = cellIn(html, 'mdl-typography--body-1"');
  if (content === undefined) return undefined;
  const product = plainOfHtml(pieceOf(html, 'mdl-typography--title"', "</p>"));
  const caption = plainOfHtml(pieceOf(html, 'mdl-typography--caption"', "</div>"));
  const { asked, moment = "", answer } = partsOf(content);
  return {
    header: product,
    products: [caption],
    title: asked,
    time: momentOfLine(moment) ?? "",
    safeHtmlItem: answer === "" ? [] : [{ html: answer }],
  };
}

/** What the first cell of a class holds; the next cell, or the end of its own, ends it. */
function cellIn(html: string, name: string): string | undefined {
  const from = html.indexOf(name);
  const begin = from < 0 ? -1 : html.indexOf(">", from);
  if (begin < 0) return undefined;
  const next = html.indexOf('<div class="content-cell', begin);
  return html.slice(begin + 1, next < 0 ? html.length : next);
}

function pieceOf(html: string, from: string, to: string): string {
  const at = html.indexOf(from);
  const begin = at < 0 ? -1 : html.indexOf(">", at);
  const end = begin < 0 ? -1 : html.indexOf(to, begin);
  return end < 0 ? "" : html.slice(begin + 1, end);
}

interface Parts {
  readonly asked: string;
  readonly moment?: string;
  readonly answer: string;
}

/** Lines end with a break. The first that is a moment, if possible one that is understood, ends what was asked. */
function partsOf(content: string): Parts {
  let loose: Parts | undefined;
  let begin = 0;
  const until = (end: number): string => plainOfHtml(content.slice(0, end));
  for (const { 0: br, index } of content.matchAll(/<br\s{0,4}\/?>/gi)) {
    const moment = index - begin > longestLine ? "" : plainOfHtml(content.slice(begin, index));
    if (isMoment(moment)) {
      const answer = (): string => content.slice(index + br.length).trim();
      if (momentOfLine(moment) !== undefined)
        return { asked: until(begin), moment, answer: answer() };
      // Only the first is taken apart: a page may have a million of them.
      loose ??= { asked: until(begin), moment, answer: answer() };
    }
    begin = index + br.length;
  }
  return loose ?? { asked: until(content.length), answer: "" };
}

/** A moment with the tags and marks around it. */
const longestLine = 200;

import { oneLine } from "../model/text.ts";
import { sentencesOf } from "./sentences.ts";

/** A heading, or words before a colon, under which an answer says what is not done. */
const title =
  /^(?:(?:suggested|possible|recommended|immediate|natural) )?(?:next(?: (?:steps?|up))?|remaining(?: [a-z]+)?|to-?dos?|(?:still )?not (?:yet )?done(?: yet)?|follow-?ups?|open (?:ends|questions|issues|items|points)|what(?:'s| is) (?:next|left)|left to do|still (?:open|missing|to do))(?: \([^)]{0,40}\))?$/i;

/** The same as a sentence. */
const says =
  /^(?:the )?(?:next steps?|remaining (?:work|issues?|steps?|tasks?|problems?|blockers?)|follow-?ups?) (?:is|are|(?:would|will) be)\b/i;

const item = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[ \]\s+)?(\S.*)$/;
const ticked = /^\s*[-*+]\s+\[[xX]\]/;
const nothing = /^(?:(?:none|nothing|n\/a)\b|no (?:remaining|open|further|other|known)\b)/i;

/** How much of the end of an answer is looked at. */
const lookedAtChars = 16_000;
const lineChars = 240;
const most = 6;

/** What the last answer itself leaves open, in its own words: lines under such headings, such sentences, and the question it ends with. */
export function leftOpen(answer: string): readonly string[] {
  const end = answer.slice(-lookedAtChars);
  const lines = end.replace(/^ {0,3}(```|~~~)[\s\S]*?^ {0,3}\1.*$/gm, "").split(/\r?\n/);
  const listed = lines.flatMap((line, at) => {
    const [name, rest] = titled(line);
    if (!title.test(name)) return [];
    return rest === "" ? below(lines.slice(at + 1)) : [rest];
  });
  const asked = questionsIn(lines.findLast((line) => line.trim() !== "") ?? "");
  const stated = sentencesOf(end).filter((sentence) => says.test(sentence));
  const said = [...listed, ...stated, ...asked].map((line) => oneLine(bare(line), lineChars));
  return [...new Set(said.filter((line) => line !== "" && !nothing.test(line)))].slice(0, most);
}

/** What a line names as a heading, in bold or before a colon, and what it says of it. */
function titled(line: string): readonly [name: string, rest: string] {
  const plain = line
    .replaceAll("’", "'")
    .replace(/\*\*|__/g, "")
    .trim();
  const [, name = "", colon, rest = ""] =
    /^(?:#{1,6}\s+)?([^:]{1,60}?)\s*(?:(:)\s*(.*))?$/.exec(plain) ?? [];
  const isTitle = colon !== undefined || /^\s*(?:#|\*\*|__)/.test(line);
  return isTitle ? [name, rest] : ["", ""];
}

/** The items of the list that follows a heading; where none does, the one line that follows. */
function below(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => line.trim() !== "");
  if (from < 0) return [];
  const first = lines[from]!;
  if (!item.test(first)) return /^\s*#/.test(first) ? [] : [first];
  const items: string[] = [];
  for (const line of lines.slice(from)) {
    if (/^\S/.test(line) && !item.test(line)) break;
    const [, text] = item.exec(line) ?? [];
    if (text !== undefined && !ticked.test(line)) items.push(text);
  }
  return items;
}

function questionsIn(line: string): readonly string[] {
  if (!/\?\W{0,3}$/.test(line)) return [];
  return line.split(/(?<=[.!?])\s+/).filter((part) => /\?\W{0,3}$/.test(part));
}

/** Without what only marks it: bold, a bullet, a quotation. */
function bare(line: string): string {
  return line
    .replace(/\*\*|__/g, "")
    .replace(/^[\s>#*+-]+/, "")
    .trim();
}

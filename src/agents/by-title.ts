import type { SessionHead } from "../model/head.ts";
import type { FoundSession } from "./newest-sessions.ts";

/**
 * The sessions whose titles have all words of a text. One that is called exactly so, or the only one whose title begins
 * with the text, stands for all; else titles that begin with it come first.
 */
export function byTitle(text: string, all: readonly FoundSession[]): readonly FoundSession[] {
  const said = plain(text);
  if (said === "") return [];
  const exact = all.filter(({ head }) => isCalled(head, text));
  if (exact.length > 0) return exact;
  const begun = all.filter(({ head }) => beginsTitle(text, head));
  if (begun.length === 1) return begun;
  const words = said.split(" ");
  const others = all.filter((one) => {
    const title = plain(one.head.title);
    return !begun.includes(one) && words.every((word) => title.includes(word));
  });
  return [...begun, ...others];
}

/** Whether a text is the whole title of a session, as far as a list shows it. */
export function isCalled({ title }: SessionHead, text: string): boolean {
  return title !== undefined && plain(title) === plain(text);
}

/** Whether the words of a text stand in the title of a session as they stand there. */
export function isInTitle(text: string, { title }: SessionHead): boolean {
  return plain(title).includes(plain(text));
}

function beginsTitle(text: string, { title }: SessionHead): boolean {
  return plain(title).startsWith(plain(text));
}

/** A text as titles are compared: in small letters, with single spaces, without the mark that it was cut off. */
function plain(text = ""): string {
  return text.toLowerCase().replace(/…$/, "").trim().replace(/\s+/g, " ");
}

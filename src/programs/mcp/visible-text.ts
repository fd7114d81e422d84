import { safeText } from "../cli/terminal/terminal-text.ts";

/** Characters that nobody sees and a model reads: tags, fillers, what has no width. */
const unseen =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]|\u034f/gu;

/** A text as a person would see it: controls are made visible, and what cannot be seen is left out. */
export function visibleText(text: string): string {
  return safeText(text.toWellFormed()).replace(unseen, "");
}

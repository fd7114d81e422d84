import { hasHidden, plainLine } from "../plain-text.ts";

/** A sentence of something that a person typed. */
export interface SaidSentence {
  readonly text: string;
  /** It is certainly the person's own: the text is short, has no pasted block and no letters that nobody sees. */
  readonly isOwn: boolean;
}

/** A longer prompt is mostly pasted. */
const ownChars = 800;
const readChars = 3_000;
const shortest = 8;
const longest = 300;

const pasted = /```|^\s*>|^\s{4,}\S|^\s*\d+[→|]|<\/?[a-z][\w-]*[^>]*>|https?:\/\/|^\s*[$#%] /im;

/** The sentences of a prompt; code, quotations and markup are left out. */
export function saidSentences(prompt: string): readonly SaidSentence[] {
  if (prompt.length > readChars) return [];
  const isOwn = prompt.length <= ownChars && !pasted.test(prompt) && !hasHidden(prompt);
  const prose = prompt
    .replace(/```[\s\S]*?(?:```|$)/g, "\n")
    .replace(/^\s*>.*$/gm, "")
    .replace(/<([a-z][\w-]*)[^>]*>[\s\S]*?<\/\1>/gi, "\n");
  return prose
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => plainLine(sentence, longest + 1).replace(/^[-*•]\s+/, ""))
    .filter((text) => text.length >= shortest && text.length <= longest)
    .map((text) => ({ text, isOwn }));
}

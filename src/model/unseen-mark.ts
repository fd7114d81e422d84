import { type Block, type TextBlock, textBlock } from "./block.ts";

/** Nobody sees it, and no program takes it for a blank at the edge of a text. */
const mark = "\u200b";
const marks = /^\u200b+/;

/** Whether an agent's reader takes a text for its program's own. */
type IsProgramText = (text: string) => boolean;

/**
 * A prompt as a writer puts it down: a text that its own reader would take for the program's gets a mark in
 * front. One that came with marks gets one more, so that taking one away always gives back what was said.
 */
export function marked<T extends Block>(
  blocks: readonly T[],
  isProgramText: IsProgramText,
): readonly (T | TextBlock)[] {
  return blocks.map((block) => {
    if (block.type !== "text") return block;
    return isProgramText(withoutMarks(block.text)) ? textBlock(`${mark}${block.text}`) : block;
  });
}

/** A prompt as it was said: without the marks a writer put into it. */
export function unmarked(blocks: readonly Block[], isProgramText: IsProgramText): readonly Block[] {
  return blocks.map((block) => {
    if (block.type !== "text") return block;
    const said = unmarkedText(block.text, isProgramText);
    return said === block.text ? block : textBlock(said);
  });
}

/** One text of a prompt as it was said. */
export function unmarkedText(text: string, isProgramText: IsProgramText): string {
  if (!text.startsWith(mark) || !isProgramText(withoutMarks(text))) return text;
  return text.slice(mark.length);
}

/** A text without all marks before it, anyone who put them there. */
export function withoutMarks(text: string): string {
  return text.replace(marks, "");
}

import { limits } from "../../../base/limits.ts";
import { linesOf, windowText } from "../../../jsonl/text-window.ts";
import { type HeadFacts, noteEarly, recordsIn } from "./facts.ts";

/** What the first lines tell, up to the first prompt; `text` is the window that was read of them. */
export function readStart(
  fd: number,
  window: { readonly text: string; readonly size: number },
): HeadFacts {
  const { size } = window;
  const most = Math.min(size, limits.headBytesMax);
  let { text } = window;
  for (;;) {
    const facts = startOf(text, { toEnd: text.length >= size });
    // The program writes its instructions before or behind the first prompt: look further, but not far.
    if (facts.prompt !== undefined || text.length >= most) return facts;
    const longer = windowText(fd, { at: 0, bytes: Math.min(text.length * 16, most) });
    if (longer.length <= text.length) return facts;
    text = longer;
  }
}

function startOf(text: string, options: { readonly toEnd: boolean }): HeadFacts {
  const facts: HeadFacts = {};
  for (const line of linesOf(text, options.toEnd)) {
    if (!line.whole) break;
    if (recordsIn(line.text).some((record) => noteEarly(facts, record))) break;
  }
  return facts;
}

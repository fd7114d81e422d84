import { limits } from "../../../base/limits.ts";
import { linesOf, windowText } from "../../../jsonl/text-window.ts";
import { isHeader, isSoundHeader } from "../record-types.ts";
import { type HeadFacts, note, recordsIn } from "./facts.ts";

/** What the first lines tell, up to the first prompt; `text` is the window that was read of them. */
export function readStart(
  fd: number,
  window: { readonly text: string; readonly size: number },
): HeadFacts {
  const { text, size } = window;
  const toEnd = text.length >= size;
  const facts = startOf(text, { toEnd });
  // A long first prompt, or much before it: look further, but not far.
  if (facts.prompt !== undefined || toEnd) return facts;
  const bytes = Math.min(size, limits.headBytesMax);
  return startOf(windowText(fd, { at: 0, bytes }), { toEnd: bytes === size });
}

function startOf(text: string, options: { readonly toEnd: boolean }): HeadFacts {
  const facts: HeadFacts = {};
  for (const line of linesOf(text, options.toEnd)) {
    const { records, kind } = recordsIn(line.text);
    // The window may cut a line; what is only cut is not a damage.
    if (!line.whole && records.length === 0) break;
    for (const record of records) {
      facts.sound ??= kind === undefined && isSoundHeader(record);
      if (isHeader(record)) facts.header ??= record;
      else note(facts, record, { newest: true });
    }
    if (facts.prompt !== undefined) break;
  }
  return facts;
}

import { limits } from "../base/limits.ts";
import { findSecrets } from "./find.ts";
import { createMasker, type MaskOptions } from "./mask.ts";

/**
 * Masks a text that comes in chunks, wherever these are cut. So much of it is held back that a secret and what says it
 * are always looked at together; memory stays flat.
 */
export async function* maskChunks(
  chunks: AsyncIterable<string> | Iterable<string>,
  options: MaskOptions = {},
): AsyncGenerator<string> {
  const masker = createMasker(options);
  let held = "";
  for await (const chunk of chunks) {
    held += chunk;
    if (held.length < 4 * limits.maskWindowChars) continue;
    const cut = safeCut(held);
    yield masker.text(held.slice(0, cut));
    held = held.slice(cut);
  }
  if (held !== "") yield masker.text(held);
}

/** A place to cut, the last line break that has no secret near it where there is one. */
function safeCut(text: string): number {
  const latest = text.length - limits.maskWindowChars;
  const spans = findSecrets(text);
  const isNear = (at: number) =>
    spans.some(({ start, end }) => start - nearChars < at && at < end + nearChars);
  for (let at = latest; at > latest - limits.maskWindowChars; ) {
    at = text.lastIndexOf("\n", at - 1);
    if (at < 0) break;
    if (!isNear(at + 1)) return at + 1;
  }
  // No line ends, or a secret on every line: then at least not inside of one.
  return spans.find(({ start, end }) => start < latest && latest < end)?.start || latest;
}

/** So far apart, what stands beside a secret says nothing about it. */
const nearChars = 1024;

import { findRandomVariables } from "./assignments.ts";
import { findPrivateKeys } from "./private-keys.ts";
import { scan } from "./scan.ts";
import { joinSpans, outside, type Span } from "./span.ts";

// Nothing inside these is a secret: what was masked before, and the bytes of an image.
const settled =
  /\[secret:[a-z-]{1,40}:[0-9a-f]{4}\]|data:image\/[a-z0-9.+-]{1,40};base64,[A-Za-z0-9+/=]*/g;

/** Finds the secrets of a text, in order and free of overlaps, in time linear in its length. */
export function findSecrets(text: string): readonly Span[] {
  if (text.length < 8) return [];
  const found: Span[] = [];
  if (text.includes("PRIVATE KEY") || text.includes("PuTTY-User-Key-File-"))
    for (const span of findPrivateKeys(text)) found.push(span);
  scan(text, found);
  if (text.includes("=")) for (const span of findRandomVariables(text)) found.push(span);
  if (found.length === 0) return found;
  found.sort((a, b) => a.start - b.start);
  return joinSpans(outside(found, settledSpans(text)));
}

function settledSpans(text: string): readonly Span[] {
  return [...text.matchAll(settled)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    rule: "settled",
  }));
}

import { findRandomVariables } from "./assignments.ts";
import { undisguised } from "./disguise.ts";
import { findEncoded } from "./encoded.ts";
import { findPrivateKeys } from "./private-keys.ts";
import { scan } from "./scan.ts";
import { joinSpans, outside, type Span } from "./span.ts";

// Nothing inside these is a secret: what was masked before, and the bytes of an image or a font.
const settled =
  /\[secret:[a-z-]{1,40}:[0-9a-f]{4}\]|data:(?:image|font|audio|video)\/[a-z0-9.+-]{1,40};base64,[A-Za-z0-9+/=]*/g;

/** Finds the secrets of a text, in order and free of overlaps, in time linear in its length. */
export function findSecrets(text: string): readonly Span[] {
  if (text.length < 8) return [];
  const found: Span[] = [];
  findReadable(text, found);
  for (const span of findEncoded(text, readableSecrets)) found.push(span);
  for (const layer of undisguised(text)) {
    for (const span of readableSecrets(layer.text)) found.push(layer.source(span));
    for (const span of findEncoded(layer.text, readableSecrets)) found.push(layer.source(span));
  }
  if (found.length === 0) return found;
  found.sort((a, b) => a.start - b.start);
  return joinSpans(outside(found, settledSpans(text)));
}

function readableSecrets(text: string): readonly Span[] {
  const found: Span[] = [];
  findReadable(text, found);
  return found;
}

function findReadable(text: string, found: Span[]): void {
  if (text.includes("PRIVATE KEY") || text.includes("PuTTY-User-Key-File-"))
    for (const span of findPrivateKeys(text)) found.push(span);
  scan(text, found);
  if (text.includes("=")) for (const span of findRandomVariables(text)) found.push(span);
}

function settledSpans(text: string): readonly Span[] {
  return [...text.matchAll(settled)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    rule: "settled",
  }));
}

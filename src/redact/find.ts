import { findRandomVariables } from "./assignments.ts";
import { undisguised } from "./disguise.ts";
import { findEncoded } from "./encoded.ts";
import { longRuns } from "./long-runs.ts";
import { findPrivateKeys } from "./private-keys.ts";
import { scan } from "./scan.ts";
import { joinSpans, outside, type Span } from "./span.ts";

// Nothing inside these is a secret: what was masked before, and the bytes of an image or a font.
const settled =
  /\[secret:[a-z-]{1,40}:[0-9a-f]{4}\]|data:(?:image|font|audio|video)\/[a-z0-9.+-]{1,40};base64,[A-Za-z0-9+/=]*/g;
const leastRun = 16;
/** What was encoded once may have been encoded twice. */
const mostDecodings = 2;

/** Finds the secrets of a text, in order and free of overlaps, in time linear in its length. */
export function findSecrets(text: string): readonly Span[] {
  if (text.length < 8) return [];
  const found: Span[] = [];
  findReadable(text, { found, decodings: mostDecodings });
  for (const layer of undisguised(text)) {
    const inner: Span[] = [];
    findReadable(layer.text, { found: inner, decodings: mostDecodings });
    for (const span of inner) found.push(layer.source(span));
  }
  if (found.length === 0) return found;
  found.sort((a, b) => a.start - b.start);
  return joinSpans(
    outside(
      found.map((span) => wholeEscapes(text, span)),
      settledSpans(text),
    ),
  );
}

/** Leaves escapes whole, so that JSON stays JSON: a span begins before the backslashes that touch it and ends before them. */
function wholeEscapes(text: string, span: Span): Span {
  let { start, end } = span;
  while (end > start && text[end - 1] === "\\") end -= 1;
  if (/["\\/bfnrtu]/.test(text[start] ?? "")) while (text[start - 1] === "\\") start -= 1;
  return { ...span, start, end };
}

/** Finds what can be read as it stands, and what can be once it is decoded. */
function findReadable(
  text: string,
  { found, decodings }: { readonly found: Span[]; readonly decodings: number },
): void {
  if (text.includes("PRIVATE KEY") || text.includes("PuTTY-User-Key-File-"))
    for (const span of findPrivateKeys(text)) found.push(span);
  scan(text, found);
  const runs = longRuns(text, leastRun);
  if (runs.length === 0) return;
  for (const span of findRandomVariables(text, runs)) found.push(span);
  if (decodings === 0) return;
  const find = (decoded: string) => {
    const inner: Span[] = [];
    findReadable(decoded, { found: inner, decodings: decodings - 1 });
    return inner;
  };
  for (const span of findEncoded(text, { runs, find })) found.push(span);
}

function settledSpans(text: string): readonly Span[] {
  return [...text.matchAll(settled)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    rule: "settled",
  }));
}

import { limits } from "../base/limits.ts";
import type { Run } from "./long-runs.ts";
import type { Span } from "./span.ts";

// Base64 of text: bytes below 128 make the first of four letters one of these, so that a glance says most runs apart.
// Full lines are taken together with what follows them.
const base64Lines =
  /(?:[C-Za-f][A-Za-z0-9+/_-]{3}){3,}(?:(?<=[\w+/-]{60})\r?\n(?:[C-Za-f][A-Za-z0-9+/_-]{3})*[A-Za-z0-9+/_-]{0,3}(?=={0,2}(?:[\r\n"'\\]|$)))*[A-Za-z0-9+/_-]{0,3}={0,2}/y;
const hexText = /(?:[2-7][0-9a-fA-F]|0[9aAdD]){12,}(?![A-Za-z0-9])/y;
const readable = /^[\t\n\r\x20-\x7e]*$/;
const leastChars = 16;

/** Finds encoded text in which `find` finds a secret; the whole run counts. */
export function findEncoded(
  text: string,
  {
    runs,
    find,
  }: { readonly runs: readonly Run[]; readonly find: (decoded: string) => readonly Span[] },
): readonly Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const { start, end } of runs) {
    if (start < from || end - start < leastChars || !isLetter(text, start)) continue;
    const found =
      secretOf(text, { start, shape: base64Lines, encoding: "base64", find }) ??
      secretOf(text, { start, shape: hexText, encoding: "hex", find });
    from = Math.max(end, found?.end ?? 0);
    if (found !== undefined) spans.push(found);
  }
  return spans;
}

/** Whether base64 or hex of text may begin here; most runs are words or paths, which do not. */
function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 50 && code <= 55) || (code >= 67 && code <= 90) || (code >= 97 && code <= 102);
}

interface Encoded {
  readonly start: number;
  readonly shape: RegExp;
  readonly encoding: "base64" | "hex";
  readonly find: (decoded: string) => readonly Span[];
}

function secretOf(text: string, { start, shape, encoding, find }: Encoded): Span | undefined {
  shape.lastIndex = start;
  if (!shape.test(text)) return undefined;
  const end = shape.lastIndex;
  if (end - start < leastChars || end - start > limits.encodedChars) return undefined;
  // A few bytes tell whether it is text at all.
  if (decoded(text.slice(start, start + leastChars), encoding) === undefined) return undefined;
  const inner = decoded(text.slice(start, end), encoding);
  const secret = inner === undefined ? undefined : find(inner)[0];
  return secret === undefined ? undefined : { start, end, rule: secret.rule };
}

function decoded(run: string, encoding: "base64" | "hex"): string | undefined {
  const text = Buffer.from(run, encoding).toString("latin1");
  return readable.test(text) ? text : undefined;
}

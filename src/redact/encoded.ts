import { limits } from "../base/limits.ts";
import type { Span } from "./span.ts";

// Base64 of text: bytes below 128 make the first of four letters one of these, so that a glance tells most runs apart.
// Lines of one encoded text are taken together.
const base64Run =
  /(?<![A-Za-z0-9+/=_-])(?:[C-Za-f][A-Za-z0-9+/_-]{3}){3,}(?:\r?\n(?:[C-Za-f][A-Za-z0-9+/_-]{3}){4,})*[A-Za-z0-9+/_-]{0,3}={0,2}/g;
const hexRun = /(?<![A-Za-z0-9])(?:[2-7][0-9a-fA-F]|0[9aAdD]){12,}(?![A-Za-z0-9])/g;
const readable = /^[\t\n\r\x20-\x7e]*$/;

/** Finds encoded text in which `find` finds a secret; the whole run counts. */
export function findEncoded(
  text: string,
  find: (decoded: string) => readonly Span[],
): readonly Span[] {
  const spans: Span[] = [];
  const look = (run: RegExpExecArray, encoding: "base64" | "hex") => {
    if (run[0].length < 16 || run[0].length > limits.encodedChars) return;
    // A few bytes tell whether it is text at all.
    if (!readable.test(Buffer.from(run[0].slice(0, 16), encoding).toString("latin1"))) return;
    const decoded = Buffer.from(run[0], encoding).toString("latin1");
    if (!readable.test(decoded)) return;
    const [secret] = find(decoded);
    if (secret === undefined) return;
    spans.push({ start: run.index, end: run.index + run[0].length, rule: secret.rule });
  };
  for (const run of text.matchAll(base64Run)) look(run, "base64");
  for (const run of text.matchAll(hexRun)) look(run, "hex");
  return spans;
}

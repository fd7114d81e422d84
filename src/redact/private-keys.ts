import { limits } from "../base/limits.ts";
import type { Span } from "./span.ts";

const beginShape =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[0-9]:/g;
const endShape = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: ?[0-9a-f]{8,}/g;
// What stands between two lines of a key: line breaks (also escaped), line numbers, quotes, diff signs.
const rest = /(?:\\[nr]|[\s"'+,|>#→]){0,64}(?:\d{1,6}[→:\t] ?)?([A-Za-z0-9+/=]{16,})/y;

/** Finds private keys in PEM, OpenSSH, PGP and PuTTY armour, also cut off, escaped or quoted ones. */
export function findPrivateKeys(text: string): readonly Span[] {
  const spans: Span[] = [];
  let nextEnd: { index: number; end: number } | undefined = { index: -1, end: -1 };
  beginShape.lastIndex = 0;
  for (let begin = beginShape.exec(text); begin !== null; begin = beginShape.exec(text)) {
    const bodyStart = begin.index + begin[0].length;
    // One search serves all beginnings before its answer: many beginnings stay linear.
    if (nextEnd !== undefined && nextEnd.index < bodyStart) nextEnd = endAfter(text, bodyStart);
    const closed = nextEnd !== undefined && isBody(text, { from: bodyStart, to: nextEnd.index });
    const end = closed ? nextEnd!.end : openEnd(text, bodyStart);
    if (end === undefined) continue;
    spans.push({ start: begin.index, end, rule: "private-key" });
    beginShape.lastIndex = end;
  }
  return spans;
}

function endAfter(text: string, from: number): { index: number; end: number } | undefined {
  endShape.lastIndex = from;
  const match = endShape.exec(text);
  return match === null ? undefined : { index: match.index, end: match.index + match[0].length };
}

/** Key material rather than a program that speaks of keys: half of it or more is long base64. */
function isBody(text: string, { from, to }: { from: number; to: number }): boolean {
  if (to - from > limits.privateKeyChars) return false;
  const body = text.slice(from, to);
  if (body.includes("-----BEGIN ")) return false;
  const runs = body.match(/[A-Za-z0-9+/=]{16,}/g) ?? [];
  if (runs.reduce((sum, run) => sum + run.length, 0) >= body.length / 2) return true;
  return body.length < 80 && /^(?:\\[nr]|\s)*[A-Za-z0-9+/]{4,}={0,2}(?:\\[nr]|\s)*$/.test(body);
}

/** Where key material ends that has no end line. */
function openEnd(text: string, from: number): number | undefined {
  let at = from;
  for (;;) {
    rest.lastIndex = at;
    if (!rest.test(text)) break;
    at = rest.lastIndex;
  }
  return at === from ? undefined : at;
}

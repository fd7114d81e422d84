import { isPath, looksGenerated } from "../judge.ts";
import { type Rule, shaped } from "../rule.ts";
import type { Span } from "../span.ts";
import { entropyOf, isRandom, looksLikeWords } from "../variety.ts";

/** What a browser or a program shows to be let in. */
export const headers: readonly Rule[] = [
  shaped({
    name: "authorization",
    keywords: ["basic"],
    shape: () => /(?<![A-Za-z0-9])basic[ \t]{1,4}([A-Za-z0-9+/]{8,}={0,2})/i,
    accept: (secret) => /^[\x20-\x7e]{0,200}:[\x20-\x7e]+$/.test(decoded(secret)),
  }),
  shaped({
    name: "authorization",
    keywords: ["bearer"],
    shape: () => /(?<![A-Za-z0-9])bearer[ \t]{1,4}([A-Za-z0-9_.~+/-]{16,}={0,2})/i,
    accept: isCredential,
  }),
  shaped({
    name: "authorization",
    keywords: ["authorization"],
    shape: () =>
      /authorization\\?["']?[ \t]{0,4}[:=,][ \t]{0,4}\\?["']?(?:token|apikey|api-key|key|digest|bot|bearer|basic|splunk|negotiate)?[ \t=]{0,4}([A-Za-z0-9_.~+/-]{16,}={0,2})/i,
    accept: isCredential,
  }),
  { name: "cookie", keywords: ["cookie"], at: cookiesAt },
];

function isCredential(secret: string): boolean {
  return (
    /[0-9]/.test(secret) &&
    looksGenerated(secret) &&
    entropyOf(secret) >= 3 &&
    !isPath(secret) &&
    !looksLikeWords(secret)
  );
}

const cookieHead =
  /(?<![\w.])(?:set-)?cookies?\\?["']?[ \t]{0,2}(?:[:=]|,)[ \t]{0,2}(?:\[[ \t]{0,2})?\\?["']?(?=[^\s"'=;]{1,80}=)/iy;
const cookiePair = /[ \t]{0,4}([^\s"'=;,\\]{1,80})=([^\s"';,\\]{0,4096})(?:;|$|(?=[\s"',\\]))/y;
const attribute = /^(?:path|domain|expires|max-age|samesite|priority|version|secure|httponly)$/i;

function cookiesAt(
  text: string,
  { at, from }: { readonly at: number; readonly from: number },
): { readonly secrets: readonly Span[]; readonly next: number } {
  const start = Math.max(
    from,
    text.slice(Math.max(0, at - 4), at).toLowerCase() === "set-" ? at - 4 : at,
  );
  cookieHead.lastIndex = start;
  if (!cookieHead.test(text)) return { secrets: [], next: from };
  return cookiesFrom(text, cookieHead.lastIndex);
}

/** The values of cookies that tell who somebody is, from here to the end of the list. */
export function cookiesFrom(
  text: string,
  from: number,
): { readonly secrets: readonly Span[]; readonly next: number } {
  const secrets: Span[] = [];
  let next = from;
  for (;;) {
    cookiePair.lastIndex = next;
    const pair = cookiePair.exec(text);
    if (pair === null) return { secrets, next };
    next = cookiePair.lastIndex;
    const [whole, name, value] = pair as unknown as [string, string, string];
    if (attribute.test(name) || !isPass(name, value)) continue;
    const start = pair.index + whole.indexOf("=") + 1;
    secrets.push({ start, end: start + value.length, rule: "cookie" });
  }
}

/** Cookies that let somebody in are long and random, or their names say what they are. */
function isPass(name: string, value: string): boolean {
  if (/^(?:[$<{%].*|.*\.\.\.|x+)$/i.test(value)) return false;
  if (/sess|sid$|auth|token|jwt|login|remember|csrf|xsrf|secret/i.test(name))
    return value.length >= 6 && /[0-9]/.test(value);
  return value.length >= 16 && isRandom(value);
}

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString("latin1");
}

import { entropyOf, isDummy, kindsOf, looksLikeWords } from "./entropy.ts";
import { isPath } from "./rules.ts";
import type { Span } from "./span.ts";

/** What a name promises about its value: a password may be short and wordy, a token may not. */
type Kind = "password" | "token";

const passwordNames = "passwords?|passwd|passphrase|pwd|(?<=_)pass";
const tokenNames =
  "secrets?|token|_auth|api[_-]?keys?|(?:secret|access|private|encryption|signing|auth|session|master|service|account|client|shared|storage|license|webhook)[_-]?key|secret[_-]?key[_-]?base|client[_-]?secret|credentials?";

const passwordName = new RegExp(`(?:${passwordNames})$`, "i");
const tokenName = new RegExp(`(?:${tokenNames})$`, "i");
// How such names end, then `=`, `":`, `=>`, `\":` or, after `--name`, a blank; every part bounded, so linear.
const nameEnd =
  "(?:pass(?:words?|wd|phrase)?|pwd|secrets?|token|_auth|keys?(?:[_-]?base)?|credentials?)";
const head = new RegExp(
  `${nameEnd}(?:\\\\?["'\`])?\\]?(?:[ \\t]{0,4}(?::=|=>|\\?=|[:=])[ \\t]{0,4}|(?<=--[\\w-]{1,40})[ \\t]{1,2})`,
  "yi",
);

/** What every name that promises a secret has near its end, in lower case. */
export const assignmentKeywords = ["pass", "pwd", "secret", "token", "_auth", "key", "credential"];

/** What was found where a keyword stands, and from where to look on. */
export interface Assignment {
  readonly secret: Span | undefined;
  readonly next: number;
}

/** Looks where a keyword stands whether a name there, such as `DB_PASSWORD=…`, is given a secret. */
export function assignmentAt(text: string, at: number): Assignment | undefined {
  head.lastIndex = at;
  const matched = head.exec(text)?.[0];
  if (matched === undefined) return undefined;
  const next = at + matched.length;
  const name = nameAt(text, at, matched);
  const kind = kindOf(name.text);
  if (kind === undefined) return { secret: undefined, next };
  const value = valueAt(text, next, {
    line:
      matched.endsWith("=") && /^[A-Z][A-Z0-9_]*$/.test(name.text) && startsLine(text, name.start),
    code: /\s[:?]?=\s/.test(matched),
  });
  if (value === undefined) return { secret: undefined, next };
  const { start, end, place } = value;
  if (isSecret(text.slice(start, end), { kind, place }))
    return { secret: { start, end, rule: kind }, next: end };
  // A short value that is no secret is searched for names again; a long one only once.
  return { secret: undefined, next: place !== "quoted" && end - start > 256 ? end : next };
}

/** The rule under which the value of a field is a secret, judged by the field's name. */
export function secretField(name: string, value: string): Kind | undefined {
  if (value.includes("[secret:")) return undefined;
  const kind = kindOf(name.slice(-64));
  return kind !== undefined && isSecret(value, { kind, place: "quoted" }) ? kind : undefined;
}

function kindOf(name: string): Kind | undefined {
  if (passwordName.test(name)) return "password";
  return tokenName.test(name) ? "token" : undefined;
}

/** Where a value stands: code without quotes is mostly an expression, the others are literals. */
type Place = "line" | "quoted" | "bare" | "bare_at_end";

function isSecret(value: string, { kind, place }: { kind: Kind; place: Place }): boolean {
  if (value.length < (kind === "password" ? 5 : 12) || isDummy(value) || isPath(value))
    return false;
  if (place !== "line" && /\s/.test(value)) return false;
  if (/^(?:process\.env|os\.environ|import\.meta|https?:\/\/)/.test(value)) return false;
  if (kind === "password") {
    if (place === "line") return !isReference(value);
    if (place === "bare") return isRandom(value);
    if (place === "bare_at_end" && /^[a-z]+[A-Z]\w*$/.test(value)) return false;
    return kindsOf(value) >= 2 && !isReference(value) && /[^A-Za-z_.-]/.test(value);
  }
  return isRandom(value) && !(place === "bare" && isReference(value));
}

function isRandom(value: string): boolean {
  return (
    value.length >= 8 &&
    /[0-9]/.test(value) &&
    /[A-Za-z]/.test(value) &&
    entropyOf(value) >= 2.8 &&
    !looksLikeWords(value)
  );
}

/** `config.auth.password`, `self.token`, `getToken()`: an expression, not a literal. */
function isReference(value: string): boolean {
  return /^[A-Za-z_$][A-Za-z_$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)+$|^[\w.$]{1,80}\(/.test(value);
}

function nameAt(text: string, at: number, matched: string): { text: string; start: number } {
  let start = at;
  while (start > 0 && at - start < 64 && /[\w.-]/.test(text[start - 1]!)) start -= 1;
  // The letter of an escaped line break is no part of the name.
  if (start < at && text[start - 1] === "\\" && /[nrt]/.test(text[start]!)) start += 1;
  const end = at + (/^[\w.-]+/.exec(matched)?.[0].length ?? 0);
  return { text: text.slice(start, end), start };
}

/** Whether nothing but `export` or the like stands before a name on its line. */
function startsLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 24), at);
  return (
    at === 0 ||
    /(?:[\n\r]|\\n|^)[ \t+>|#-]{0,8}(?:\d{1,6}(?:→|\t|: ?))?(?:export |set |ENV |ARG |env )?$/.test(
      before,
    )
  );
}

interface Value {
  readonly start: number;
  readonly end: number;
  readonly place: Place;
}

const lineEnd = /[\s"'`]|\\[nrt"']|\[secret:/g;
const quoteEnd: Readonly<Record<string, RegExp>> = {
  '"': /["\n\r]|\[secret:/g,
  "'": /['\n\r]|\[secret:/g,
  "`": /[`\n\r]|\[secret:/g,
};
const bareEnd = /[\s"'`,;&=<>(){}[\]|\\]/g;

/** The value that begins here. Each scan ends where the next name could begin, so the sum is linear. */
function valueAt(
  text: string,
  from: number,
  { line, code }: { line: boolean; code: boolean },
): Value | undefined {
  const opening = /^\\?["'`]/.exec(text.slice(from, from + 2))?.[0];
  if (opening !== undefined) {
    const start = from + opening.length;
    const quote = opening.slice(-1);
    const search = quoteEnd[quote]!;
    search.lastIndex = start;
    const close = search.exec(text);
    if (close === null || close[0] !== quote) return undefined;
    const end = close.index - (text[close.index - 1] === "\\" ? 1 : 0);
    return end > start ? { start, end, place: line ? "line" : "quoted" } : undefined;
  }
  const stop = line ? lineEnd : bareEnd;
  stop.lastIndex = from;
  let end = stop.exec(text)?.index ?? text.length;
  if (end === from) return undefined;
  if (line) return { start: from, end, place: "line" };
  if (text[end] === "(") return undefined;
  for (let padding = 0; padding < 2 && text[end] === "="; padding += 1) end += 1;
  const next = text.slice(end, end + 2);
  const atEnd = !code && (next === "" || /^(?:[\n\r]|\\n|\\r|&)/.test(next));
  return { start: from, end, place: atEnd ? "bare_at_end" : "bare" };
}

const environmentHead =
  /(?<![A-Za-z0-9_])([A-Z][A-Z0-9_]{2,63})=["']?([A-Za-z0-9+/_-]{32,}={0,2})(?![\w.:/-])/g;
const harmlessName =
  /(?:HASH|SHA\d*|CHECKSUM|DIGEST|INTEGRITY|COMMIT|REVISION|REV|ETAG|PATH|FINGERPRINT|_ID|UUID|CURSOR|VERSION)$/;

/** Finds environment variables of any name whose value can only have been generated. */
export function findRandomVariables(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(environmentHead)) {
    const [whole, name, value] = match as unknown as [string, string, string];
    if (harmlessName.test(name) || isPath(value) || looksLikeWords(value)) continue;
    const mixed = /[a-z]/.test(value) && /[A-Z]/.test(value) && /[0-9]/.test(value);
    if (!mixed || entropyOf(value) < 4.2) continue;
    const end = match.index + whole.length;
    spans.push({ start: end - value.length, end, rule: "random-value" });
  }
  return spans;
}

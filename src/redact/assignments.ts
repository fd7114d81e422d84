import { isDummy, isPath, isSecret, type Kind, type Place } from "./judge.ts";
import type { Run } from "./long-runs.ts";
import type { Answer, Place as At } from "./rule.ts";
import type { Span } from "./span.ts";
import { entropyOf, looksLikeWords } from "./variety.ts";

const passwordNames =
  "passwords?|passwd|passphrase|passcode|passwort|kennwort|contrase(?:ñ|n)a|senha|pwd|pw|psk";
const tokenNames =
  "secrets?|token|auth|_auth|api[_-]?keys?|(?:secret|access|private|encryption|signing|auth|session|master|service|account|client|shared|storage|license|webhook|deploy|admin|jwt|hmac|app|application|functions?|subscription|project|write|read|live|bot)[_-]?key|secret[_-]?key[_-]?base|client[_-]?secret|credentials?|salt|bearer";

const passwordName = new RegExp(`(?:${passwordNames})$`, "i");
// `bypass` and `compass` are words; `smtp_pass`, `dbPass` and `SMTPPASS` are names.
const shortPass = /(?:^|[^A-Za-z])(?:[Pp]ass|PASS)$|[a-z0-9]Pass$|[A-Z0-9]PASS$/;
const bareNames = /^-{0,2}(?:pass|pw|auth|salt|bearer|key)$/i;
const tokenName = new RegExp(`(?:${tokenNames})$`, "i");
const serviceKey = /^[A-Z][A-Z0-9_]*_KEY$/;
const harmlessKey =
  /(?:CACHE|PARTITION|PRIMARY|SORT|FOREIGN|PUBLIC|ROUTING|IDEMPOTENCY|OBJECT|S3|HOT|INDEX|GROUP)_KEY$/;
// How such names end, then `=`, `":`, `=>`, `\":`, `%3D` or, after `--name`, a blank; every part bounded, so linear.
const nameEnd =
  "(?:pass(?:words?|wd|phrase|code|wort)?|kennwort|contrase(?:ñ|n)a|senha|pwd|pw|psk|secrets?|token|auth|keys?(?:[_-]?base)?|credentials?|salt|bearer)";
const head = new RegExp(
  `${nameEnd}(?:\\\\{0,3}["'\`])?\\]?(?:[ \\t]{0,4}(?::=|=>|\\?=|[:=])[ \\t]{0,4}|(?<=(?:^|[\\s"'])--?[\\w-]{1,40})[ \\t]{1,2}(?=[^\\s-]))`,
  "yi",
);

/** What every name that promises a secret has near its end, in lower case. */
export const assignmentKeywords = [
  "pass",
  "pwd",
  "psk",
  "secret",
  "token",
  "auth",
  "key",
  "credential",
  "kennwort",
  "contrase",
  "senha",
  "salt",
  "bearer",
  "pw=",
  "pw:",
  'pw"',
];

/** Looks where a keyword stands whether a name there, such as `DB_PASSWORD=…`, is given a secret. */
export function assignmentAt(text: string, { at, from }: At): Answer {
  head.lastIndex = at;
  const matched = head.exec(text)?.[0];
  if (matched === undefined) return { secrets: [], next: from };
  const next = at + matched.length;
  const name = nameAt(text, at, matched);
  const kind = kindOf(name.text);
  const value = kind === undefined ? undefined : valueAt(text, { next, matched, name });
  if (kind === undefined || value === undefined) return { secrets: [], next };
  const { start, end, place, wrap } = value;
  if (isSecret(text.slice(start, end), { kind, place }) && !isGuess(name.text, value)) {
    const secret: Span = { start, end, rule: ruleOf(kind), ...(wrap !== undefined && { wrap }) };
    return { secrets: [secret], next: end };
  }
  // A short value that is not a secret is searched for names again; a long one only once.
  return { secrets: [], next: !value.quoted && end - start > 256 ? end : next };
}

/** The rule under which the value of a field is a secret, judged by the field's name. */
export function secretField(name: string, value: string): string | undefined {
  if (value.includes("[secret:")) return undefined;
  const kind = kindOf(name.slice(-64));
  return kind !== undefined && isSecret(value, { kind, place: "literal" })
    ? ruleOf(kind)
    : undefined;
}

function kindOf(name: string): Kind | undefined {
  if (/ask_?pass$/i.test(name)) return undefined;
  if (passwordName.test(name) || shortPass.test(name)) return "password";
  if (tokenName.test(name)) return /secret/i.test(name) ? "secret" : "token";
  return serviceKey.test(name) && !harmlessKey.test(name) ? "token" : undefined;
}

/** A secret of no other name is reported as a token. */
function ruleOf(kind: Kind): string {
  return kind === "secret" ? "token" : kind;
}

/** `pass: 42` counts tests: a name as short as that needs a literal. */
function isGuess(name: string, { place }: Value): boolean {
  return bareNames.test(name) && place !== "literal" && place !== "certain";
}

interface Name {
  readonly text: string;
  readonly start: number;
}

function nameAt(text: string, at: number, matched: string): Name {
  let start = at;
  while (start > 0 && at - start < 64 && /[\w.-]/.test(text[start - 1]!)) start -= 1;
  // The letter of an escaped line break is not a part of the name.
  if (start < at && text[start - 1] === "\\" && /[nrt]/.test(text[start]!)) start += 1;
  const end = at + (/^[\wñÑ.-]+/.exec(matched)?.[0].length ?? 0);
  return { text: text.slice(start, end), start };
}

/** Whether nothing but `export` or the like stands before a name on its line. */
function startsLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 24), at);
  return (
    at === 0 ||
    /(?:[\n\r]|\\n|^)[ \t+>|#$-]{0,8}(?:\d{1,6}(?:→|\t|: ?))?(?:export |set |ENV |ARG |env |-e |setx )?$/.test(
      before,
    )
  );
}

interface Value {
  readonly start: number;
  readonly end: number;
  readonly place: Place;
  readonly quoted: boolean;
  readonly wrap?: string;
}

const lineEnd = /[\s"'`]|\\[nrt"']|\[secret:/g;
const quoteEnd: Readonly<Record<string, RegExp>> = {
  '"': /["\n\r]|\[secret:/g,
  "'": /['\n\r]|\[secret:/g,
  "`": /[`\n\r]|\[secret:/g,
};
const bareEnd = /[\s"'`,;&=<>(){}[\]|\\]/g;
const shellEnd = /[\s"'`;&<>|\\]|,(?=[\w.-]+=)/g;

/** The value that begins here. Each scan ends where the next name could begin, so the sum is linear. */
function valueAt(
  text: string,
  { next, matched, name }: { readonly next: number; readonly matched: string; readonly name: Name },
): Value | undefined {
  const isShouted = /^[A-Z][A-Z0-9_]*$/.test(name.text);
  const isTight = /[=]$/.test(matched) && !/\s/.test(matched);
  const isLine = matched.endsWith("=") && isShouted && startsLine(text, name.start);
  const opening = /^\\{0,3}["'`]/.exec(text.slice(next, next + 4))?.[0];
  if (opening !== undefined) return quotedAt(text, { next, opening, isLine });
  if (isLine) return bareAt(text, { next, stop: lineEnd, place: "certain" });
  const before = text[name.start - 1] ?? "\n";
  const isFlag = /^--?\w/.test(name.text) && (isTight || /[ \t]$/.test(matched));
  const isShell =
    isFlag || (isTight && (isShouted || /[\s"'`;?&,|]/.test(before) || isWordOfFlag(text, name)));
  if (isShell) return shellValue(text, { next, isShouted: isShouted || (isFlag && isTight) });
  return codeValue(text, { next, matched });
}

/** `--set db.password=…`, `--from-literal=password=…`: the name is part of a flag's value. */
function isWordOfFlag(text: string, { start }: Name): boolean {
  return /--[\w-]{1,40}[= ]$/.test(text.slice(Math.max(0, start - 44), start));
}

/** What a shell, a connection string or a query gives: it ends at a blank, `;` or `&`. */
function shellValue(
  text: string,
  { next, isShouted }: { readonly next: number; readonly isShouted: boolean },
): Value | undefined {
  const value = bareAt(text, { next, stop: shellEnd, place: isShouted ? "certain" : "literal" });
  if (value === undefined) return undefined;
  const last = text[value.end - 1]!;
  const isCode = /[,)\]}]/.test(last) || /[(){}[\]]/.test(text.slice(value.start, value.end));
  if (isCode || (text[value.end] === ";" && !isConnection(text, value.start)))
    return codeValue(text, { next, matched: "=" });
  return value;
}

const connectionWord =
  /(?:server|host|hostaddr|data source|address|uid|user id|user|username|database|initial catalog|dbname|port|driver|endpoint)[ \t]{0,2}=/i;

/** Whether the words of a connection string stand around. */
function isConnection(text: string, at: number): boolean {
  return connectionWord.test(text.slice(Math.max(0, at - 200), at + 200));
}

function codeValue(
  text: string,
  { next, matched }: { readonly next: number; readonly matched: string },
): Value | undefined {
  const value = bareAt(text, { next, stop: bareEnd, place: "code" });
  if (value === undefined || text[value.end] === "(") return undefined;
  let { end } = value;
  for (let padding = 0; padding < 2 && text[end] === "="; padding += 1) end += 1;
  const quote = /\\{0,3}["']/.exec(matched)?.[0];
  if (quote?.endsWith('"') === true && matched.includes(":"))
    return {
      ...value,
      end,
      place: isNumber(text.slice(next, end)) ? "certain" : "code",
      wrap: quote,
    };
  const isAssigned = /\s[:?]?=\s/.test(matched);
  const after = text.slice(end, end + 2);
  const atEnd = after === "" || /^(?:[\n\r]|\\n|\\r|&)/.test(after);
  if (atEnd && !isAssigned) return { ...value, end, place: "line-end" };
  if (atEnd && /^(?:[^\w]|$)/.test(after) && isSetting(text, next))
    return { ...value, end, place: "line-end" };
  return { ...value, end };
}

/** A line of an ini file: below a `[section]`, or beside others of its like. */
function isSetting(text: string, at: number): boolean {
  return /(?:^|\n|\\n)\[[\w .:-]{1,60}\](?:\n|\\n)/.test(text.slice(Math.max(0, at - 400), at));
}

function isNumber(value: string): boolean {
  return /^\d{6,}$/.test(value);
}

function quotedAt(
  text: string,
  {
    next,
    opening,
    isLine,
  }: { readonly next: number; readonly opening: string; readonly isLine: boolean },
): Value | undefined {
  const start = next + opening.length;
  const quote = opening.slice(-1);
  const search = quoteEnd[quote]!;
  // The closing quote has no more backslashes than the opening one: those with more belong to the value.
  for (let from = start; ; ) {
    search.lastIndex = from;
    const close = search.exec(text);
    if (close === null || close[0] !== quote) return undefined;
    let slashes = 0;
    while (text[close.index - 1 - slashes] === "\\") slashes += 1;
    if (slashes >= opening.length && slashes % 2 === 1 && close.index - start < 1024) {
      from = close.index + 1;
      continue;
    }
    const end = close.index - Math.min(slashes, opening.length - 1);
    // What closes a call or ends a line is not a value: the quote before it closed another one.
    if (/^[)\],;}]|\\[nr]/.test(text.slice(start, end))) return undefined;
    return end > start
      ? { start, end, place: isLine ? "certain" : "literal", quoted: true }
      : undefined;
  }
}

function bareAt(
  text: string,
  { next, stop, place }: { readonly next: number; readonly stop: RegExp; readonly place: Place },
): Value | undefined {
  stop.lastIndex = next;
  const end = stop.exec(text)?.index ?? text.length;
  return end === next ? undefined : { start: next, end, place, quoted: false };
}

const variableName = /(?<![A-Za-z0-9_])([A-Z][A-Z0-9_]{2,63})=["']?$/;
const harmlessName =
  /(?:HASH|SHA\d*|CHECKSUM|DIGEST|INTEGRITY|COMMIT|REVISION|REV|ETAG|PATH|FINGERPRINT|_ID|UUID|CURSOR|VERSION|PUBLIC_KEY)$/;
const leastRandom = 32;

/** Finds environment variables of any name whose value can only have been generated. */
export function findRandomVariables(text: string, runs: readonly Run[]): readonly Span[] {
  const spans: Span[] = [];
  for (const { start, end } of runs) {
    if (end - start < leastRandom) continue;
    const name = variableName.exec(text.slice(Math.max(0, start - 66), start))?.[1];
    if (name === undefined || harmlessName.test(name)) continue;
    const padding = /^={0,2}(?![\w.:/-])/.exec(text.slice(end, end + 3))?.[0];
    const value = text.slice(start, end);
    if (padding === undefined || isPath(value) || looksLikeWords(value) || isDummy(value)) continue;
    const mixed = /[a-z]/.test(value) && /[A-Z]/.test(value) && /[0-9]/.test(value);
    if (!mixed || entropyOf(value) < 4.2) continue;
    spans.push({ start, end: end + padding.length, rule: "random-value" });
  }
  return spans;
}

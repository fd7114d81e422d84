import { isDummy, isSecret } from "../judge.ts";
import { type Rule, shaped } from "../rule.ts";
import type { Span } from "../span.ts";
import { kindsOf } from "../variety.ts";

const certain = (secret: string) => isSecret(secret, { kind: "password", place: "certain" });
const literal = (secret: string) => isSecret(secret, { kind: "password", place: "literal" });

/** Secrets that the form of a file gives away. */
export const settings: readonly Rule[] = [
  shaped({
    name: "password",
    keywords: ["machine ", "default login"],
    shape: () =>
      /(?:machine[ \t]{1,8}\S{1,255}|default)(?:\s|\\n){1,12}(?:login(?:\s|\\n){1,12}[^\s\\]{1,255}(?:\s|\\n){1,12})?(?:account(?:\s|\\n){1,12}[^\s\\]{1,255}(?:\s|\\n){1,12})?password(?:[ \t]|\\t){1,8}["']?([^\s"'\\]{4,255})/,
    accept: certain,
  }),
  // .pgpass: host:port:database:user:password
  shaped({
    name: "password",
    keywords: [":5432:", ":5433:", ":6432:", "*:*:"],
    shape: () =>
      /:(?:\d{4,5}|\*):(?:[\w*-]{1,63}):(?:[\w.*-]{1,63}):([^\s:"'\\]{4,200})(?=\s|\\n|["']|$)/,
    accept: certain,
  }),
  shaped({
    name: "password",
    keywords: ["*:*:"],
    shape: () => /\*:\*:[\w*-]{1,63}:[\w.*-]{1,63}:([^\s:"'\\]{4,200})(?=\s|\\n|["']|$)/,
    accept: certain,
  }),
  shaped({
    name: "password-hash",
    keywords: [
      "$2a$",
      "$2b$",
      "$2y$",
      "$apr1$",
      "$argon2",
      "$pbkdf2",
      "$scrypt$",
      ":$1$",
      ":$5$",
      ":$6$",
      ":$y$",
      "$6$",
    ],
    reach: 1,
    shape: () =>
      /\$(?:2[aby]\$\d\d\$[./A-Za-z0-9]{53}|apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|[56]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}|y\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{1,40}\$[./A-Za-z0-9]{43}|argon2i?d?\$[\w=,$+/.-]{40,200}|pbkdf2-?\w{0,12}\$[\w=,$+/.-]{30,200}|scrypt\$[\w=,$+/.-]{30,200})(?![./A-Za-z0-9])/,
  }),
  shaped({
    name: "password-hash",
    keywords: ["pbkdf2_sha256$", "{sha}", "{ssha}", "{ssha512}"],
    shape: () =>
      /(?:pbkdf2_sha256\$\d{3,8}\$\w{8,40}\$|\{S?SHA(?:256|512)?\})([A-Za-z0-9+/]{26,100}={0,2})/,
  }),
  shaped({
    name: "vault-text",
    keywords: ["$ansible_vault;"],
    shape: () =>
      /\$ANSIBLE_VAULT;[\d.]{3,5};AES256(?:;[\w-]{1,60})?((?:(?:\s|\\n|\\r){1,24}[0-9a-f]{20,80}){1,2000})/i,
  }),
  shaped({
    name: "password",
    keywords: [
      "<password",
      "<passphrase",
      "<passwd",
      "<secret",
      "<token",
      "<api",
      "<cleartext",
      "<pwd",
      "<access",
      "<private",
      "<client",
      "<db",
      "<string name=",
    ],
    shape: () =>
      /<(?:[\w:-]{0,30}(?:password|passphrase|passwd|pwd|secret|token|api[_-]?key|apikey|accesskey|access_key|secretaccesskey|private_?key)|string name="\w{0,40}(?:password|secret|token|key)\w{0,10}")>(?:<!\[CDATA\[)?([^<\s[\]]{6,})(?=(?:\]\]>)?<\/)/i,
    accept: (secret) => !isDummy(secret) && (kindsOf(secret) >= 2 || literal(secret)),
  }),
  // web.config, Tomcat users, Maven: an attribute that gives its name and its value apart.
  shaped({
    name: "password",
    keywords: ["key=", "name=", '"name"', "'name'", "name:"],
    shape: () =>
      /(?:key|name)["']?[ \t]{0,2}[=:][ \t]{0,2}["']?[\w.:-]{0,60}(?:password|passwd|pwd|secret|secret[_-]?key|api[_-]?key|access[_-]?key|auth[_-]?token|_token|Token)["']?[ \t]{0,2}(?:,|\n|\s)?(?:\\n)?[ \t]{0,24}["']?(?:Parameter)?(?:value|default|content)["']?[ \t]{0,2}[=:][ \t]{0,2}(?:"([^"\n\\]{6,200})(?=")|'([^'\n\\]{6,200})(?=')|([^\s"'\\,}]{6,200}))/i,
    accept: literal,
  }),
  shaped({
    name: "password",
    keywords: ["variable"],
    shape: () =>
      /variable[ \t]{1,4}\\?"\w{0,60}(?:password|passwd|pwd|secret|token|api_key|access_key|private_key)\\?"[ \t]{0,4}\{[^{}]{0,400}?default[ \t]{0,12}=[ \t]{0,4}\\?"([^"\\\n]{5,300})/i,
    accept: literal,
  }),
  {
    name: "kubernetes-secret",
    keywords: ["kind: secret", 'kind":"secret', 'kind": "secret', "kind: sealed"],
    at: manifestAt,
  },
];

const dataBlock =
  /(?:^|\n)([ \t]{0,12})(?:data|stringData):[ \t]{0,4}((?:\n\1[ \t]{1,12}[^\n]{1,4096}){1,200})/g;
const entry = /\n([ \t]{1,24}["']?[\w.-]{1,253}["']?:[ \t]{1,8}["']?)([^\s"'|>{][^\n"']*)/g;
const dataObject = /"(?:data|stringData)"\s{0,40}:\s{0,40}\{([^{}]{1,16000})\}/g;
const field = /("[\w.-]{1,253}"\s{0,8}:\s{0,8}")([^"]{1,8000})(?=")/g;
const manifestChars = 16_000;

/** The values of a Kubernetes Secret, before or after the line that says what it is. */
function manifestAt(
  text: string,
  { at, from }: { readonly at: number; readonly from: number },
): { readonly secrets: readonly Span[]; readonly next: number } {
  const start = Math.max(from, manifestStart(text, at));
  const end = manifestEnd(text, at);
  const manifest = text.slice(start, end);
  const secrets: Span[] = [];
  for (const [blocks, values] of [
    [dataBlock, entry],
    [dataObject, field],
  ] as const) {
    for (const block of manifest.matchAll(blocks)) {
      for (const value of block[0].matchAll(values)) {
        const secret = value[2]!.trimEnd();
        if (secret.length < 4 || isDummy(secret) || secret.includes("[secret:")) continue;
        const first =
          start +
          block.index +
          value.index +
          value[1]!.length +
          (value[0].startsWith("\n") ? 1 : 0);
        secrets.push({ start: first, end: first + secret.length, rule: "kubernetes-secret" });
      }
    }
  }
  return { secrets, next: end };
}

function manifestStart(text: string, at: number): number {
  const before = text.lastIndexOf("\n---", at);
  return Math.max(before, at - manifestChars, 0);
}

function manifestEnd(text: string, at: number): number {
  const after = text.slice(at, at + manifestChars).indexOf("\n---");
  return after < 0 ? Math.min(text.length, at + manifestChars) : at + after;
}

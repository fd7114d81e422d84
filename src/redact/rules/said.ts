import { isDummy, isReference, isSecret, withoutTradeWords } from "../judge.ts";
import { type Rule, shaped } from "../rule.ts";
import { isRandom } from "../variety.ts";

// What people write to each other. A bare word there may be anything: only what is odd counts, or what is in quotes.
const secretName =
  "(?:pass ?words?|passphrase|passcode|passwort|kennwort|contraseña|senha|mot de passe|pwd|pw|pass|pin|secret|token|(?:api|access|secret|private|admin|master|license|signing|encryption) ?key)(?![\\w-])";
const about =
  "(?:[ \\t]{1,2}(?:for|to|of|on|in|at|von|für)[ \\t]{1,2}[\\w.@/'’-]{1,40}(?:[ \\t]{1,2}[\\w.@/'’-]{1,30}){0,3})?";
const verb =
  "(?:is|was|are|=|:|->|→|ist|lautet|es|est|é|will be|should be|(?:is |was )?(?:now |still |just |currently |set to |changed to |reset to )+|set to|changed to|to)";
const unquotedEnd = "[^\\s\"'`*<>()\\[\\]{},;\\\\]|\\*(?![*\\s]|$)";
const quotedWord = "\\\\?[\"'`“‘*_]{1,3}([^\\s\"'`“”‘’*<>\\\\]{4,100})(?=\\\\?[\"'`”’*_])";
const wordEnd = '(?=[\\s.,;:!?)"\'`*|]|\\\\[nr"]|$)';
const bareWord = `((?:${unquotedEnd}|[,;](?=[^\\s\\\\])){5,100}(?<![.?:,]))${wordEnd}`;

const ordinal =
  /^(?:\d+(?:st|nd|rd|th|h|s|ms|kb|mb|gb|px|%|x)?|v?\d+(?:\.\d+)+|\d{1,4}[-/]\d{1,2}[-/]\d{1,4}|[\d.,:]+)$/i;

/** Whether a bare word of prose is a password and no number, version, file or identifier. */
function isOddWord(word: string): boolean {
  if (word.length < 5 || isDummy(word) || isReference(word) || ordinal.test(word)) return false;
  if (/^[\w.-]+\.[a-z]{2,4}$|^https?:|^[\w.+-]+@|^[~./]|[/\\].*[/\\]|=$/i.test(word)) return false;
  if (!/[0-9!#$%^*@~?]/.test(word)) return false;
  if (/^\$\w*/.test(word) || !/[^A-Za-z_.-]/.test(withoutTradeWords(word))) return false;
  if (/^[A-Za-z]+[0-9]{0,2}$|^[0-9]|^[A-Z_0-9]+$|^\W/.test(word) && !isRandom(word))
    return leet(word);
  if (/^[a-z]+(?:[-_.][a-z0-9]+)+$/i.test(word))
    return isRandom(word) || /[0-9][-_.a-z]*[a-z].*[0-9]/i.test(word);
  return isSecret(word, { kind: "password", place: "code" });
}

/** Digits where letters belong, or a word with a number that people choose: `Tr0ub4dor`, `hunter2`. */
function leet(word: string): boolean {
  return /^[A-Za-z]+\d+[A-Za-z]+/.test(word) || /^[a-z]{4,}\d{1,4}[!?$]?$/i.test(word);
}

function isQuotedSecret(word: string): boolean {
  return isOddWord(word) || isSecret(word, { kind: "password", place: "line-end" });
}

/** Secrets that are reported in words. */
export const said: readonly Rule[] = [
  shaped({
    name: "password",
    keywords: [
      "pass",
      "pwd",
      "pw ",
      "pw:",
      "pw=",
      "kennwort",
      "contrase",
      "senha",
      "mot de",
      "pin",
      "secret",
      "token",
      "api key",
      "access key",
      "private key",
      "admin key",
      "master key",
      "license key",
      "signing key",
    ],
    shape: () =>
      new RegExp(
        `(?<![\\w-])${secretName}${about}\\*{0,2}[ \\t]{0,2}${verb}\\*{0,2}[ \\t]{1,4}${quotedWord}`,
        "i",
      ),
    accept: isQuotedSecret,
  }),
  shaped({
    name: "password",
    keywords: [
      "pass",
      "pwd",
      "pw ",
      "pw:",
      "pw=",
      "kennwort",
      "contrase",
      "senha",
      "mot de",
      "secret",
      "token",
      "api key",
      "access key",
      "private key",
      "admin key",
      "master key",
      "license key",
      "signing key",
    ],
    shape: () =>
      new RegExp(
        `(?<![\\w-])${secretName}${about}\\*{0,2}[ \\t]{0,2}${verb}\\*{0,2}[ \\t]{1,4}${bareWord}`,
        "i",
      ),
    accept: isOddWord,
  }),
  shaped({
    name: "password",
    keywords: ["pin", "passcode"],
    shape: () =>
      /(?<![\w-])(?:pin(?: code)?|passcode)[ \t]{0,2}(?:is|:|=)[ \t]{0,2}(\d{4,8})(?![\w.,%]\w)/i,
    accept: (pin) => !isDummy(pin),
  }),
  shaped({
    name: "password",
    keywords: [
      "log in with",
      "login with",
      "log in as",
      "login as",
      "sign in with",
      "sign in as",
      "login:",
      "credentials",
      "creds",
      "credenti",
      "username",
      "user:",
      "user ",
      "login ",
    ],
    shape: () =>
      new RegExp(
        `(?:log ?in|sign in|credentials?|creds|username|user)(?: (?:with|as|using|are|is))?:?[ \\t]{1,3}\\\\?[\`"']?[\\w.@+-]{2,60}\\\\?[\`"']?[ \\t]{0,2}(?:/|:|\\||,? (?:and|with) (?:the )?(?:password|pw|pass)|, ?(?:password|pw|pass):?)[ \\t]{0,2}\\\\?[\`"']?${bareWord}`,
        "i",
      ),
    accept: isOddWord,
  }),
  {
    name: "password",
    keywords: [
      "as the pass",
      "as pass",
      "as a pass",
      "as my pass",
      "as your pass",
      "as the token",
      "as the api",
      "as the secret",
      "as the key",
    ],
    at: (text, { at, from }) => {
      const before = text.slice(Math.max(from, at - 120), at);
      const word =
        /(?:use|using|set|with|enter|try|put|give|type)[ \t]{1,2}\\?[`"'“]?([^\s`"'“”\\]{5,100})\\?[`"'”]?[ \t]{1,2}$/i.exec(
          before,
        );
      if (word === null || !isOddWord(word[1]!)) return { secrets: [], next: from };
      const start = at - before.length + word.index + word[0].indexOf(word[1]!);
      return { secrets: [{ start, end: start + word[1]!.length, rule: "password" }], next: at + 1 };
    },
  },
  // A row of a table, or a heading with its value on the next line.
  shaped({
    name: "password",
    keywords: ["password", "passphrase", "passwort", "kennwort", "secret", "token", "api key"],
    shape: () =>
      new RegExp(
        `(?<=^|[\\n|*\`# ]|\\\\n)(?:password|passphrase|passwort|kennwort|secret|token|api key)[*\`:]{0,3}(?:[ \\t]{0,20}\\|[ \\t]{0,4}[\`*]{0,2}|[ \\t]{0,2}(?:\\r?\\n|\\\\n){1,2}[ \\t]{0,8}[\`*]{0,2})${bareWord}(?=[\`*]{0,2}[ \\t]{0,20}(?:\\||\\r?\\n|\\\\n|$|"))`,
        "i",
      ),
    accept: (word) => isOddWord(word) && /[0-9]/.test(word) && !/[:=(]/.test(word),
  }),
  shaped({
    name: "seed-phrase",
    keywords: ["seed", "mnemonic", "recovery", "backup phrase", "wallet"],
    shape: () =>
      /(?:seed|mnemonic|recovery|backup|wallet)[ _-]?(?:seed|phrase|words?|key)?[ \t]{0,2}(?:is|=|:|are|\\?["']:)[ \t]{0,4}\\?["'`]?(?:\n|\\n)?((?:[a-z]{3,8}(?:[ ,\n]|\\n| {2}){1,3}){11,23}[a-z]{3,8})(?![a-z])/i,
    accept: isSeedPhrase,
  }),
];

/** Twelve words or more of which none is one of those every sentence has. */
function isSeedPhrase(words: string): boolean {
  return !/(?:^|\s)(?:the|and|with|that|this|for|are|was|from|have|has|not|you|your|will|which|its|their|can|into|then|when)(?:\s|$)/.test(
    words,
  );
}

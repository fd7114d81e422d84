// Everything in the labelled set is made at random from a seed: no key in these files was ever anybody's.

import { seeded } from "../../random.mjs";

const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = lower.toUpperCase();
const digits = "0123456789";
const onsets = ["b", "br", "c", "d", "dr", "f", "g", "gr", "h", "l", "m", "n", "p", "r", "s", "st"];
const onsetsAndMore = [...onsets, "t", "tr", "v", "w"];
const vowels = ["a", "e", "i", "o", "u"];
const codas = ["n", "r", "l", "s", "t", "m", "ck", "nd", "x"];

/** Makes values from a seed; the same seed makes the same values. */
export function valuesFrom(seed) {
  const { fraction: next } = seeded(seed);
  const below = (count) => Math.floor(next() * count);
  const pick = (items) => items[below(items.length)];
  const from = (letters, length) => Array.from({ length }, () => pick(letters)).join("");
  const syllable = () => pick(onsetsAndMore) + pick(vowels) + (next() < 0.6 ? pick(codas) : "");
  const word = () => (syllable() + syllable() + (next() < 0.3 ? syllable() : "")).padEnd(5, "o");
  const capital = (text) => text[0].toUpperCase() + text.slice(1);
  /** A generated value has all kinds of characters, as every real one of its length has. */
  const mixed = (letters, length) => {
    for (;;) {
      const made = from(letters, length);
      if (/[a-z]/.test(made) && /[A-Z]/.test(made) && /[0-9]/.test(made)) return made;
    }
  };
  const values = {
    next,
    below,
    pick,
    word,
    name: () => pick(["app", "admin", "deploy", "root", "bob", "svc", "reporting", "ci"]),
    host: () => `${pick(["db", "cache", "git", "mail", "api"])}${below(9)}.${word()}.example`,
    base62: (length) => mixed(lower + upper + digits, length),
    base64: (length) => mixed(`${lower + upper + digits}+/`, length),
    base64url: (length) => mixed(`${lower + upper + digits}-_`, length),
    hex: (length) => from("0123456789abcdef", length),
    HEX: (length) => from("0123456789ABCDEF", length),
    UPPER: (length) => from(`${upper}234567`, length),
    digits: (length) => pick("123456789") + from(digits, length - 1),
    /** Passwords people make: words with digits, words in a row, leet, and generated ones. */
    password: () =>
      pick([values.wordy, values.joined, values.leet, values.generated, values.plainWords])(),
    /** The same without the ones that are words alone. */
    oddPassword: () => pick([values.wordy, values.leet, values.generated])(),
    wordy: () => `${word()}${1 + below(99)}${word()}`,
    joined: () => `${word()}-${word()}-${word()}`,
    plainWords: () => word() + word() + word(),
    leet: () => `${capital(word().replace("o", "0").replace("a", "4"))}${below(90)}!${below(9)}`,
    generated: () => mixed(`${lower + upper + digits}!#%^*_.`, 12 + below(8)),
    uuid: () => [8, 4, 4, 4, 12].map((length) => from("0123456789abcdef", length)).join("-"),
    github: () => `gh${pick("pousr")}_${mixed(lower + upper + digits, 36)}`,
    jwt: () =>
      [
        { alg: "HS256", typ: "JWT" },
        { sub: word(), iat: 1_700_000_000 + below(9_999_999) },
      ]
        .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
        .concat(mixed(`${lower + upper + digits}-_`, 43))
        .join("."),
    encode64: (text) => Buffer.from(text).toString("base64"),
    lines: (text, width) => text.match(new RegExp(`.{1,${width}}`, "g")).join("\n"),
  };
  return values;
}

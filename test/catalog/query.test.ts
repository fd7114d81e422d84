import { expect, test } from "vitest";
import { parseQuery } from "../../src/catalog/query/query.ts";

test("words, phrases, beginnings, exclusions, alternatives and filters are told apart", () => {
  const query = parseQuery(
    'rate "too many requests" limit* -test red OR blue agent:codex -role:tool',
  );
  expect(
    query.clauses.map(({ anyOf, not }) => [anyOf.map(({ text, prefix }) => [text, prefix]), not]),
  ).toEqual([
    [[["rate", false]], false],
    [[["too many requests", false]], false],
    [[["limit", true]], false],
    [[["test", false]], true],
    [
      [
        ["red", false],
        ["blue", false],
      ],
      false,
    ],
  ]);
  expect(query.filters).toEqual([
    { key: "agent", value: "codex", not: false },
    { key: "role", value: "tool", not: true },
  ]);
});

test("two dashes begin the name of a flag, one leaves a word out", () => {
  const { clauses } = parseQuery("--trust -case");
  expect(clauses.map(({ not, anyOf }) => [anyOf[0]?.words, not])).toEqual([
    [["trust"], false],
    [["case"], true],
  ]);
});

test("punctuation inside a word joins its words; a lone sign and an unknown key say nothing", () => {
  const [path, url] = parseQuery("src/app.ts & http://host").clauses;
  expect(path?.anyOf[0]?.words).toEqual(["src", "app", "ts"]);
  expect(url?.anyOf[0]?.words).toEqual(["http", "host"]);
});

const malformed: readonly (readonly [query: string, at: number, why: RegExp])[] = [
  ['foo "bar', 5, /quote is not closed/],
  ["OR foo", 1, /OR stands between/],
  ["foo OR", 5, /OR stands between/],
  ["foo OR OR bar", 8, /OR stands between/],
  ["foo OR -bar", 8, /cannot be excluded/],
  ["-foo", 1, /not only left out/],
  ["++ &", 1, /no letter or digit/],
  ["role:nobody", 1, /one of user, assistant/],
  ["foo is:", 5, /needs a value/],
  ["x is:purple", 3, /one of error/],
  ["foo since:zzz", 5, /since: needs a time/],
  ["until:2026-02-31", 1, /until: needs a time/],
  ["a".repeat(5000), 4097, /at most/],
  [Array.from({ length: 70 }, () => "w").join(" "), 129, /at most 64 terms/],
];

test.each(malformed)("a malformed query says where: %.20s", (query, at, why) => {
  expect(() => parseQuery(query)).toThrowError(why);
  expect(() => parseQuery(query)).toThrowError(new RegExp(`at character ${at}:`));
});

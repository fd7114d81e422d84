import { expect, test } from "vitest";
import { findSecrets } from "../../src/redact/find.ts";
import { rules } from "../../src/redact/rules.ts";

test("every rule can be found by its keywords: lower case, three characters or more", () => {
  for (const { name, keywords } of rules) {
    expect(keywords.length, name).toBeGreaterThan(0);
    for (const keyword of keywords) {
      expect(keyword.length, name).toBeGreaterThanOrEqual(3);
      expect(keyword, name).toBe(keyword.toLowerCase());
    }
  }
});

test("where a name and a shape both tell a secret, the shape names it", () => {
  const token = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4"}`;
  expect(findSecrets(`GITHUB_TOKEN=${token}`)).toEqual([
    { start: 13, end: 13 + token.length, rule: "github-token" },
  ]);
});

test.each([
  [
    "a shape that begins before its keyword",
    "x 123456789:AAabcdefghijklmnopqrstuvwxyz0123456789",
    2,
  ],
  ["a keyword in the middle of a name", 'secret_key_base: "a8f7b3c9d2e1f0a9b8c7d6"', 18],
  ["a keyword at the very end of the text", "--token a8f7b3c9d2e1f0a9b8c7", 8],
])("%s is found", (_what, text, start) => {
  expect(findSecrets(text).map((span) => span.start)).toEqual([start]);
});

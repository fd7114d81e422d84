import { expect, test } from "vitest";
import { Extraction } from "../../src/memory/propose/extract.ts";

/** What kinds of memories one prompt proposes. */
function kindsOf(content: string): readonly string[] {
  const extraction = new Extraction();
  extraction.take({ number: "1", live: true, body: { type: "user", content } });
  return extraction.proposals().map(({ kind }) => kind);
}

test("a sentence that asks for something always or never is a preference", () => {
  for (const text of [
    "Always use tabs.",
    "Please always write tests first.",
    "In this project always run the linter before a commit.",
    "For dates, never use local time.",
    "You should never push to main.",
    "We always squash commits.",
  ])
    expect(kindsOf(text), text).toEqual(["preference"]);
});

test("a sentence that says what something always does is no preference", () => {
  for (const text of [
    "It is fine, since the nightly jobs always run on a copy.",
    "Readers never write to that table anyway.",
    "Old clients always add a slash, as far as I remember.",
  ])
    expect(kindsOf(text), text).not.toContain("preference");
});

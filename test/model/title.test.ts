import { expect, test } from "vitest";
import { titleOfPrompt } from "../../src/model/title.ts";

test.each([
  ["Mend the parser\nand its tests", "Mend the parser and its tests"],
  ["<div> is not closed, why?", "<div> is not closed, why?"],
  ["<my-button> does not render", "<my-button> does not render"],
  ["<system-reminder> keeps showing up", "<system-reminder> keeps showing up"],
  ['Look at {"a": 1}: is it right?', 'Look at {"a": 1}: is it right?'],
  ['{"a": 1} is not what I get, why?', '{"a": 1} is not what I get, why?'],
  ["[draft] Write the page", "[draft] Write the page"],
])("%j is what a person asked", (prompt, title) => {
  expect(titleOfPrompt(prompt)).toBe(title);
});

test.each([
  "<objective>\nBuild the thing\n</objective>",
  "<execution_context>\n@a.md\n</execution_context>\n\n<objective>\nBuild\n</objective>",
  "<persisted-output>\nOutput too large (80 KB). Full output saved to: /x/y.txt\n",
  "<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>",
  "<bash-stde",
  "<command-name>/clear</command-name>\n<command-args></command-args>",
  "<task_notification_of_a_tool>done</task_notification_of_a_tool>",
  '{"tool": "x", "input": {"a": 1}}',
  '[{"role": "user"}]',
  `{"files": [${'"a long name of a file", '.repeat(2000)}`,
  "  \n ",
  "",
])("%j is nobody's words", (prompt) => {
  expect(titleOfPrompt(prompt)).toBe("");
});

test("what a person says behind wrappers is the title", () => {
  const wrapped = "<ide_opened_file>a.ts</ide_opened_file>\n<some-note>x</some-note>\nMend it";
  expect(titleOfPrompt(wrapped)).toBe("Mend it");
});

test("a plan that is to be implemented is called by its heading", () => {
  const plan = "Implement the following plan:\n\n# Plan: Add a tab\n\n## Context\n\nThe page …";
  expect(titleOfPrompt(plan)).toBe("Plan: Add a tab");
  expect(titleOfPrompt("Implement the following plan:\n\n1. Add a tab\n2. Test it")).toBe(
    "1. Add a tab",
  );
  expect(titleOfPrompt("Implement the following plan with care")).toBe(
    "Implement the following plan with care",
  );
});

test("a hostile prompt takes no longer than its length", () => {
  const begun = performance.now();
  titleOfPrompt("<a-b>".repeat(200_000));
  titleOfPrompt("<objective>".repeat(200_000));
  titleOfPrompt(`Implement the following plan:${"\n#".repeat(200_000)}`);
  titleOfPrompt(`<a${"-a".repeat(200_000)}`);
  expect(performance.now() - begun).toBeLessThan(2_000);
});

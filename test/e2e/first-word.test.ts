import { expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { machine } from "./program.ts";

const here = machine();
const review = "5e550000-0000-4000-8000-000000000001";
const triage = "5e550000-0000-4000-8000-000000000002";
putClaudeSession(here, { id: review }, [{ user: "Review open pull requests" }]);
putClaudeSession(here, { id: triage }, [{ user: "Issue triage and review" }]);

test("where the first word names no single session, a title in more words is offered in quotes", () => {
  const renamed = here.run("rename", "review", "open", "pull", "requests", "All reviewed");
  expect(renamed).toMatchObject({ status: 2, stdout: "" });
  expect(renamed.stderr).toContain('Only the first word, "review", was taken as the session.');
  expect(renamed.stderr).toContain('`reprise rename "review open pull requests" "All reviewed"`');
  const other = here.run("tag", "nothing", "here").stderr;
  expect(other).toContain("put more words of its title in quotes");
});

test("no word of a title becomes a tag", () => {
  const tagged = here.run("tag", "Issue", "triage", "--pin");
  expect(tagged.status).toBe(2);
  expect(tagged.stderr).toContain(
    `Did you mean \`reprise tag "Issue triage" --pin\`? If not: \`reprise tag claude-code:${triage} triage --pin\`.`,
  );
  expect(here.json("tag", triage)).toMatchObject({ tags: [], pinned: false });
  expect(here.run("tag", "Issue triage", "--pin").stdout).toBe(`Pinned claude-code:${triage}.\n`);
  expect(here.run("tag", "Issue", "later").stdout).toContain("with later.");
});

import { expect, test } from "vitest";
import { markdownNotes } from "../../src/model/markdown-notes.ts";
import { withBlock } from "../../src/model/marked-block.ts";

test("a page says its items and paragraphs, each with its heading and line", () => {
  const page = `---
name: rules
---
# Tests

Run these:

- Use \`npm test\`.
  It takes a minute.
  - with a filter: \`npx vitest\`
1. Then push.

Two lines
of one paragraph.

## Style ##
* [x] Tabs
@other.md
---
\`\`\`sh
- no item
\`\`\`
`;
  expect(markdownNotes(page.replaceAll("\n", "\r\n"))).toEqual(markdownNotes(page));
  expect(markdownNotes(page)).toEqual([
    {
      text: "Use `npm test`.\nIt takes a minute.\n- with a filter: `npx vitest`",
      line: 8,
      heading: "Tests",
    },
    { text: "Then push.", line: 11, heading: "Tests" },
    { text: "Two lines\nof one paragraph.", line: 13, heading: "Tests" },
    { text: "Tabs", line: 17, heading: "Style" },
    { text: "```sh\n- no item\n```", line: 20, heading: "Style" },
  ]);
});

test("what a reader of the page does not see, and what we put there, is not said by it", () => {
  const page = `${withBlock("- before <!-- hidden\nstill --> seen\n", "- ours\n- too")}\n- after\n`;
  expect(markdownNotes(page)).toEqual([
    { text: "before \nseen", line: 1 },
    { text: "after", line: 9 },
  ]);
  expect(markdownNotes("- a\n<!-- never closed\n- hidden")).toEqual([{ text: "a", line: 1 }]);
  const open = '- a\n<reprise-context v="1" kind="memories">\n- ours, cut off';
  expect(markdownNotes(open)).toEqual([{ text: "a", line: 1 }]);
});

test("pages that are made to be slow are read at once", () => {
  const many = 250_000;
  const shapes = [
    "# ",
    "#".repeat(6),
    "- ",
    "* * ",
    "  ",
    "<!--",
    "<!-- -->",
    "@a ",
    "```",
    "\n---",
    "1. [",
  ];
  const begunMs = performance.now();
  for (const shape of shapes) {
    const run = shape.repeat(Math.ceil(many / shape.length));
    for (const page of [run, `${run}x`, `# ${" ".repeat(many)}x${"y".repeat(300)}`, `---\n${run}`])
      expect(markdownNotes(page).length).toBeLessThan(many);
  }
  // A tenth of it is usual; what grows with the square of a page's length would take hours.
  expect(performance.now() - begunMs).toBeLessThan(20_000);
});

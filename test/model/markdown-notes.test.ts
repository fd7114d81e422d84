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

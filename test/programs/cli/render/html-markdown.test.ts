import fc from "fast-check";
import { expect, test } from "vitest";
import { markdownHtml } from "../../../../src/programs/cli/render/html-markdown.ts";

const seed = 26;

test("headings, lists, tables and code become HTML, code with its words coloured", () => {
  const page = markdownHtml(
    "# Plan\n\n- **one**\n- `two`\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```ts\nconst a = 1;\n```\n",
  );
  expect(page).toContain("<h3>Plan</h3>");
  expect(page).toContain("<li><strong>one</strong></li>");
  expect(page).toContain('<td class="right">2</td>');
  expect(page).toContain('<span class="hljs-keyword">const</span>');
});

test("markup is text, images are links, and links lead to web pages and mail alone", () => {
  const page = markdownHtml(
    "<script>alert(1)</script>\n\n![x](https://a.example/p.png) [y](javascript:alert(1)) [z](https://b.example)",
  );
  expect(page).not.toMatch(/<(?:script|img)/);
  expect(page).not.toContain('javascript:alert(1)"');
  expect(page).toContain('<a href="https://a.example/p.png"');
  expect(page).toContain('<a href="https://b.example"');
});

test(`whatever is written, nothing runs and nothing is fetched (seed ${seed})`, () => {
  const piece = fc.constantFrom(
    ...[
      "<img src=x onerror=a>",
      "<svg/onload=a>",
      "](",
      "![",
      "[a]: ",
      "javascript:",
      '"',
      "'",
      "`",
    ],
    ...[
      "```html\n",
      "\n```\n",
      "<style>",
      "|",
      "\n|-|-|\n",
      "\n> ",
      "&#106;",
      "https://x.example",
      "\n",
      "*",
    ],
  );
  const property = fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
    const tags = markdownHtml(pieces.join("")).match(/<[^>]*>/g) ?? [];
    const allowed =
      /^<\/?(?:div|p|h[3-6]|ul|ol|li|table|thead|tbody|tr|th|td|pre|code|span|strong|em|s|br|hr|blockquote|a)(?: (?:class|dir|start|rel)="[^"<>]*"| href="(?:https?|mailto):[^"<>]*")*>$/;
    for (const tag of tags) expect(tag).toMatch(allowed);
  });
  fc.assert(property, { seed, numRuns: 500 });
});

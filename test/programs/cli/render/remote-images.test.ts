import fc from "fast-check";
import { Marked } from "marked";
import { expect, test } from "vitest";
import { html } from "../../../../src/programs/cli/render/html.ts";
import { markdown, markdownHeading } from "../../../../src/programs/cli/render/markdown.ts";
import { streamOf, textOf } from "../scripted-agent.ts";

const seed = 11;
const options = { tools: "full", thinking: true } as const;

function shown(content: string): Promise<string> {
  const bodies = [
    { type: "user", content },
    { type: "assistant", content },
    { type: "tool_result", call: "1", content },
  ] as const;
  return textOf(markdown(streamOf(bodies), options));
}

/** The addresses of what a renderer would fetch by itself. */
function fetched(page: string): readonly string[] {
  const rendered = new Marked({ gfm: true }).parse(page, { async: false });
  const tags =
    rendered.match(
      /<(?:img|script|link|iframe|video|audio|source|object|embed|picture|svg|style|input|body|table|td|image|meta|base)\b[^>]*>/gi,
    ) ?? [];
  return tags.filter((tag) => /\b(?:src|srcset|href|data|poster|background|style)\s*=/i.test(tag));
}

const remote = [
  "![x](http://evil.example/a.png)",
  "![x](<http://evil.example/a b.png> 'title')",
  "![x](//evil.example/a.png)",
  "![x](file:///etc/passwd)",
  "!![x](http://evil.example/a.png)",
  "\\\\![x](http://evil.example/a.png)",
  "\\!![x](http://evil.example/a.png)",
  "[![x](http://evil.example/a.png)](http://evil.example/)",
  "![x][ref]\n\n[ref]: http://evil.example/a.png",
  "![ref][]\n\n[ref]: http://evil.example/a.png",
  "![ref]\n\n[ref]: http://evil.example/a.png",
  "![a\nb](http://evil.example/a.png)",
  "![ref](data:image/png;base64,AA bad\n\n[ref]: http://evil.example/a.png",
  '<img src="http://evil.example/a.png">',
  '<picture><source srcset="http://evil.example/a.png"></picture>',
  "<IMG SRC=http://evil.example/a.png>",
  "<a href=`x`><img src=http://evil.example/a.png>`</a>",
  "<http://evil.example/a.png>",
  "| a | b |\n|---|---|\n| `x | ![x](http://evil.example/a.png)` |",
  "| a | b |\n|---|---|\n| `x | <img src=http://evil.example/a.png>` |",
  "> | a | b |\n> |---|---|\n> | `x | ![x](http://evil.example/a.png)` |",
  "1. a\n   ```\n![x](http://evil.example/a.png)\n   ```",
  "- ```\n![x](http://evil.example/a.png)\n  ```\n![x](http://evil.example/b.png)",
  "- a\n\n  ```\n<img src=http://evil.example/a.png>\n  ```",
  "> ```\n![x](http://evil.example/a.png)",
  "```\u2028\na\n```\n![x](http://evil.example/a.png)",
  "open ` here\n\u00a0\n` ![x](http://evil.example/a.png) `",
  "`` ` ![x](http://evil.example/a.png) `\n``\n![x](http://evil.example/b.png)",
  "~~~ `\n![x](http://evil.example/a.png)\n~~~\n![x](http://evil.example/b.png)",
  "    ```\n\n![x](http://evil.example/a.png)\n```",
];

test("whatever form a remote image has, a page shows no image of it", async () => {
  for (const said of remote) expect([said, fetched(await shown(said))]).toEqual([said, []]);
});

test("a remote image becomes a link", async () => {
  const page = await shown('See ![the chart](http://a.example/c.png "now")!');
  expect(page).toContain('See [the chart](http://a.example/c.png "now")!');
  expect(await shown("!![x](u) and \\![y](v)")).toContain("&#33;[x](u) and &#33;[y](v)");
});

test("an image that is whole in the text stays, and code stays as it was", async () => {
  const image = "![x](data:image/png;base64,iVBORw0KGgo=)";
  const rendered = new Marked().parse(await shown(image), { async: false });
  expect(rendered.replaceAll("&#58;", ":")).toContain('src="data:image/png;base64,iVBORw0KGgo="');
  const code = "Use `![x](u)` or\n\n- one\n  ```md\n  ![x](u) <b>\n  ```\n- two";
  const page = await shown(code);
  expect(page).toContain("Use `![x](u)` or");
  expect(page).toContain("- one\n```md\n![x](u) <b>\n```\n- two");
});

test("titles and names fetch nothing either", async () => {
  const head = { agent: "pi", session: "s", path: "/s", sizeBytes: 1, title: remote[0]! };
  expect(fetched(markdownHeading(head as Parameters<typeof markdownHeading>[0]))).toEqual([]);
});

test(`of any text made of what Markdown minds, nothing is fetched (seed ${seed})`, async () => {
  const url = "http://evil.example/a.png";
  const piece = fc.constantFrom(
    ...["!", "[", "]", "(", ")", "![", `](${url})`, `![x](${url})`, "![x][r]", "![r]", url],
    ...[
      `<img src=${url}>`,
      `<${url}>`,
      `<img src="${url}"`,
      ">",
      "<",
      "<!--",
      "-->",
      "<?",
      "<pre>",
    ],
    ...[
      "`",
      "``",
      "```",
      "~~~",
      "\n",
      "\n\n",
      "\n```\n",
      "\n~~~\n",
      "\n   ```\n",
      "\n- ",
      "\n1. ",
      "\n> ",
    ],
    ...[
      "\\",
      "|",
      "\n|-|-|\n",
      "\n| a | b |\n",
      "    ",
      "\t",
      " ",
      "\u00a0",
      "\u2028",
      "&#33;",
      "&lt;",
    ],
    ...[
      `\n[r]: ${url}\n`,
      `\n[x]: ${url}\n`,
      "data:image/png;base64,AA",
      "$$",
      "\r",
      "#",
      "---",
      "x",
    ],
  );
  const text = fc.array(piece, { maxLength: 24 }).map((parts) => parts.join(""));
  const said = async (content: string): Promise<void> => {
    const remoteTags = fetched(await shown(content)).filter((tag) => tag.includes("evil"));
    expect(remoteTags).toEqual([]);
  };
  await fc.assert(fc.asyncProperty(text, said), { numRuns: 3_000, seed });
});

test("a page of HTML fetches nothing: its only images are whole in it", async () => {
  for (const said of remote) {
    const page = await textOf(html(streamOf([{ type: "user", content: said }]), options));
    expect(page.match(/<(?:img|script|link|iframe)\b/g) ?? []).toEqual([]);
  }
});

test("the time grows with the text, whatever it is made of", async () => {
  const times = [20_000, 80_000].map(async (size) => {
    const began = performance.now();
    for (const piece of ["!", "\\", "![", "!\\"]) await shown(piece.repeat(size / piece.length));
    return performance.now() - began;
  });
  const [small = 0, large = 0] = [await times[0], await times[1]];
  expect(large).toBeLessThan(small * 16 + 500);
});

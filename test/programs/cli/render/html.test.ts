import { expect, test } from "vitest";
import type { EventBody } from "../../../../src/model/event.ts";
import {
  type ContentsLine,
  html,
  htmlFooting,
  htmlHeading,
} from "../../../../src/programs/cli/render/html.ts";
import { streamOf, textOf } from "../scripted-agent.ts";
import { hostile, hostileBodies, hostileHead } from "./hostile.ts";

async function page(bodies: readonly EventBody[]): Promise<string> {
  const body = await textOf(html(streamOf(bodies), { tools: "full", thinking: true }));
  return htmlHeading(hostileHead) + body + htmlFooting([hostile]);
}

/** Every tag of the page with its attributes, as a browser's tokenizer would see them. */
function tagsOf(text: string): readonly string[] {
  const style = /<style>[\s\S]*?<\/style>/;
  return [...text.replace(style, "<style></style>").matchAll(/<[^>]*>/g)].map((tag) => tag[0]);
}

const allowedTag =
  /^<(!doctype html|\/?(html|head|body|header|main|footer|title|style|h1|dl|dt|dd|div|p|b|i|pre|code|details|summary|article|time|span|ins|del|a|img|meta))(\s+[a-z-]+(="[^"<>]*")?)*>$/;

test("hostile text adds no tag and no attribute to the page", async () => {
  const text = await page(hostileBodies);
  const tags = tagsOf(text);
  expect(tags.length).toBeGreaterThan(30);
  for (const tag of tags) {
    expect(tag).toMatch(allowedTag);
    expect(tag).not.toMatch(/\son\w+=/);
    expect(tag).not.toMatch(/<script/i);
  }
  expect(text.match(/<script/gi)).toBeNull();
});

test("no address leads outside or runs anything", async () => {
  const text = await page(hostileBodies);
  const addresses = tagsOf(text).flatMap((tag) => [...tag.matchAll(/(?:href|src)="([^"]*)"/g)]);
  for (const [, address] of addresses)
    expect(address).toMatch(/^(#e[0-9.]*|data:image\/png;base64,)/);
});

test("the policy of the page forbids everything but its own style and inline images", async () => {
  const text = await page([]);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1];
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; img-src data:; base-uri 'none'; form-action 'none'$/,
  );
});

test("control and direction characters are visible text", async () => {
  const text = await page(hostileBodies);
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(text).toContain("&#60;U+202E&#62;");
});

test("each event has an anchor, calls fold, edits are open", async () => {
  const text = await page([
    { type: "user", content: "Hello\n\n```js\nlet a;\n```\nBye" },
    { type: "tool_use", call: "1", name: "Bash", input: { command: "ls" } },
    { type: "tool_use", call: "2", name: "Edit", input: { path: "a", oldText: "x", newText: "y" } },
  ]);
  expect(text).toContain('<article id="e1" class="user">');
  expect(text).toContain('<a class="number" href="#e2">#2</a>');
  expect(text).toContain("let</span> a;</code></pre>");
  expect(text).toMatch(/<details><summary>.*Bash/);
  expect(text).toMatch(/<details open><summary>.*Edit/);
  expect(text).toContain("<del>x\n</del><ins>y\n</ins>");
});

test("the contents have what people said on one line, without signs of headings and elements of commands", async () => {
  const contents: ContentsLine[] = [];
  const bodies: readonly EventBody[] = [
    { type: "user", content: "Do this:\n\n# Plan\n\nFirst a < b." },
    {
      type: "user",
      content: "<command-name>/plan</command-name>\n<command-args>it</command-args>",
    },
  ];
  await textOf(html(streamOf(bodies), { tools: "full", thinking: true, contents }));
  expect(contents.map(({ text }) => text)).toEqual(["Do this: Plan First a < b.", "/plan it"]);
});

import { expect, test } from "vitest";
import type { EventBody } from "../../../../src/model/event.ts";
import { markdown, markdownHeading } from "../../../../src/programs/cli/render/markdown.ts";
import { streamOf, textOf } from "../scripted-agent.ts";
import { hostileBodies, hostileHead } from "./hostile.ts";

function shown(bodies: readonly EventBody[]): Promise<string> {
  return textOf(markdown(streamOf(bodies), { tools: "full", thinking: true }));
}

/** The text without fenced blocks and code spans: where a renderer would obey HTML. */
function outsideCode(text: string): string {
  return text
    .replace(/^(`{3,})[^\n`]*\n[\s\S]*?^\1$/gm, "")
    .replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, "");
}

test("HTML and scripts in what was said are text", async () => {
  const text = outsideCode(markdownHeading(hostileHead) + (await shown(hostileBodies)));
  expect(text.replace(/<\/?sub>/g, "")).not.toContain("<");
  expect(text).not.toMatch(/\]\(javascript:/);
});

test("the heading of a document is short, ends with a whole word, and is whole where the user gave it", () => {
  const title = `Please build ${"a bridge, ".repeat(8)}and tell me more`;
  const head = { ...hostileHead, title };
  const [first] = markdownHeading(head).split("\n");
  expect(first).toMatch(/^# Please build (a bridge, )+a(?: bridge)?…$/);
  expect(first!.length).toBeLessThanOrEqual(83);
  expect(markdownHeading({ ...head, titled: true })).toContain("tell me more");
  expect(markdownHeading({ ...head, title: "x".repeat(200) })).toContain(`# ${"x".repeat(80)}…\n`);
});

test("a fence is longer than any run of backticks inside it", async () => {
  const text = await shown([{ type: "tool_result", call: "1", content: "a\n````\nb" }]);
  expect(text).toContain("`````\na\n````\nb\n`````");
});

test("a fence that was left open does not swallow what follows", async () => {
  const text = await shown([
    { type: "assistant", content: "```js\nlet a;" },
    { type: "user", content: "next" },
  ]);
  expect(text).toContain("```js\nlet a;\n```\n\n## You");
});

test("headings of what was said lie below the transcript's own", async () => {
  expect(await shown([{ type: "assistant", content: "# Big\n## Less" }])).toContain(
    "### Big\n#### Less",
  );
});

test("code keeps its angle brackets", async () => {
  const text = await shown([
    { type: "assistant", content: "Use `Array<string>` and <b>bold</b>." },
  ]);
  expect(text).toContain("Use `Array<string>` and &lt;b>bold&lt;/b>.");
});

test("what only looks like code is none: HTML in it is text", async () => {
  const html = "<img src=x onerror=alert(1)>";
  const said = [
    `\`\`\`npm test\`\`\`\n\n${html}`,
    `\`\` ${html} \``,
    `\\\`${html}\\\``,
    `an open \` here\nand \`${html}\` there`,
    `- one \`\n- \`${html}\``,
    `\`a\` b \` c\n${html} \``,
  ];
  for (const content of said) {
    expect(await shown([{ type: "assistant", content }]), content).not.toContain("<img");
  }
});

test("code within a line that looks like a fence ends with its line", async () => {
  const text = await shown([
    { type: "assistant", content: "```npm test```\n\nthen `Array<string>`" },
    { type: "user", content: "next" },
  ]);
  expect(text).toContain("```npm test```\n\nthen `Array<string>`\n\n## You");
});

import { once } from "node:events";
import { statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBrowser } from "../browser.mjs";
import { hostile } from "../programs/cli/render/hostile.ts";
import { putClaudeSession, putFixture } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";

/*
 * Exported pages in a real browser. A server on the loopback, which alone the browser could reach, counts what asks it.
 */
let browser: Browser;
let server: Server;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  browser = await startBrowser();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  server.close();
});

interface Opened {
  readonly page: Page;
  /** Every address that was asked for. */
  readonly requests: readonly string[];
  /** What the page complains about; a policy that forbids something says so. */
  readonly complaints: readonly string[];
}

const sizes = { desktop: { width: 1400, height: 900 }, phone: { width: 390, height: 800 } };

async function open(
  file: string,
  options: { readonly scheme?: "light" | "dark"; readonly size?: keyof typeof sizes } = {},
): Promise<Opened> {
  const page = await browser.newPage({
    colorScheme: options.scheme ?? "light",
    viewport: sizes[options.size ?? "desktop"],
  });
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(pathToFileURL(file).href, { waitUntil: "load" });
  return { page, requests, complaints };
}

function exported(here: Machine, ref: string): string {
  const file = join(here.home, `${ref.replace(/\W/g, "-")}.html`);
  const result = here.run("export", ref, "--format", "html", "-o", file);
  expect(result.status, result.stderr).toBe(0);
  return file;
}

const id = "5a3e1c0f-7b64-4d0e-9c55-2f1f6a7d9e10";

/** Everything that text could try in a page, each of which would leave a mark or ask the server. */
function canary(): string {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const run = `document.title='owned';fetch('${url}/fetched')`;
  return [
    hostile,
    `<script>${run}</script>`,
    `<img src="${url}/image.png" onerror="${run}"> ![shown](${url}/markdown.png)`,
    `<iframe src="${url}/frame"></iframe><object data="${url}/object"></object><embed src="${url}/embed">`,
    `<style>@import url(${url}/style.css);body{background:url(${url}/background.png)}</style>`,
    `<link rel="stylesheet" href="${url}/link.css"><link rel="prefetch" href="${url}/prefetch">`,
    `<svg onload="${run}"><use href="${url}/use.svg#a"/></svg><video src="${url}/video" autoplay></video>`,
    `<meta http-equiv="refresh" content="0;url=${url}/refresh"><base href="${url}/base/">`,
    `[run](javascript:${run}) [data](data:text/html,<script>${run}</script>) <details ontoggle="${run}" open>`,
    `</pre></code></article></main></style><script>${run}</script>`,
    `\`\`\`html"><script>${run}</script>\n<script>${run}</script>\n\`\`\``,
    `| <script>${run}</script> | b |\n| --- | --- |\n| <img src=x onerror="${run}"> | ![c](${url}/cell.png) |`,
  ].join("\n\n");
}

/** A session with everything a page shows, long enough to scroll. */
function longSession(here: Machine, text: string): void {
  const tool = (number: number, name: string, input: object, result: string): readonly object[] => [
    {
      type: "assistant",
      message: {
        id: `m${number}`,
        role: "assistant",
        model: "m",
        content: [{ type: "tool_use", id: `c${number}`, name, input }],
      },
    },
    {
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `c${number}`, content: result }],
      },
    },
  ];
  const turns = Array.from({ length: 60 }, (_, number) => [
    { user: `Question ${number}: ${text}`, says: `## Answer ${number}\n\n${text}` },
    ...tool(number, "Bash", { command: `ls ${text}` }, `listed ${number} ${text}`).map(
      (record) => ({ record }),
    ),
  ]).flat();
  putClaudeSession(here, { id }, turns);
}

const code =
  "Text with `code`.\n\n```ts\nconst a = 1; // why\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |";

test("nothing of a hostile transcript runs, and no request leaves", async () => {
  const here = machine();
  longSession(here, canary());
  const { page, requests, complaints } = await open(exported(here, id));
  const title = await page.title();
  // Everything is opened and seen, so that nothing is merely put off.
  await page.evaluate(() => {
    for (const one of document.querySelectorAll("details")) one.open = true;
    window.scrollTo(0, document.body.scrollHeight);
  });
  await page.locator("footer").scrollIntoViewIfNeeded();
  expect(await page.title()).toBe(title);
  expect(title).not.toBe("owned");
  const foreign = "script,iframe,object,embed,svg,video,link,base,meta[http-equiv=refresh]";
  expect(await page.locator(foreign).count()).toBe(0);
  expect(await page.locator("img").count()).toBe(0);
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatch(/^file:/);
  expect(complaints).toEqual([]);
  expect(asked).toEqual([]);
  await page.close();
});

test("the server would have seen a request: a page without our care is caught", async () => {
  const { port } = server.address() as AddressInfo;
  const page = await browser.newPage();
  await page.setContent(`<img src="http://127.0.0.1:${port}/seen.png">`, { waitUntil: "load" });
  expect(asked).toEqual(["/seen.png"]);
  asked.length = 0;
  const error = await page.goto("http://example.com/").catch(String);
  expect(error).toContain("ERR_NAME_NOT_RESOLVED");
  await page.close();
});

/** Of the text of an element and what lies behind it: how much lighter one is than the other, 1 to 21. */
async function contrast(page: Page, selector: string): Promise<number> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const parts = (colour: string): number[] => (colour.match(/[\d.]+/g) ?? []).map(Number);
      const light = ([r = 0, g = 0, b = 0]: number[]): number => {
        const [red, green, blue] = [r, g, b]
          .map((value) => value / 255)
          .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
      };
      let behind: Element | null = element;
      let ground = "";
      while (behind !== null) {
        ground = getComputedStyle(behind).backgroundColor;
        if (parts(ground)[3] !== 0) break;
        behind = behind.parentElement;
      }
      const one = light(parts(getComputedStyle(element).color));
      const two = light(parts(ground));
      return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    });
}

test("it follows the light or dark of the system, and both can be read", async () => {
  const here = machine();
  longSession(here, code);
  const file = exported(here, id);
  const grounds: string[] = [];
  for (const scheme of ["light", "dark"] as const) {
    const { page } = await open(file, { scheme });
    grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    await page.evaluate(() => {
      for (const one of document.querySelectorAll("details")) one.open = true;
    });
    const read = [
      "h1",
      "dt",
      "nav a",
      "time",
      ".number",
      ".user b",
      ".assistant b",
      ".call b",
      ".prose p",
      ".prose code",
      ".result pre",
      ".hljs-keyword",
      ".hljs-number",
      ".hljs-comment",
      "footer p",
    ];
    for (const selector of read)
      expect(await contrast(page, selector), `${scheme} ${selector}`).toBeGreaterThan(4.4);
    await page.close();
  }
  expect(grounds).toEqual(["rgb(255, 255, 255)", "rgb(21, 23, 26)"]);
});

test("the contents lead to what people said, and tool output is folded until it is opened", async () => {
  const here = machine();
  longSession(here, code);
  const { page } = await open(exported(here, id));
  const links = page.locator("nav a");
  expect(await links.count()).toBe(60);
  await links.nth(50).click();
  const target = page.locator("article:target");
  await target.waitFor();
  expect(await target.innerText()).toContain("Question 50:");
  const inView = await target.evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    return top >= 0 && top < window.innerHeight;
  });
  expect(inView).toBe(true);
  const result = page.locator(".result").nth(7);
  const inside = result.locator("pre");
  expect(await inside.isVisible()).toBe(false);
  await result.locator("summary").click();
  expect(await inside.isVisible()).toBe(true);
  expect(await inside.innerText()).toContain("listed 7");
  await page.close();
});

/** Sessions as the agents wrote them. */
const fixtures = [
  "claude-code/2.1.325/tools",
  "codex/0.166.0/resumed",
  "copilot-cli/1.0.102/tools",
  "qwen-code/0.24.4/tools",
];

test("pages of what agents wrote fit a desktop and a phone, and ask for nothing", async () => {
  for (const fixture of fixtures) {
    const here = machine();
    putFixture(here, fixture);
    const { sessions } = here.json("list", "--all") as {
      sessions: { ref: string; sizeBytes: number }[];
    };
    const [longest] = sessions.toSorted((a, b) => b.sizeBytes - a.sizeBytes);
    expect(longest, fixture).toBeDefined();
    const file = exported(here, longest!.ref);
    expect(statSync(file).size).toBeGreaterThan(1000);
    for (const size of ["desktop", "phone"] as const) {
      const { page, requests, complaints } = await open(file, { size });
      expect(await page.locator("article").count(), fixture).toBeGreaterThan(0);
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      expect(sideways, `${fixture} ${size}`).toBeLessThanOrEqual(0);
      expect(requests).toHaveLength(1);
      expect(complaints).toEqual([]);
      await page.close();
    }
  }
  expect(asked).toEqual([]);
}, 120_000);

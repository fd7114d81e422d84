import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { zipSync } from "fflate";
import { expect, test } from "vitest";
import type { SessionRef } from "../../../src/agents/contract.ts";
import { activityIn } from "../../../src/agents/web-export/activity-page.ts";
import { isMoment, momentOfLine } from "../../../src/agents/web-export/activity-time.ts";
import { loadWebExport } from "../../../src/agents/web-export/index.ts";
import { plainOfHtml } from "../../../src/agents/web-export/plain-html.ts";
import type { Environment } from "../../../src/base/env.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { readAll } from "../kit/scenes.ts";
import { assertSurvives } from "../kit/survives.ts";

const agent = await loadWebExport();
const fixtures = join(import.meta.dirname, "..", "..", "fixtures", "web-export", "constructed");
const services = ["chatgpt", "claude-ai", "gemini", "gemini-html"] as const;
const takeout = "Takeout/My Activity/Gemini Apps/MyActivity";
const documents: Readonly<Record<string, string>> = {
  gemini: `${takeout}.json`,
  "gemini-html": `${takeout}.html`,
};
const documentOf = (service: string): string => documents[service] ?? "conversations.json";

function machine(): Environment {
  const home = temporaryFolder();
  return { variables: {}, platform: "linux", home, cwd: home };
}

/** An export as a zip, with a picture beside it that nobody reads. */
function zipped(service: string, folder: string): string {
  const path = join(folder, `${service}.zip`);
  const document = documentOf(service);
  const bytes = readFileSync(join(fixtures, service, document));
  const files = {
    [document]: bytes,
    "file-AbCdEf-screen.png": Buffer.alloc(100),
    "user.json": Buffer.from("{}"),
  };
  writeFileSync(path, zipSync(files));
  return path;
}

async function told(refs: Iterable<SessionRef>, env: Environment) {
  const lines: string[] = [];
  for (const ref of refs) {
    const { path: _path, project, ...head } = agent.head(ref, env)!;
    lines.push(JSON.stringify({ ...head, project: project?.name }));
    const { events, damage } = await readAll(agent, ref, { allBranches: true });
    lines.push(...events.map(({ native: _native, ...event }) => JSON.stringify(event)));
    expect(damage).toEqual([]);
  }
  return `${lines.join("\n")}\n`;
}

test.each(services)(
  "an export of %s is read as reviewed, as a file, a folder and a zip",
  async (service) => {
    const env = machine();
    const folder = join(fixtures, service);
    const whole = await told(agent.at!(folder, env), env);
    await expect(whole).toMatchFileSnapshot(join(folder, "golden.jsonl"));
    expect(await told(agent.at!(join(folder, documentOf(service)), env), env)).toBe(whole);
    expect(await told(agent.at!(zipped(service, env.home), env), env)).toBe(whole);
    // What is derived may be deleted at any time.
    const { rmSync } = await import("node:fs");
    rmSync(join(env.home, ".reprise"), { recursive: true });
    expect(await told(agent.at!(join(env.home, `${service}.zip`), env), env)).toBe(whole);
  },
);

test.each(services)("an export of %s keeps the rules of every reader", async (service) => {
  const env = machine();
  for (const form of ["zip", "file"]) {
    const folder = join(env.home, form);
    mkdirSync(folder);
    const source = join(fixtures, service, documentOf(service));
    const path =
      form === "zip" ? zipped(service, folder) : join(folder, basename(documentOf(service)));
    if (form === "file") cpSync(source, path);
    const located = {
      ...agent,
      locate: (given: Environment) => (given.home === env.home ? agent.at!(path, given) : []),
    };
    const sessions = [...located.locate(env)].map(({ session }) => session);
    for (const { name, run } of agentCases) {
      try {
        await run({ agent: located, env, folder, sessions });
      } catch (cause) {
        throw new Error(`${form}: ${name}`, { cause });
      }
    }
  }
});

test("what ChatGPT answered again is a branch, and the current one is live", async () => {
  const env = machine();
  const [ref] = [...agent.at!(join(fixtures, "chatgpt"), env)];
  const live = (await readAll(agent, ref!)).events;
  expect(JSON.stringify(live)).not.toContain("I do not know");
  expect(live.map(({ body }) => body.type)).toEqual([
    "user",
    "assistant",
    "user",
    "thinking",
    "tool_use",
    "tool_result",
    "assistant",
  ]);
  const all = (await readAll(agent, ref!, { allBranches: true })).events;
  const asked = all.find(({ body }) => body.type === "user")!;
  const answers = all.filter(({ body }) => body.type === "assistant").slice(0, 2);
  expect(answers.map(({ parent, live: isLive }) => [parent, isLive])).toEqual([
    [asked.number, false],
    [asked.number, true],
  ]);
});

test("conversations of web exports are aside, in a group of their export", () => {
  const env = machine();
  const path = zipped("claude-ai", env.home);
  const heads = [...agent.at!(path, env)].map((ref) => agent.head(ref, env)!);
  expect(heads).toHaveLength(2);
  for (const head of heads)
    expect(head).toMatchObject({ aside: true, project: { name: "Claude.ai", path } });
});

/** An archive with names and sizes of the caller's choice. */
function archive(files: Record<string, Uint8Array>): string {
  const path = join(temporaryFolder(), "export.zip");
  writeFileSync(path, zipSync(files));
  return path;
}

test("names in an archive never become paths", () => {
  const env = machine();
  const bytes = readFileSync(join(fixtures, "claude-ai", "conversations.json"));
  const path = archive({
    "../../../../escaped/conversations.json": bytes,
    "/etc/conversations.json": bytes,
  });
  expect([...agent.at!(path, env)]).toHaveLength(2);
  const made = readdirSync(env.home, { recursive: true, encoding: "utf8" }).map((name) =>
    basename(name),
  );
  expect(made.filter((name) => name.endsWith(".json")).sort()).toEqual([
    "0.json",
    "1.json",
    "list.json",
  ]);
});

test("an archive that unpacks to far more than it holds is refused, and leaves nothing", () => {
  const env = machine();
  const path = archive({ "conversations.json": new Uint8Array(64 * 1024 * 1024) });
  expect([...agent.at!(path, env)]).toEqual([]);
  const exports = join(env.home, ".reprise", "derived", "exports");
  expect(readdirSync(exports)).toEqual([]);
});

test("files that are no export are not looked through, and nothing is kept of them", () => {
  const env = machine();
  for (const [name, text] of [
    ["package.json", '{"name":"x"}'],
    ["session.jsonl", '{"type":"user","mapping":"a"}\n{"type":"user"}\n'],
    ["list.json", '[{"title":"no conversation"}]'],
    ["empty.json", ""],
  ] as const) {
    const path = join(env.home, name);
    writeFileSync(path, text);
    expect([...agent.at!(path, env)], name).toEqual([]);
  }
  expect([...agent.at!(join(env.home, "nothing.zip"), env)]).toEqual([]);
});

test("HTML becomes text, and nothing of it is run", () => {
  expect(
    plainOfHtml(
      "<p>a &lt;b&gt; &amp; &#233;&#x1F600;</p><script>alert(1)</script><ul><li>x</li></ul>",
    ),
  ).toBe("a <b> & é😀\n- x");
});

test("a page of Takeout says the same as its twin in JSON", async () => {
  const env = machine();
  const texts = async (service: string) => {
    const [ref] = agent.at!(join(fixtures, service), env);
    const { events } = await readAll(agent, ref!);
    return events.flatMap(({ body }) => ("content" in body ? [body.content] : []));
  };
  const fromPage = await texts("gemini-html");
  expect(fromPage[2]).toBe("And in the README?\nDoes it say <port>?");
  const others = [0, 1, 3];
  const fromList = await texts("gemini");
  expect(others.map((at) => fromPage[at])).toEqual(others.map((at) => fromList[at]));
});

test.each([
  ["May 19, 2026, 7:07:02\u202fPM GMT-03:00", "2026-05-19T22:07:02.000Z"],
  ["Aug 27, 2026, 12:10:04 AM PDT", "2026-08-27T07:10:04.000Z"],
  ["Aug 27, 2026, 12:10:04 PM UTC", "2026-08-27T12:10:04.000Z"],
  ["18 Sept 2025, 12:02:52 CET", "2025-09-18T11:02:52.000Z"],
  ["10 de mai. de 2026, 03:46:09 BRT", "2026-05-10T06:46:09.000Z"],
  ["4 juli 2026 09:15:00 CEST", "2026-07-04T07:15:00.000Z"],
  ["19.05.2026, 19:07:02 MESZ", "2026-05-19T17:07:02.000Z"],
  ["19. maj 2026 19.07.02 CEST", "2026-05-19T17:07:02.000Z"],
  ["2026年6月19日 12:23:08 CST", "2026-06-19T04:23:08.000Z"],
  ["19 мая 2026 г., 10:00:00 MSK", "2026-05-19T07:00:00.000Z"],
  ["2026. 5. 19. 오후 7:07:02 KST", "2026-05-19T10:07:02.000Z"],
  ["31 Smarch 2026, 10:00:00", undefined],
])("a page's moment %j is %s", (line, moment) => {
  expect(isMoment(line)).toBe(true);
  expect(momentOfLine(line)).toBe(moment);
});

test("a hostile page is read in one pass: tags without an end, scripts, a million breaks", () => {
  const began = process.cpuUsage();
  for (const piece of [
    "<script>",
    "<style>",
    "<a",
    "<",
    "&#",
    "<br>2026 10:00:0",
    "99 9999 12:00:00<br>",
  ]) {
    const many = piece.repeat(Math.ceil(2_000_000 / piece.length));
    expect(plainOfHtml(many).length).toBeLessThanOrEqual(many.length);
    const cell = `<div class="content-cell mdl-typography--body-1">${many}`;
    expect(activityIn(Buffer.from(cell))).toBeDefined();
  }
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1e6).toBeLessThan(20);
});

test.each(services)(
  "170 damaged exports of %s are read without a throw or a hang",
  async (service) => {
    const env = machine();
    const source = join(fixtures, service, documentOf(service));
    const refs = [...agent.at!(source, env)];
    for (const [index, ref] of refs.entries()) {
      await assertSurvives({
        agent,
        kind: "json",
        sources: [source],
        rounds: Math.ceil(170 / refs.length),
        seed: index + 1,
        place: () => basename(documentOf(service)),
        ref: (path) => ({ ...ref, path }),
      });
    }
  },
  60_000,
);

test("100 damaged archives are read without a throw or a hang, and give what is whole", async () => {
  const env = machine();
  const source = zipped("chatgpt", env.home);
  const [ref] = [...agent.at!(source, env)];
  await assertSurvives({
    agent,
    kind: "json",
    sources: [source],
    rounds: 100,
    ref: (path) => ({ ...ref!, path }),
  });
}, 60_000);

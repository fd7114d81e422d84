import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { claudeCode } from "../../../src/agents/claude-code/index.ts";
import { assertSurvives } from "../kit/survives.ts";
import {
  assistant,
  fixtures,
  homeAt,
  outlineOf,
  readAll,
  refAt,
  sessionsIn,
  user,
  written,
} from "./store.ts";

const records = [
  user("u1", null, "first"),
  assistant("a1", "u1", "one"),
  user("u2", "a1", "second"),
  assistant("a2", "u2", "two"),
];
const [first, second, third, fourth] = records.map((record) => JSON.stringify(record)) as [
  string,
  string,
  string,
  string,
];
const all = ["user: first", "assistant: one", "user: second", "assistant: two"];

async function told(content: string | Buffer) {
  const live = await readAll(written(content));
  const every = await readAll(written(content), { allBranches: true });
  expect(every.damage.map(({ kind }) => kind)).toEqual(live.damage.map(({ kind }) => kind));
  return { lines: outlineOf(live.events), damage: live.damage.map(({ kind }) => kind) };
}

describe("both records are read where", () => {
  test("a newline was lost between them", async () => {
    const content = `${first}\n${second}${third}\n${fourth}\n`;
    expect(await told(content)).toEqual({ lines: all, damage: ["spliced"] });
  });

  test("a newline was lost behind the log of a request, which is not parsed", async () => {
    const log = JSON.stringify({ type: "api-request", sessionId: "s", tail: [] });
    const content = `${first}\n${second}\n${log}${third}\n${fourth}\n`;
    expect(await told(content)).toEqual({ lines: all, damage: ["spliced"] });
  });
});

describe("only the damaged record is lost where", () => {
  test("it was torn and the next one glued to it", async () => {
    const content = `${first}\n${second.slice(0, 60)}${third}\n${fourth}\n`;
    const { lines: live, damage } = await told(content);
    expect(live).toEqual(["user: first", "user: second", "assistant: two"]);
    expect(damage).toEqual(["spliced", "missing_parent"]);
  });

  test("the tail is torn", async () => {
    const content = `${first}\n${second}\n${third}\n${fourth.slice(0, -9)}`;
    expect(await told(content)).toEqual({ lines: all.slice(0, 3), damage: ["torn_tail"] });
  });

  test("a page of NULs stands in its place", async () => {
    const content = `${first}\n${second}\n${"\0".repeat(4096)}\n${third}\n${fourth}\n`;
    expect(await told(content)).toEqual({ lines: all, damage: ["nul_run"] });
  });

  test("it is not JSON although its braces are in order", async () => {
    const content = `${first}\n${second.replace('"isSidechain":false', '"isSidechain":maybe')}\n${third}\n${fourth}\n`;
    const { lines: live, damage } = await told(content);
    expect(live).toEqual(["user: first", "user: second", "assistant: two"]);
    expect(damage).toEqual(["bad_json", "missing_parent"]);
  });
});

test("text that is not UTF-8 is read with what it lacks told", async () => {
  const broken = Buffer.from(`${first}\n${second}\n`);
  broken[broken.indexOf("first") + 2] = 0xff;
  broken[broken.indexOf('one"') + 2] = 0xff;
  expect(await told(broken)).toEqual({
    lines: ["user: fi\ufffdst", "assistant: on\ufffd"],
    damage: ["bad_utf8", "bad_utf8"],
  });
});

test("a line over the limit is passed over and told", async () => {
  const huge = Buffer.alloc(65 * 1024 * 1024, 0x61);
  const content = Buffer.concat([Buffer.from(`${first}\n`), huge, Buffer.from(`\n${second}\n`)]);
  const { events, damage } = await readAll(written(content));
  expect(outlineOf(events)).toEqual(["user: first", "assistant: one"]);
  expect(damage.map(({ kind }) => kind)).toEqual(["too_long"]);
});

test("a file that is gone is told, not thrown", async () => {
  const ref = { ...written(""), path: "/nowhere/at/all.jsonl" };
  expect((await readAll(ref)).damage.map(({ kind }) => kind)).toEqual(["missing_file"]);
});

test("types from a file never become more than names", async () => {
  const odd = '{"__proto__":{"polluted":true},"type":"__proto__","sessionId":"s"}';
  const { unknown } = await readAll(written(`${odd}\n${first}\n`), { allBranches: true });
  expect(Object.entries(unknown)).toEqual([["__proto__", 1]]);
  expect({}).not.toHaveProperty("polluted");
});

// One is damaged already, one is so long that damage in it is slow to make and teaches nothing more.
const left = ["torn-tail", "unicode-long"];
const sources = ["2.1.325", "2.0.30"].flatMap((version) =>
  readdirSync(join(fixtures, version), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !left.includes(entry.name))
    .flatMap((entry) => [...sessionsIn(join(fixtures, version, entry.name)).values()])
    .map((ref) => ref.path),
);

test("500 random damages cost no more than the damaged records", async () => {
  await assertSurvives({
    agent: claudeCode,
    sources,
    kind: "lines",
    ref: (path) => refAt(path, dirname(path)),
    match: ({ body }) =>
      body.type === "user" || body.type === "assistant" || body.type === "tool_result"
        ? `${body.type} ${JSON.stringify(body.content)}`
        : undefined,
  });
});

test("a head survives the same damages", async () => {
  await assertSurvives({
    agent: {
      ...claudeCode,
      read: async function* (ref) {
        claudeCode.head(refAt(ref.path), homeAt("/"));
        for await (const batch of claudeCode.read(ref, { last: 5 })) yield { ...batch, events: [] };
      },
    },
    sources,
    kind: "lines",
    rounds: 200,
    seed: 7,
    ref: (path) => refAt(path, dirname(path)),
  });
});

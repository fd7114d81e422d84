import { appendFileSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import type { Environment } from "../../src/base/env.ts";
import { freshen } from "../../src/catalog/index/freshen.ts";
import { openCatalog } from "../../src/catalog/index/open.ts";
import { userHome } from "../../src/store/home.ts";
import { claudeFile, claudeLine, claudeSession, id } from "./claude.ts";
import { emptyHome, find, options, places } from "./home.ts";

/** A session that begins with a copy of another's first prompt and goes on with one of its own. */
function fork(
  env: Environment,
  number: number,
  of: number,
  texts: readonly [string, string],
): string {
  const [shared, own] = texts;
  const copy = claudeLine(env, of, 0, shared, { sessionId: id(number) });
  return claudeFile(env, number, [`${copy}\n`, `${claudeLine(env, number, 1, own)}\n`]);
}

/** Brings the index up to date, and tells how many sessions were read for it. */
async function readNow(env: Environment): Promise<number> {
  const catalog = openCatalog(userHome(env).derived);
  if ("why" in catalog) throw new Error(catalog.why);
  const { read } = await freshen(catalog, options(env));
  catalog.close();
  return read;
}

test("what a rewritten session gives up is found in its copy by the next search", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["the kumquat topic"]);
  fork(env, 2, 1, ["the kumquat topic", "went on elsewhere"]);
  expect(places(await find(env, "kumquat"))).toEqual([`claude-code:${id(1)}@1`]);
  claudeSession(env, 1, ["something else, and longer than what was there before"]);
  expect(places(await find(env, "kumquat"))).toEqual([`claude-code:${id(2)}@1`]);
  expect(await readNow(env)).toBe(0);
});

test("sessions with copies of different originals do not have each other read again and again", async () => {
  const env = emptyHome();
  for (const [original, text] of [
    [1, "the kumquat topic"],
    [4, "the rambutan topic"],
  ] as const) {
    claudeSession(env, original, [text]);
    fork(env, original + 1, original, [text, "went on here"]);
    fork(env, original + 2, original, [text, "went on there"]);
  }
  await find(env, "topic");
  claudeSession(env, 1, ["something else, and longer than what was there before"]);
  await find(env, "topic");
  expect(await readNow(env)).toBe(0);
  expect(places(await find(env, "topic"))).toEqual([
    `claude-code:${id(2)}@1`,
    `claude-code:${id(4)}@1`,
  ]);
});

test("a rewind that keeps everything has no other session read again", async () => {
  const env = emptyHome();
  const file = claudeSession(env, 1, ["the kumquat topic", "and so on"]);
  fork(env, 2, 1, ["the kumquat topic", "went on elsewhere"]);
  await find(env, "kumquat");
  const line = claudeLine(env, 1, 7, "from the start", { parentUuid: null });
  appendFileSync(file, `${line}\n`);
  expect(await readNow(env)).toBe(1);
  expect(places(await find(env, "kumquat OR start"))).toEqual([
    `claude-code:${id(1)}@1`,
    `claude-code:${id(1)}@3`,
  ]);
});

test("among forty lines a copy, a repeated one and new ones are each found where they belong", async () => {
  const env = emptyHome();
  const texts = Array.from({ length: 40 }, (_, at) => `kumquat${at} topic`);
  claudeSession(env, 1, texts.slice(0, 20));
  // It begins with every second prompt of the other, says one of its own twice, and goes on alone.
  const lines = texts.map((text, at) => {
    const isCopy = at < 20 && at % 2 === 0;
    const more = {
      sessionId: id(2),
      uuid: `5a3e1c0f-7b64-4d0e-9c55-${String(at).padStart(12, "b")}`,
    };
    return `${claudeLine(env, isCopy ? 1 : 2, at, text, more)}\n`;
  });
  lines.splice(30, 0, lines[29]!);
  claudeFile(env, 2, lines);
  for (const [word, expected] of [
    ["kumquat4", [`claude-code:${id(1)}@5`]],
    ["kumquat5", [`claude-code:${id(1)}@6`, `claude-code:${id(2)}@6`]],
    ["kumquat29", [`claude-code:${id(2)}@30`]],
    ["kumquat39", [`claude-code:${id(2)}@41`]],
  ] as const) {
    expect(places(await find(env, word)).toSorted(), word).toEqual(expected);
  }
});

/** An original that was rewritten, and a copy of what it said before, which grew. */
function rewriteAndGrow(env: Environment, order: "original first" | "copy first"): void {
  const rewritten = claudeSession(env, 1, [
    "something else, and longer than what was there before",
  ]);
  const grown = fork(env, 2, 1, ["the kumquat topic", "went on elsewhere"]);
  appendFileSync(grown, `${claudeLine(env, 2, 2, "and further")}\n`);
  // The newest is read first.
  const newest = order === "original first" ? rewritten : grown;
  for (const file of [rewritten, grown]) {
    const seconds = 1_795_000_000 + (file === newest ? 1 : 0);
    utimesSync(file, seconds, seconds);
  }
}

test("a copy that was read on, but has to be read whole after all, counts once", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["the kumquat topic"]);
  fork(env, 2, 1, ["the kumquat topic", "went on elsewhere"]);
  await find(env, "kumquat");
  rewriteAndGrow(env, "original first");
  expect(await readNow(env)).toBe(2);
  expect(places(await find(env, "kumquat"))).toEqual([`claude-code:${id(2)}@1`]);
});

test.each(["original first", "copy first"] as const)(
  "what is given up while the last sessions are read is found all the same, the %s",
  async (order) => {
    const env = emptyHome();
    claudeSession(env, 1, ["the kumquat topic"]);
    fork(env, 2, 1, ["the kumquat topic", "went on elsewhere"]);
    await find(env, "kumquat");
    // It tells of a project nobody knew, so that everything is looked at once more.
    const elsewhere = { cwd: `${env.cwd}/elsewhere` };
    claudeFile(env, 3, [`${claudeLine(env, 3, 0, "the third session", elsewhere)}\n`]);
    let changes = 1;
    const onProgress = (): void => {
      if (changes-- === 1) rewriteAndGrow(env, order);
    };
    const found = await find(env, "kumquat", { onProgress });
    expect(places(found)).toEqual([`claude-code:${id(2)}@1`]);
  },
);

test("what a session gives up that had to be read anew itself is found in its copy", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["the kumquat topic"]);
  fork(env, 2, 1, ["the kumquat topic", "the rambutan topic"]);
  const copy = claudeLine(env, 2, 1, "the rambutan topic", { sessionId: id(3) });
  const oldest = claudeFile(env, 3, [`${copy}\n`, `${claudeLine(env, 3, 1, "went on here")}\n`]);
  utimesSync(oldest, 1_790_000_000, 1_790_000_000);
  await find(env, "topic");
  // The second has copies of what the first gives up, so that what it gives up itself is known only afterwards.
  for (const number of [1, 2]) {
    const file = claudeSession(env, number, [
      "something else, and longer than all that was there".repeat(20),
    ]);
    utimesSync(file, 1_795_000_000 + number, 1_795_000_000 + number);
  }
  expect(places(await find(env, "kumquat OR rambutan"))).toEqual([`claude-code:${id(3)}@1`]);
  expect(await readNow(env)).toBe(0);
});

test("what a session added that was all copies before is forgotten when it is rewritten", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["the kumquat topic"]);
  const copyIn = (number: number): string => {
    const copy = claudeLine(env, 1, 0, "the kumquat topic", { sessionId: id(number) });
    return claudeFile(env, number, [`${copy}\n`]);
  };
  copyIn(2);
  const file = copyIn(3);
  await find(env, "topic");
  appendFileSync(file, `${claudeLine(env, 3, 1, "the rambutan topic")}\n`);
  expect(places(await find(env, "rambutan"))).toEqual([`claude-code:${id(3)}@2`]);
  claudeSession(env, 3, ["something else, and longer than what was there before".repeat(20)]);
  expect(places(await find(env, "rambutan"))).toEqual([]);
});

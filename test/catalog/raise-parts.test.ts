import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Environment } from "../../src/base/env.ts";
import { openCatalog } from "../../src/catalog/open.ts";
import { raiseParts } from "../../src/catalog/raise-parts.ts";
import { emptyHome, find } from "./home.ts";

const first = 400;

/** Enough that the first part of the index is larger than those that follow. */
function manyWords(at: number): string {
  return Array.from({ length: 20 }, (_, word) => `w${at}x${word}`).join(" ");
}

function lineOf(at: number): string {
  const key = (index: number): string => index.toString(16).padStart(8, "0");
  const ms = Date.parse("2026-11-15T18:00:00Z") + at * 1000;
  const message = {
    role: "user",
    content: [{ type: "text", text: `said number${at} ${at < first ? manyWords(at) : ""}` }],
    timestamp: ms,
  };
  const place = { id: key(at), parentId: at === 0 ? null : key(at - 1) };
  return `${JSON.stringify({ type: "message", ...place, timestamp: new Date(ms).toISOString(), message })}\n`;
}

function sessionIn(env: Environment): string {
  const folder = join(env.home, ".pi", "agent", "sessions", "--one--");
  mkdirSync(folder, { recursive: true });
  const id = "01a1c0de-5eed-7000-8a11-000000000001";
  const file = join(folder, `2026-11-15T18-19-48-767Z_${id}.jsonl`);
  const head = {
    type: "session",
    version: 3,
    id,
    timestamp: "2026-11-15T18:00:00.000Z",
    cwd: env.cwd,
  };
  writeFileSync(
    file,
    `${JSON.stringify(head)}\n${Array.from({ length: first }, (_, at) => lineOf(at)).join("")}`,
  );
  return file;
}

/** The first page of the first part, as the index holds it. */
function firstPage(env: Environment): unknown {
  const catalog = openCatalog(join(env.home, ".reprise", "derived"));
  if ("why" in catalog) throw new Error(catalog.why);
  catalog.connection.exec("insert into words (words) values ('integrity-check')");
  const page = catalog.connection
    .prepare("select id, hex(block) as bytes from words_data where id > 10 order by id limit 1")
    .get();
  catalog.close();
  return page;
}

/** Appends many lines one by one, each brought into the index; tells whether the first part outlasts them. */
async function isFirstPartKept(
  env: Environment,
  options: { readonly raised: boolean },
): Promise<boolean> {
  const file = sessionIn(env);
  await find(env, "number1");
  if (options.raised) raiseParts(join(env.home, ".reprise", "derived", "catalog.db"));
  const before = firstPage(env);
  for (let at = first; at < first + 40; at += 1) {
    appendFileSync(file, lineOf(at));
    await find(env, "number1");
  }
  for (const at of [0, first - 1, first, first + 39]) {
    const { sessions } = await find(env, `number${at}`);
    expect(sessions[0]?.events).toHaveLength(1);
  }
  return JSON.stringify(firstPage(env)) === JSON.stringify(before);
}

test("parts that were raised are left alone by small additions, and everything is found", async () => {
  expect(await isFirstPartKept(emptyHome(), { raised: true })).toBe(true);
  expect(await isFirstPartKept(emptyHome(), { raised: false })).toBe(false);
});

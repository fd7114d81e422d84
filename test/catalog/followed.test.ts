import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Environment } from "../../src/base/env.ts";
import { openCatalog } from "../../src/catalog/index/open.ts";
import { emptyHome, find } from "./home.ts";

const filler = "what a tool said at great length ".repeat(60);

/** Sessions as pi writes them; odd ones begin with a copy of the one before. Returns their files. */
function sessionsIn(env: Environment, count: number): readonly string[] {
  const folder = join(env.home, ".pi", "agent", "sessions", "--many--");
  mkdirSync(folder, { recursive: true });
  return Array.from({ length: count }, (_, number) => {
    const id = `01a1c0de-5eed-7000-8a11-${String(number).padStart(12, "0")}`;
    const file = join(folder, `2026-11-15T18-19-48-767Z_${id}.jsonl`);
    const timestamp = `2026-11-15T18:0${number % 10}:00.000Z`;
    const head = { type: "session", version: 3, id, timestamp, cwd: env.cwd };
    const lines = Array.from({ length: 40 }, (_, at) =>
      lineOf(number % 2 === 1 && at < 20 ? number - 1 : number, at),
    );
    writeFileSync(file, `${JSON.stringify(head)}\n${lines.join("")}`);
    utimesSync(file, 1_763_000_000 + number, 1_763_000_000 + number);
    return file;
  });
}

function lineOf(session: number, at: number): string {
  const key = (index: number): string => index.toString(16).padStart(8, "0");
  const ms = Date.parse("2026-11-15T18:00:00Z") + session * 1e6 + at * 1000;
  const text = `word${(session * 7 + at) % 30} über ${session}x${at} ${filler}`;
  const message = { role: "user", content: [{ type: "text", text }], timestamp: ms };
  const place = { id: key(at), parentId: at === 0 ? null : key(at - 1) };
  return `${JSON.stringify({ type: "message", ...place, timestamp: new Date(ms).toISOString(), message })}\n`;
}

/** Everything the index has, but for numbers it gives itself. */
function contentOf(env: Environment): readonly string[] {
  const catalog = openCatalog(join(env.home, ".reprise", "derived"));
  if ("why" in catalog) throw new Error(catalog.why);
  const rows = catalog.connection
    .prepare(
      `select s.path, s.cursor, s.size, s.title, s.events, e.number, e.what, e.at, k.key
       from source s join event e on e.source = s.id left join seen k on k.event = e.id
       order by 1, 6, 7`,
    )
    .all();
  catalog.close();
  return rows.map((row) => JSON.stringify(row));
}

async function rebuilt(env: Environment): Promise<readonly string[]> {
  rmSync(join(env.home, ".reprise", "derived"), { recursive: true });
  await find(env, "word1");
  return contentOf(env);
}

test("an index that followed its sessions through rewriting and growth is the one that is made anew", async () => {
  const env = emptyHome();
  const files = sessionsIn(env, 120);
  await find(env, "word1");
  for (const [number, file] of files.entries()) {
    if (number % 2 === 1) {
      appendFileSync(file, lineOf(number, 40));
      continue;
    }
    // The original is another session now: its first events are the copy's.
    const [head = ""] = readFileSync(file, "utf8").split("\n");
    const lines = Array.from({ length: 38 }, (_, at) => lineOf(number + 1_000, at));
    writeFileSync(file, `${head}\n${lines.join("")}`);
    utimesSync(file, 1_763_000_500 + number, 1_763_000_500 + number);
  }
  const found = await find(env, '"2x5"');
  expect(found.sessions).toHaveLength(1);
  expect(contentOf(env)).toEqual(await rebuilt(env));
});

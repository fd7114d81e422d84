import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openCatalog } from "../../src/catalog/index/open.ts";
import { Finder } from "../../src/catalog/query/finder.ts";
import { find, fixtureHome, options, places } from "../catalog/home.ts";
import { program } from "../e2e/program.ts";
import { seeded } from "../random.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";

const seed = 20261116;
const kills = 100;

test(`${kills} kills while indexing: the index opens, and after one command equals a fresh one`, async () => {
  const env = fixtureHome();
  const lines = manySessions(env.home);
  const random = seeded(seed);
  let killed = 0;
  for (let round = 0; round < kills; round += 1) {
    // Every round there is something to do: a session grows, and now and then all begins anew.
    const { file, line } = random.pick(lines);
    appendFileSync(file, line);
    if (round % 10 === 0)
      rmSync(join(env.home, ".reprise", "derived"), { recursive: true, force: true });
    const child = spawn(process.execPath, [program, "index"], {
      env: { HOME: env.home, PATH: process.env["PATH"] },
      cwd: env.cwd,
      stdio: "ignore",
    });
    const closed = once(child, "close");
    await Promise.race([sleep(40 + random.below(400)), closed]);
    child.kill("SIGKILL");
    const [, signal] = (await closed) as [number | null, string | null];
    if (signal === "SIGKILL") killed += 1;
  }
  expect(killed, `seed ${seed}`).toBeGreaterThan(kills / 4);
  await find(env, "anything");
  const survivor = rowsOf(env.home);
  const queries = Array.from(
    { length: 200 },
    () => `word${random.below(60)}${random.below(2) === 0 ? "*" : ""}`,
  );
  const answers = await answersTo(env, queries);
  rmSync(join(env.home, ".reprise", "derived"), { recursive: true, force: true });
  await find(env, "anything");
  expect(rowsOf(env.home)).toEqual(survivor);
  expect(await answersTo(env, queries)).toEqual(answers);
  expect(answers.flat().length).toBeGreaterThan(1000);
}, 180_000);

/** Enough that all sessions together are worth a thread that writes. */
const filler = "one of the long answers that sessions are full of ".repeat(40);

/** Sessions as pi writes them, with forks that repeat their beginning; returns lines that may be added. */
function manySessions(home: string): readonly { readonly file: string; readonly line: string }[] {
  const folder = join(home, ".pi", "agent", "sessions", "--many--");
  mkdirSync(folder, { recursive: true });
  const added: { file: string; line: string }[] = [];
  for (let number = 0; number < 40; number += 1) {
    const id = `01a1c0de-5eed-7000-8a11-${String(number).padStart(12, "0")}`;
    const file = join(folder, `2026-11-15T18-19-48-767Z_${id}.jsonl`);
    const entry = (at: number): string => {
      // Odd sessions copy the events of the one before, as a fork does.
      const from = number % 2 === 1 && at < 20 ? number - 1 : number;
      const timestamp = new Date(
        Date.parse("2026-11-15T18:00:00Z") + from * 1e6 + at * 1000,
      ).toISOString();
      const text = `word${(from * 7 + at) % 60} said in session ${from} as number ${at} ${filler}`;
      const message = {
        role: "user",
        content: [{ type: "text", text }],
        timestamp: Date.parse(timestamp),
      };
      const key = (index: number): string => index.toString(16).padStart(8, "0");
      return `${JSON.stringify({ type: "message", id: key(at), parentId: at === 0 ? null : key(at - 1), timestamp, message })}\n`;
    };
    const head = {
      type: "session",
      version: 3,
      id,
      timestamp: "2026-11-15T18:00:00.000Z",
      cwd: home,
    };
    appendFileSync(
      file,
      `${JSON.stringify(head)}\n${Array.from({ length: 60 }, (_, at) => entry(at)).join("")}`,
    );
    for (let at = 60; at < 63; at += 1) added.push({ file, line: entry(at) });
  }
  return added;
}

/** What the index has of sessions that are there, in an order of its own. */
function rowsOf(home: string): readonly string[] {
  const catalog = openCatalog(join(home, ".reprise", "derived"));
  if ("why" in catalog) throw new Error(catalog.why);
  const rows = catalog.connection
    .prepare(
      `select s.agent, s.path, s.part, e.number, e.what, e.at from event e join source s on s.id = e.source
       where s.state = 0 order by 1, 2, 3, 4, 5, 6`,
    )
    .all();
  catalog.close();
  return rows.map((row) => JSON.stringify(row));
}

async function answersTo(
  env: Parameters<typeof find>[0],
  queries: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const finder = await Finder.open(options(env));
  try {
    const answers: (readonly string[])[] = [];
    for (const text of queries) {
      const wanted = { sessions: 10_000, events: 10_000 };
      answers.push(places(await finder.search({ text, mode: "words" }, wanted)));
    }
    return answers;
  } finally {
    finder.close();
  }
}

test("of two indexers that begin at once, one works and the other answers without waiting", async () => {
  const home = temporaryFolder();
  const env = fixtureHome();
  cpSync(env.home, home, { recursive: true });
  manySessions(home);
  const run = (...args: readonly string[]) =>
    new Promise<{ code: number | null; out: string }>((resolve) => {
      const child = spawn(process.execPath, [program, ...args], {
        env: { HOME: home, PATH: process.env["PATH"] },
        cwd: home,
      });
      let out = "";
      child.stdout.on("data", (chunk: Buffer) => {
        out += chunk.toString();
      });
      child.on("close", (code) => resolve({ code, out }));
    });
  const search = () => run("search", "word12", "--json", "--limit", "100");
  const indexers = [run("index", "--json"), run("index", "--json")];
  const searches = Array.from({ length: 6 }, search);
  expect((await Promise.all(indexers)).map(({ code }) => code)).toEqual([0, 0]);
  const refs = ({ code, out }: { readonly code: number | null; readonly out: string }) => {
    expect(code).toBe(0);
    const { sessions } = JSON.parse(out) as { readonly sessions: readonly { ref: string }[] };
    return sessions.map(({ ref }) => ref).sort();
  };
  const after = refs(await search());
  expect(after.length).toBeGreaterThan(5);
  // Whoever asks while another is indexing hears of every session all the same.
  for (const answer of await Promise.all(searches)) expect(refs(answer)).toEqual(after);
  const status = await run("index", "--status", "--json");
  expect(JSON.parse(status.out)).toMatchObject({ pending: 0 });
});

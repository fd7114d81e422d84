import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadAgent } from "../../src/agents/load.ts";
import { locators } from "../../src/agents/locators.ts";
import { agents } from "../../src/agents/registry.ts";
import { eventText, wordText } from "../../src/catalog/event-text.ts";
import { wordsOf } from "../../src/catalog/words.ts";
import { sqliteEngine } from "../../src/sqlite/engine.ts";
import { seeded } from "../agents/kit/random.ts";
import { find, fixtureHome, places } from "./home.ts";

const seed = 20261115;

test("the agents that find sessions are those of the registry, in its order", async () => {
  expect(locators.map(({ name }) => name)).toEqual(agents.map(({ name }) => name));
  expect(await Promise.all(agents.map(({ name }) => loadAgent(name)))).toEqual(agents);
  expect(await loadAgent("__proto__")).toBeUndefined();
});

test("the index and reading give the same answers to 40 seeded queries over every fixture", async () => {
  const env = fixtureHome();
  const words = await wordsIn(env);
  const random = seeded(seed);
  const queries = Array.from({ length: 40 }, () => queryOf(random, words));
  const indexed = new Map<string, readonly string[]>();
  for (const query of queries) indexed.set(query, places(await find(env, query)));
  // Without a place for it there is no index, and the sessions themselves are read.
  const derived = join(env.home, ".reprise", "derived");
  rmSync(derived, { recursive: true, force: true });
  writeFileSync(derived, "");
  let hits = 0;
  for (const [query, expected] of indexed) {
    const found = await find(env, query);
    expect(found.notes.join()).toContain("the sessions themselves are read");
    expect(places(found), `${query} (seed ${seed})`).toEqual(expected);
    hits += expected.length;
  }
  expect(hits).toBeGreaterThan(200);
});

async function wordsIn(env: Parameters<typeof find>[0]): Promise<readonly string[]> {
  const words = new Set<string>();
  for (const agent of agents) {
    for (const ref of agent.locate(env, { projects: [env.cwd] })) {
      for await (const batch of agent.read(ref, { allBranches: true })) {
        for (const { body } of batch.events) {
          const text = eventText(body);
          if (text === undefined) continue;
          // Only words the index stores under the same name: hashes and the like say nothing.
          for (const word of wordsOf(wordText(text)))
            if (/^[a-z]{3,12}$/.test(word)) words.add(word);
        }
      }
    }
  }
  return [...words].sort();
}

function queryOf(random: ReturnType<typeof seeded>, words: readonly string[]): string {
  const word = random.pick(words);
  const other = random.pick(words);
  switch (random.below(9)) {
    case 0:
      return `${word} ${other}`;
    case 1:
      return `${word} OR ${other}`;
    case 2:
      return `${word.slice(0, 3)}*`;
    case 3:
      return `${word} role:${random.pick(["user", "assistant", "tool", "system"])}`;
    case 4:
      return `${word} -${other}`;
    case 5:
      return `agent:${random.pick(["claude-code", "codex", "gemini-cli", "pi"])} ${word}`;
    case 6:
      return `tool:${random.pick(["bash", "Bash", "shell", "read", "write"])} ${word} OR ${other}`;
    case 7:
      return `${word} since:2026-11-15`;
    default:
      return word;
  }
}

test("words are cut and folded as SQLite does it", () => {
  const texts = [
    "Hello, wörld! naïve façade ÀÉÎÕÜ straße",
    "foo_bar-baz.qux 3.14 0x1F user@host:/a/b",
    "日本語テキスト と English 混在",
    "Привет МИР Ёлка",
    "e\u0301a combining, ﬁ ligature",
    "emoji 🎉 party👍done",
    "tab\tnew\nline",
    "Ελληνικά ΣΊΣΥΦΟΣ",
    "한국어 검색",
  ];
  const database = new (sqliteEngine().DatabaseSync)(":memory:");
  database.exec(
    "create virtual table w using fts5(text, tokenize='unicode61 remove_diacritics 2'); create virtual table v using fts5vocab(w, instance)",
  );
  for (const text of texts) {
    database.exec("delete from w");
    database.prepare("insert into w (rowid, text) values (1, ?)").run(text);
    const known = database.prepare("select term from v order by offset").all() as {
      term: string;
    }[];
    expect(wordsOf(text), text).toEqual(known.map(({ term }) => term));
  }
  database.close();
});

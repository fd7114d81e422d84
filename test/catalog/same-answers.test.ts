import { expect, test } from "vitest";
import { agentNames, loadAgent, loadAgents } from "../../src/agents/registry.ts";
import type { Environment } from "../../src/base/env.ts";
import { eventText, wordText } from "../../src/catalog/index/event-text.ts";
import { wordsOf } from "../../src/catalog/query/words.ts";
import { Connection } from "../../src/sqlite/connection.ts";
import { seeded } from "../random.mjs";
import { Conversation } from "./conversation.ts";
import { bothWays, emptyHome, find, fixtureHome } from "./home.ts";

const agents = await loadAgents();

const seed = 20261115;

test("the registry loads each agent by its name, in the order of the names", async () => {
  expect(agents.map(({ name }) => name)).toEqual(agentNames());
  expect(await Promise.all(agents.map(({ name }) => loadAgent(name)))).toEqual(agents);
  expect(await loadAgent("__proto__")).toBeUndefined();
});

test("the index and reading give the same answers to 50 seeded queries over every fixture", async () => {
  const env = fixtureHome();
  const words = await wordsIn(env);
  const random = seeded(seed);
  const queries = Array.from({ length: 50 }, () => queryOf(random, words));
  const answers = await bothWays(env, queries);
  expect(answers.flat().length).toBeGreaterThan(200);
});

test(`the index and reading give the same answers about tools and files of forks (seed ${seed})`, async () => {
  const env = emptyHome();
  const random = seeded(seed);
  await forksIn(env, random);
  const queries = Array.from({ length: 80 }, () => toolQueryOf(random));
  const answers = await bothWays(env, queries);
  expect(answers.filter((places) => places.length > 0).length).toBeGreaterThan(40);
});

const fruits = ["papaya", "guava", "quince", "kumquat"];
const tools = ["Bash", "Edit", "mcp__git__log", "mcp__git__show"];
const files = ["src/zebra.ts", "src/okapi.ts", "lib/zebra.ts"];

/** Writes sessions and forks of them, side by side; what is appended is indexed from a cursor on. */
async function forksIn(env: Environment, random: ReturnType<typeof seeded>): Promise<void> {
  const talks: { readonly talk: Conversation; readonly open: string[] }[] = [];
  for (let step = 0; step < 60; step += 1) {
    if (talks.length === 0 || random.below(5) === 0) {
      const base = random.below(3) === 0 ? undefined : talks[random.below(talks.length + 1)];
      const talk = new Conversation(env, talks.length + 1, base?.talk);
      talks.push({
        talk: talk.user(`${random.pick(fruits)} ${step}`),
        open: [...(base?.open ?? [])],
      });
      talk.save();
    }
    const { talk, open } = random.pick(talks);
    const call = `call_${step}`;
    talk.call(call, random.pick(tools), { path: random.pick(files), why: random.pick(fruits) });
    open.push(call);
    // Some calls are answered late, some never.
    while (open.length > 0 && random.below(3) > 0) {
      const [answered] = open.splice(random.below(open.length), 1);
      talk.result(answered!, `${random.pick(fruits)} ${step}`, random.below(3) === 0);
    }
    talk.append();
    if (random.below(4) === 0) await find(env, "nothing");
  }
}

function toolQueryOf(random: ReturnType<typeof seeded>): string {
  const not = (): string => random.pick(["", "", "-"]);
  const asked = [
    () => `${not()}tool:${random.pick(["bash", "edit", "mcp", "mcp__git__log", "git"])}`,
    () => `${not()}file:${random.pick(["zebra.ts", "okapi.ts", "src/zebra.ts", "lib"])}`,
    () => "is:error",
    () => `role:${random.pick(["result", "call", "user"])}`,
  ].filter(() => random.below(2) === 0);
  return (
    [random.pick(fruits), ...asked.map((ask) => ask())].slice(random.below(2)).join(" ") ||
    "tool:bash"
  );
}

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

const leftOut = ["-is:error", "-has:image", "-tool:bash", "-tool:read", "-tool:shell -is:error"];

function queryOf(random: ReturnType<typeof seeded>, words: readonly string[]): string {
  const word = random.pick(words);
  const other = random.pick(words);
  switch (random.below(15)) {
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
    case 8:
      return `tool:${random.pick(["bash", "exec", "shell", "run"])} role:result`;
    case 9:
      return `is:error ${random.pick(["tool:bash", "-tool:bash", "tool:exec_command", "tool:read"])}`;
    case 10:
      return `${word} ${random.pick(["file:", "-file:"])}${random.pick(["readme.md", "app.ts", "src", "txt"])}`;
    case 11:
      return `role:${random.pick(["tool", "call", "result"])} ${random.pick(leftOut)}`;
    case 12:
      return `${random.pick(leftOut)} agent:${random.pick(["codex", "pi"])} -${word}`;
    case 13:
      return `${random.pick(leftOut)} ${word}`;
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
  const database = new Connection(":memory:");
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

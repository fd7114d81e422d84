import { expect, test } from "vitest";
import { claudeFile, claudeLine, claudeSession, id } from "./claude.ts";
import { Conversation } from "./conversation.ts";
import { bothWays, emptyHome, find } from "./home.ts";

/** The numbers of the sessions a query finds, best first; reading gives the same answer. */
async function order(env: ReturnType<typeof emptyHome>, query: string): Promise<readonly number[]> {
  const { sessions } = await find(env, query);
  return sessions.map(({ facts }) => Number(facts.session.slice(-12)));
}

test("a sentence finds the session it is about, though no event has all of its words", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["Sign the binaries for macOS.", "The notary service must accept them."]);
  claudeSession(env, 2, ["Sign me up for the service.", "Where are the tests for the home page?"]);
  claudeSession(env, 3, ["Something else altogether."]);
  expect(await order(env, "how do we sign and notarize the binaries for macos?")).toEqual([1, 2]);
});

test("two words are taken for a name: where they stand next to each other comes first", async () => {
  const env = emptyHome();
  claudeSession(env, 1, [
    "The pass rate is low.",
    "A better rate.",
    "Rates of each day, and no limit.",
  ]);
  claudeSession(env, 2, [
    "A plan for the page.",
    "Does the server have a rate limiter? Then mend its tests.",
  ]);
  claudeSession(env, 3, ["Something else altogether."]);
  expect(await order(env, "rate limit")).toEqual([2, 1]);
});

test("words that stand everywhere weigh nothing beside others, and are found alone", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["It is what it is, and that is all there is to it."]);
  claudeSession(env, 2, ["A kumquat."]);
  expect(await order(env, "what is the kumquat")).toEqual([2]);
  expect(await order(env, "what is it")).toEqual([1]);
});

test("English words are found in each of their forms, a phrase only as it is", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["The limits were configured twice."]);
  expect(await order(env, "configuring a limit")).toEqual([1]);
  expect(await order(env, '"limits were"')).toEqual([1]);
  expect(await order(env, '"limit were"')).toEqual([]);
  expect(await order(env, '"limit"')).toEqual([]);
});

test("a name in code is found by its parts, and by what it begins with", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["call createRateLimiter here"]);
  claudeSession(env, 2, ["what is sqlite3"]);
  claudeSession(env, 3, ["a rate limiter in words"]);
  expect(await order(env, "limiter")).toEqual([3, 1]);
  expect(await order(env, "sqlite")).toEqual([2]);
  expect(await order(env, "createRateLimiter")).toEqual([1, 3]);
});

test("languages without blanks between words are found by a part of a sentence", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["昨日データベース接続が失敗しました。"]);
  claudeSession(env, 2, ["今日は天気がいい。"]);
  expect(await order(env, "接続失敗")).toEqual([1]);
  expect(await order(env, "天気")).toEqual([2]);
});

test("what people and models said comes before what tools put out", async () => {
  const env = emptyHome();
  new Conversation(env, 1)
    .user("go")
    .call("a", "Bash", { command: "ls" })
    .result("a", "papaya")
    .save();
  claudeSession(env, 2, ["papaya"]);
  expect(await order(env, "papaya")).toEqual([2, 1]);
});

test("what a program put in is found only where it is asked for", async () => {
  const env = emptyHome();
  const skill = claudeLine(env, 1, 1, "Available skills: papaya, guava", { isMeta: true });
  claudeFile(env, 1, [`${claudeLine(env, 1, 0, "hello")}\n`, `${skill}\n`]);
  expect(await order(env, "papaya")).toEqual([]);
  expect(await order(env, "papaya is:injected")).toEqual([1]);
  expect(await order(env, "papaya role:system")).toEqual([1]);
  const { sessions } = await find(env, { text: "papaya", mode: "substring" });
  expect(sessions.length).toBe(1);
});

test("of sessions that fit alike the newest comes first", async () => {
  const env = emptyHome();
  for (const number of [2, 3, 1]) claudeSession(env, number, ["the same papaya"]);
  expect(await order(env, "papaya")).toEqual([3, 2, 1]);
});

test("the parts of a score add up to it", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["rate", "limit", "rate limit"]);
  claudeSession(env, 2, ["nothing of it"]);
  const { sessions, sought } = await find(env, "rate limit");
  const [{ score, events }] = sessions as [(typeof sessions)[number]];
  expect(sought).toEqual(["rate", "limit", "rate limit"]);
  expect(score!.total).toBeCloseTo((score!.best + score!.whole) * score!.recent);
  for (const { score: one } of events) {
    const words = one!.words.reduce((sum, points) => sum + points, 0);
    expect(one!.total).toBeCloseTo(words + one!.beside + one!.session);
  }
  expect(events[0]?.number).toBe("3");
});

test("a session says how often a person asked, and what first where its title does not", async () => {
  const env = emptyHome();
  claudeFile(env, 1, [
    `${claudeLine(env, 1, 0, "first the papaya")}\n`,
    `${claudeLine(env, 1, 1, "then the guava")}\n`,
    `${JSON.stringify({ type: "custom-title", customTitle: "Fruit", sessionId: id(1) })}\n`,
  ]);
  const { sessions } = await find(env, "guava");
  expect(sessions[0]).toMatchObject({ prompts: 2, prompt: "first the papaya" });
});

test("sentences, stems, parts of names and other scripts score alike with an index and by reading", async () => {
  const env = emptyHome();
  claudeSession(env, 1, [
    "Configure createRateLimiter and the limits.",
    "接続が失敗しました",
    "src/app.ts",
  ]);
  claudeSession(env, 2, ["limited configuration", "a limiter, ratelimiter3, and app src", "失敗"]);
  claudeSession(env, 3, ["nothing", "the rates", "limits limits limits"]);
  const queries = [
    "configuring the rate limit",
    "createRateLimiter",
    "接続失敗",
    "src/app.ts",
    "limit* OR rate",
    '"the limits" rate',
    "limits -configure",
    "ratelimiter",
  ];
  const found = await bothWays(env, queries);
  for (const [at, places] of found.entries()) expect(places.length, queries[at]).toBeGreaterThan(0);
});

import { expect, test } from "vitest";
import type { Environment } from "../../src/base/env.ts";
import { Finder } from "../../src/catalog/query/finder.ts";
import type { Found } from "../../src/catalog/query/found.ts";
import type { Order } from "../../src/catalog/query/order.ts";
import type { SearchRequest } from "../../src/catalog/query/request.ts";
import { Conversation } from "./conversation.ts";
import { emptyHome, options } from "./home.ts";

async function search(
  env: Environment,
  request: SearchRequest,
  wanted: { readonly order: Order; readonly sessions?: number; readonly events?: number },
): Promise<Found> {
  const finder = await Finder.open(options(env));
  try {
    return await finder.search(request, wanted);
  } finally {
    finder.close();
  }
}

const placesIn = (found: Found): readonly string[] =>
  found.sessions.flatMap(({ facts, events }) =>
    events.map(({ number }) => `${Number(facts.session.slice(-12))}@${number}`),
  );

/** Three sessions, each begun a minute after the one before; the first says it twice, the second most often. */
function threeSessions(): Environment {
  const env = emptyHome();
  new Conversation(env, 1).user("the kumquat topic").user("kumquat again").save();
  new Conversation(env, 2).user("kumquat kumquat kumquat").save();
  new Conversation(env, 3).user("start here").user("a kumquat at last").save();
  return env;
}

const ways = [
  { text: "kumquat" },
  { text: "kumquat", mode: "deep" },
  { text: "kumquat", mode: "substring" },
  { text: "kum(quat)", mode: "regex" },
] as const;

test.each(ways)("sessions come by the time of what is found in them: $mode", async (request) => {
  const env = threeSessions();
  const oldest = await search(env, request, { order: "oldest" });
  expect(placesIn(oldest)).toEqual(["1@1", "1@2", "2@1", "3@2"]);
  const newest = await search(env, request, { order: "newest" });
  expect(placesIn(newest)).toEqual(["3@2", "2@1", "1@2", "1@1"]);
  expect([oldest.newestFirst, newest.newestFirst]).toEqual([false, true]);
});

test.each(ways)(
  "the first of all that match are shown, and all are counted: $mode",
  async (request) => {
    const env = threeSessions();
    const first = await search(env, request, { order: "oldest", sessions: 1, events: 1 });
    expect(placesIn(first)).toEqual(["1@1"]);
    expect(first).toMatchObject({ totalSessions: 3, more: false });
    expect(first.sessions[0]!.total).toBe(2);
  },
);

test("filters alone find the oldest events too", async () => {
  const found = await search(
    threeSessions(),
    { text: "role:user" },
    { order: "oldest", events: 1 },
  );
  expect(placesIn(found)).toEqual(["1@1", "2@1", "3@1"]);
});

test("in an order of time a place counts that has every word, where there is one", async () => {
  const env = emptyHome();
  new Conversation(env, 1).user("a branch of the tree").save();
  new Conversation(env, 2).user("the release").user("the release branch").save();
  const request = { text: "release branch" };
  const found = await search(env, request, { order: "oldest" });
  expect(placesIn(found)).toEqual(["2@2"]);
  expect(found).toMatchObject({ totalSessions: 1, leftOut: 1, haveAll: 1 });
  const best = await search(env, request, { order: "best" });
  expect(best).toMatchObject({ totalSessions: 2, haveAll: 1 });
  expect(best.leftOut).toBeUndefined();
  const none = await search(env, { text: "release tree" }, { order: "oldest" });
  expect(placesIn(none)).toEqual(["1@1", "2@1", "2@2"]);
});

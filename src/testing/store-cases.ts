import assert from "node:assert/strict";
import { type ErrorCode, isRepriseError } from "../base/errors.ts";
import type { EventBody, SessionEvent, SessionStart } from "../model/event.ts";
import type { ReadRange, Store } from "../store/contract.ts";

/** One thing every store must do. Run each with a fresh, empty store. */
export interface StoreCase {
  readonly name: string;
  run(store: Store): Promise<void>;
}

/** The suite that proves a store; works with any test runner. */
export const storeCases: readonly StoreCase[] = [
  {
    name: "a new session holds its first event and nothing else",
    async run(store) {
      const { start, last } = await store.create(startOf("a"));
      assert.equal(start.session, "a");
      assert.equal(last, 1);
      assert.deepEqual(
        (await eventsOf(store, "a")).map(({ type }) => type),
        ["session_start"],
      );
    },
  },
  {
    name: "an id that is taken is refused and the session stays as it was",
    async run(store) {
      await store.create(startOf("a"));
      await store.append("a", undefined, [user("first")]);
      await refuses("session_exists", () => store.create(startOf("a")));
      assert.equal((await store.open("a")).last, 2);
    },
  },
  {
    name: "an id that could leave the store is refused",
    async run(store) {
      for (const id of ["../a", "a/b", ".hidden", "", "a\u0000b", "x".repeat(129)]) {
        await refuses("bad_id", () => store.create(startOf(id)));
      }
    },
  },
  {
    name: "events get the next ids, each with the one before as its parent",
    async run(store) {
      await store.create(startOf("a"));
      const events = await store.append("a", undefined, [user("one"), answer("two")]);
      assert.deepEqual(
        events.map(({ id, parent }) => [id, parent]),
        [
          [2, 1],
          [3, 2],
        ],
      );
    },
  },
  {
    name: "what was appended is read back equal, in order and in reverse",
    async run(store) {
      await store.create(startOf("a"));
      const bodies = [
        user("é 😀 \u2028 \u0000 end"),
        answer(""),
        tool("c1", { nested: [1, null, { a: "b" }] }),
      ];
      await store.append("a", undefined, bodies);
      const events = await eventsOf(store, "a");
      assert.deepEqual(events.slice(1).map(body), bodies);
      const reversed = await eventsOf(store, "a", { reverse: true });
      assert.deepEqual(
        reversed.map(({ id }) => id),
        [4, 3, 2, 1],
      );
    },
  },
  {
    name: "reading can begin at any id",
    async run(store) {
      await store.create(startOf("a"));
      await store.append("a", undefined, [user("2"), user("3"), user("4")]);
      assert.deepEqual(
        (await eventsOf(store, "a", { from: 3 })).map(({ id }) => id),
        [3, 4],
      );
      assert.deepEqual(
        (await eventsOf(store, "a", { from: 3, reverse: true })).map(({ id }) => id),
        [3, 2, 1],
      );
    },
  },
  {
    name: "an append after an older id is a conflict that names the last one, and writes nothing",
    async run(store) {
      await store.create(startOf("a"));
      await store.append("a", 1, [user("mine")]);
      const error = await refuses("conflict", () => store.append("a", 1, [user("stale")]));
      assert.equal(error.details["last"], 2);
      assert.equal((await store.open("a")).last, 2);
    },
  },
  {
    name: "remarks in between are no conflict",
    async run(store) {
      await store.create(startOf("a"));
      await store.append("a", 1, [
        { type: "note", content: "n" },
        { type: "meta", title: "t" },
      ]);
      const [event] = await store.append("a", 1, [user("goes on")]);
      assert.equal(event!.parent, 3);
    },
  },
  {
    name: "an event with a bad body is refused, and nothing of its batch is written",
    async run(store) {
      await store.create(startOf("a"));
      const bad = { type: "user", content: 7 } as unknown as EventBody;
      await refuses("bad_event", () => store.append("a", undefined, [user("good"), bad]));
      const framed = { type: "user", content: "x", id: 9 } as unknown as EventBody;
      await refuses("bad_event", () => store.append("a", undefined, [framed]));
      assert.equal((await store.open("a")).last, 1);
    },
  },
  {
    name: "a type the store does not know is kept as it is",
    async run(store) {
      await store.create(startOf("a"));
      const unknown = { type: "from_the_future", deep: { x: [1, 2] } } as unknown as EventBody;
      await store.append("a", undefined, [unknown]);
      assert.deepEqual(body((await eventsOf(store, "a"))[1]!), unknown);
    },
  },
  {
    name: "a rewind's parent is the event it goes back to",
    async run(store) {
      await store.create(startOf("a"));
      await store.append("a", undefined, [user("2"), answer("3"), user("4")]);
      const [rewind] = await store.append("a", undefined, [{ type: "rewind", to: 2, from: 4 }]);
      assert.equal(rewind!.parent, 2);
    },
  },
  {
    name: "a fork reads its base's events up to the fork, then its own, with ids going on",
    async run(store) {
      await store.create(startOf("a"));
      await store.append("a", undefined, [user("2"), answer("3"), user("4")]);
      await store.fork("a", 3, "b");
      await store.append("b", undefined, [user("other")]);
      const events = await eventsOf(store, "b");
      assert.deepEqual(
        events.map(({ id, type }) => [id, type]),
        [
          [1, "session_start"],
          [2, "user"],
          [3, "assistant"],
          [4, "session_start"],
          [5, "user"],
        ],
      );
      assert.equal((await store.open("a")).last, 4);
    },
  },
  {
    name: "a fork at an event that is not there is refused",
    async run(store) {
      await store.create(startOf("a"));
      await refuses("not_found", () => store.fork("a", 99, "b"));
    },
  },
  {
    name: "removing a base leaves its forks whole",
    async run(store) {
      await store.create(startOf("a"));
      await store.append("a", undefined, [user("2")]);
      await store.fork("a", undefined, "b");
      await store.append("b", undefined, [user("4")]);
      await store.remove("a");
      await refuses("not_found", () => store.open("a"));
      assert.deepEqual(
        (await eventsOf(store, "b")).map(({ id }) => id),
        [1, 2, 3, 4],
      );
    },
  },
  {
    name: "a removed session is not found and not listed",
    async run(store) {
      await store.create(startOf("a"));
      await store.remove("a");
      await refuses("not_found", () => store.open("a"));
      await refuses("not_found", () => store.append("a", undefined, [user("x")]));
      assert.deepEqual(await headsOf(store), []);
    },
  },
  {
    name: "heads tell title and tags, the last word counting, and filter by tag",
    async run(store) {
      await store.create(startOf("a"));
      await store.create(startOf("b"));
      await store.append("a", undefined, [{ type: "meta", title: "first", tags: ["x"] }]);
      await store.append("a", undefined, [{ type: "meta", title: "second" }]);
      const tagged: string[] = [];
      for await (const head of store.heads({ tag: "x" }))
        tagged.push(`${head.session} ${head.title}`);
      assert.deepEqual(tagged, ["a second"]);
      assert.deepEqual((await headsOf(store)).sort(), ["a", "b"]);
    },
  },
  {
    name: "appends that run at once are all kept, each once, in one chain",
    async run(store) {
      await store.create(startOf("a"));
      await Promise.all(
        Array.from({ length: 64 }, (_, index) => store.append("a", undefined, [user(`${index}`)])),
      );
      const events = await eventsOf(store, "a");
      assert.deepEqual(
        events.map(({ id }) => id),
        Array.from({ length: 65 }, (_, index) => index + 1),
      );
      assert.equal(new Set(events.slice(1).map((event) => JSON.stringify(body(event)))).size, 64);
    },
  },
  {
    name: "large and odd strings come back as they were, made well-formed",
    async run(store) {
      await store.create(startOf("a"));
      const large = "ä".repeat(200_000);
      await store.append("a", undefined, [user(large), user("cut \ud83d here")]);
      const events = await eventsOf(store, "a");
      assert.deepEqual(events.slice(1).map(body), [user(large), user("cut \ufffd here")]);
    },
  },
];

function startOf(session: string): SessionStart {
  return { type: "session_start", format: 1, session, cwd: "/nowhere" };
}

function user(content: string): EventBody {
  return { type: "user", content };
}

function answer(content: string): EventBody {
  return { type: "assistant", content, endTurn: true };
}

function tool(call: string, input: unknown): EventBody {
  return { type: "tool_use", call, name: "Read", input };
}

function body(event: SessionEvent): EventBody {
  const { id, parent, at, sum, metaAt, recoveredFrom, blobs, ...rest } = event;
  return rest as EventBody;
}

async function eventsOf(store: Store, session: string, range?: ReadRange): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const event of store.read(session, range)) events.push(event);
  return events;
}

async function headsOf(store: Store): Promise<string[]> {
  const sessions: string[] = [];
  for await (const head of store.heads()) sessions.push(head.session);
  return sessions;
}

async function refuses(
  code: ErrorCode,
  act: () => Promise<unknown>,
): Promise<{ readonly details: Readonly<Record<string, unknown>> }> {
  try {
    await act();
  } catch (error) {
    if (isRepriseError(error, code)) return error;
    throw error;
  }
  assert.fail(`expected ${code}`);
}

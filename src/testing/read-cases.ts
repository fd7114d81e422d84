import assert from "node:assert/strict";
import type { EventBody } from "../model/event.ts";
import type { ReadRange } from "../store/contract.ts";
import {
  answer,
  body,
  eventsOf,
  pathOf,
  refuses,
  type StoreCase,
  startOf,
  tool,
  user,
} from "./store-scene.ts";

/** How every store gives events back. */
export const readCases: readonly StoreCase[] = [
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
    name: "one event is found by its id, in a base too",
    async run(store) {
      await store.create(startOf("a"));
      await store.append("a", undefined, [user("2"), answer("3"), user("4")]);
      await store.fork("a", 3, startOf("b"));
      await store.append("b", undefined, [user("5")]);
      assert.deepEqual(body((await store.event("a", 3))!), answer("3"));
      assert.deepEqual(body((await store.event("b", 2))!), user("2"));
      assert.deepEqual(body((await store.event("b", 5))!), user("5"));
      assert.equal((await store.event("b", 4))?.type, "session_start");
      assert.equal(await store.event("a", 99), undefined);
      await refuses("not_found", () => store.event("none", 1));
    },
  },
  {
    name: "custom events are found by their name, in both directions and from an id on",
    async run(store) {
      await store.create(startOf("a"));
      const mine = (data: number): EventBody => ({ type: "custom", name: "mine", data });
      await store.append("a", undefined, [
        mine(2),
        user("3"),
        { type: "custom", name: "other" },
        mine(5),
        mine(6),
      ]);
      const ids = async (range: ReadRange) =>
        (await eventsOf(store, "a", { custom: "mine", ...range })).map(({ id }) => id);
      assert.deepEqual(await ids({}), [2, 5, 6]);
      assert.deepEqual(await ids({ from: 3 }), [5, 6]);
      assert.deepEqual(await ids({ from: 5, reverse: true }), [5, 2]);
    },
  },
  {
    name: "the path goes from the last event to the root, past what was gone back over",
    async run(store) {
      await store.create(startOf("a"));
      await store.append("a", undefined, [user("2"), answer("3"), user("4"), answer("5")]);
      await store.append("a", undefined, [{ type: "rewind", to: 3, from: 5 }, user("7")]);
      await store.fork("a", 7, startOf("b"));
      assert.deepEqual(await pathOf(store, "a"), [7, 6, 3, 2, 1]);
      assert.deepEqual(await pathOf(store, "b"), [8, 7, 6, 3, 2, 1]);
      assert.deepEqual(await pathOf(store, "a", { from: 5 }), [5, 4, 3, 2, 1]);
      assert.deepEqual(await pathOf(store, "b", { from: 4 }), [4, 3, 2, 1]);
    },
  },
  {
    name: "of a path no more is given than is asked for",
    async run(store) {
      await store.create(startOf("a"));
      await store.append("a", undefined, [user("2"), answer("3"), user("4"), answer("5")]);
      assert.deepEqual(await pathOf(store, "a", { limit: 2 }), [5, 4]);
      assert.deepEqual(await pathOf(store, "a", { limit: 0 }), []);
      assert.deepEqual(await pathOf(store, "a", { until: 3 }), [5, 4, 3]);
      assert.deepEqual(await pathOf(store, "a", { from: 4, until: 2, limit: 2 }), [4, 3]);
      await refuses("not_found", () => pathOf(store, "a", { from: 99 }));
    },
  },
  {
    name: "a follower gets what is there from an id on, then each event once as it is appended",
    async run(store) {
      await store.create(startOf("a"));
      await store.append("a", undefined, [user("2"), user("3")]);
      const ends = new AbortController();
      const seen: number[] = [];
      const following = (async () => {
        for await (const { id } of store.follow("a", { from: 3, signal: ends.signal })) {
          seen.push(id);
          if (id === 3) await store.append("a", undefined, [user("4"), answer("5")]);
          if (id === 5) await store.append("a", undefined, [user("6")]);
          if (id === 6) ends.abort();
        }
      })();
      await following;
      assert.deepEqual(seen, [3, 4, 5, 6]);
    },
  },
  {
    name: "a follower that waits ends when its signal aborts",
    async run(store) {
      await store.create(startOf("a"));
      const ends = new AbortController();
      const events = store.follow("a", { signal: ends.signal })[Symbol.asyncIterator]();
      const next = events.next();
      setImmediate(() => ends.abort());
      assert.equal((await next).done, true);
      const gone = AbortSignal.abort();
      for await (const _ of store.follow("a", { from: 1, signal: gone })) assert.fail("aborted");
    },
  },
];

import assert from "node:assert/strict";
import { sessionIdOf } from "../base/ids.ts";
import type { HeadsFilter } from "../store/contract.ts";
import {
  answer,
  eventsOf,
  headsOf,
  refuses,
  type StoreCase,
  startOf,
  user,
} from "./store-scene.ts";

/** How every store makes, forks, lists and removes sessions. */
export const sessionCases: readonly StoreCase[] = [
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
    name: "a fork reads its base's events up to the fork, then its own, with ids that continue",
    async run(store) {
      await store.create(startOf("a"));
      await store.append("a", undefined, [user("2"), answer("3"), user("4")]);
      await store.fork("a", 3, startOf("b"));
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
      await refuses("not_found", () => store.fork("a", 99, startOf("b")));
    },
  },
  {
    name: "removing a base leaves its forks whole",
    async run(store) {
      await store.create(startOf("a"));
      await store.append("a", undefined, [user("2")]);
      await store.fork("a", undefined, startOf("b"));
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
    name: "opening gives the first event, the last id, and what is known of the whole session",
    async run(store) {
      await store.create({ ...startOf("a"), title: "first", metadata: { user: "u1", plan: "p" } });
      await store.append("a", undefined, [{ type: "meta", tags: ["x"], labels: { "1": "begin" } }]);
      const { start, last, meta, sizeBytes } = await store.open("a");
      assert.equal(start.id, 1);
      assert.equal(last, 2);
      assert.deepEqual(meta, {
        title: "first",
        tags: ["x"],
        labels: { "1": "begin" },
        metadata: { user: "u1", plan: "p" },
      });
      assert.ok(sizeBytes > 0);
    },
  },
  {
    name: "heads tell metadata, filter by each field of it, and stop at the limit",
    async run(store) {
      await store.create({ ...startOf("a"), metadata: { user: "u1", plan: { tier: 2 } } });
      await store.create({ ...startOf("b"), metadata: { user: "u2" } });
      await store.create(startOf("c"));
      const found = async (filter: HeadsFilter) => (await headsOf(store, filter)).sort();
      assert.deepEqual(await found({ metadata: { user: "u1" } }), ["a"]);
      assert.deepEqual(await found({ metadata: { plan: { tier: 2 }, user: "u1" } }), ["a"]);
      assert.deepEqual(await found({ metadata: { user: "u1", plan: {} } }), []);
      assert.deepEqual(await found({ metadata: {} }), ["a", "b", "c"]);
      assert.equal((await found({ limit: 2 })).length, 2);
      assert.deepEqual(await found({ limit: 0 }), []);
      for await (const head of store.heads({ metadata: { user: "u2" } }))
        assert.deepEqual(head.metadata, { user: "u2" });
    },
  },
  {
    name: "a meta event changes the metadata it names and leaves the rest; null takes a field away",
    async run(store) {
      await store.create({ ...startOf("a"), metadata: { user: "u1", step: 1 } });
      await store.append("a", undefined, [{ type: "meta", metadata: { step: 2, more: [1] } }]);
      await store.append("a", undefined, [{ type: "meta", metadata: { user: null } }]);
      await store.append("a", undefined, [{ type: "meta", title: "t" }]);
      assert.deepEqual((await store.open("a")).meta.metadata, { step: 2, more: [1] });
      assert.deepEqual(await headsOf(store, { metadata: { step: 2 } }), ["a"]);
      assert.deepEqual(await headsOf(store, { metadata: { user: "u1" } }), []);
    },
  },
  {
    name: "any string can be the key of a session: each has an id of its own, and is read back",
    async run(store) {
      const keys = [
        "Thread/1",
        "thread/1",
        "THREAD/1",
        "../a",
        ".",
        "",
        "con",
        "journal",
        "\u0000",
      ];
      keys.push("ä", "a\u0308", "\ud83d\ude00", "_46_", "k-", "x".repeat(5000), "X".repeat(5000));
      for (const key of keys) await store.create({ ...startOf(sessionIdOf(key)), key });
      for (const key of keys) {
        const { start } = await store.open(sessionIdOf(key));
        assert.equal(start.key, key);
      }
      const read: (string | undefined)[] = [];
      for await (const head of store.heads()) read.push(head.key);
      assert.deepEqual(read.sort(), keys.sort());
    },
  },
];

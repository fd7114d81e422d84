import assert from "node:assert/strict";
import type { EventBody } from "../model/event.ts";
import { answer, body, eventsOf, refuses, type StoreCase, startOf, user } from "./store-scene.ts";

/** What every store does with what is appended. */
export const appendCases: readonly StoreCase[] = [
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
      const [event] = await store.append("a", 1, [user("continues")]);
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
  {
    name: "with `exactly`, remarks in between are a conflict too",
    async run(store) {
      await store.create(startOf("a"));
      await store.append("a", { exactly: 1 }, [{ type: "meta", tags: ["x"] }]);
      const stale = () => store.append("a", { exactly: 1 }, [{ type: "meta", tags: ["y"] }]);
      assert.equal((await refuses("conflict", stale)).details["last"], 2);
      await store.append("a", { exactly: 2 }, [{ type: "note", content: "n" }]);
      assert.equal((await store.open("a")).last, 3);
    },
  },
];

import { expect, test } from "vitest";
import { pathOf } from "../../src/context/path.ts";
import type { SessionEvent } from "../../src/model/event.ts";
import { assistant, chain, event, start, user } from "./events.ts";

const ids = (events: readonly SessionEvent[]) => events.map(({ id }) => id);

test("the path leads from the root to the last event", () => {
  const events = chain(start, user("a"), assistant("b"));
  expect(pathOf(events)).toEqual({ events, problems: [] });
  expect(ids(pathOf(events, 2).events)).toEqual([1, 2]);
  expect(pathOf([])).toEqual({ events: [], problems: [] });
});

test("a rewind leaves out what it went back over, and undoing it brings it back", () => {
  const events = [
    ...chain(start, user("a"), assistant("b"), user("c")),
    event(5, { type: "rewind", to: 3, from: 4 }, 3),
    event(6, user("d"), 5),
  ];
  expect(ids(pathOf(events).events)).toEqual([1, 2, 3, 5, 6]);
  const undone = [...events, event(7, { type: "rewind", to: 4, from: 6 }, 4)];
  expect(ids(pathOf(undone).events)).toEqual([1, 2, 3, 4, 7]);
});

test("a lost event costs only itself, in a list and by lookup", () => {
  const events = chain(start, user("a"), assistant("b"), user("c"), assistant("d"));
  const damaged = events.filter(({ id }) => id !== 3 && id !== 4);
  const problem = { kind: "missing_parent", event: 5, parent: 4, instead: 2 };
  expect(ids(pathOf(damaged).events)).toEqual([1, 2, 5]);
  expect(pathOf(damaged).problems).toEqual([problem]);
  const byId = new Map(damaged.map((item) => [item.id, item]));
  expect(pathOf((id) => byId.get(id), 5)).toEqual(pathOf(damaged));
});

test("a cycle or a root that is not there ends the path with a report", () => {
  const cycle = [event(1, user("a"), 2), event(2, user("b"), 1)];
  expect(ids(pathOf(cycle).events)).toEqual([1, 2]);
  expect(pathOf(cycle).problems).toEqual([{ kind: "cycle", event: 1, parent: 2 }]);
  const self = [event(1, user("a"), 1)];
  expect(pathOf(self).problems).toEqual([{ kind: "cycle", event: 1, parent: 1 }]);
  const rootless = [event(9, user("a"), 2 ** 40)];
  expect(pathOf(rootless).events).toHaveLength(1);
  expect(pathOf(rootless).problems[0]?.kind).toBe("missing_parent");
});

test("a fork goes on in its base", () => {
  const base = chain(start, user("a"), assistant("b"));
  const fork = event(3, {
    type: "session_start",
    format: 1,
    session: "f",
    base: { session: "s", event: 2, endOffset: 0, sum: "" },
  });
  const events = [...base.slice(0, 2), fork, event(4, user("c"), 3)];
  expect(ids(pathOf(events).events)).toEqual([1, 2, 3, 4]);
});

test("a path of 300,000 events is found in linear time", () => {
  const events = Array.from({ length: 300_000 }, (_, index) =>
    event(index + 1, user("x"), index === 0 ? undefined : index),
  );
  const began = performance.now();
  expect(pathOf(events).events).toHaveLength(300_000);
  expect(performance.now() - began).toBeLessThan(5000);
});

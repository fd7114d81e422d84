import { expect, test } from "vitest";
import { buildContext } from "../../src/context/build.ts";
import { compactionFor } from "../../src/context/compaction.ts";
import { assistant, call, chain, event, result, start, user } from "./events.ts";

const long = "word ".repeat(80);

test("a compaction keeps whole turns and hides the rest behind its summary", () => {
  const path = chain(
    start,
    user(long),
    assistant(long),
    user(long),
    assistant(long),
    user("q"),
    assistant("a"),
  );
  const body = compactionFor(path, {
    keepTokens: 250,
    summary: (hidden) => `${hidden.length} events`,
    strategy: "summarise",
  });
  expect(body).toEqual({
    type: "compaction",
    summary: "3 events",
    keepFrom: 4,
    tokensBefore: 402,
    strategy: "summarise",
  });
  const after = buildContext([...path, event(8, body!, 7)]);
  expect(after.messages.map(({ events }) => events[0])).toEqual([8, 4, 5, 6, 7]);
});

test("nothing is planned where everything fits", () => {
  const path = chain(start, user("q"), assistant("a"));
  expect(compactionFor(path, { keepTokens: 100, summary: "s" })).toBeUndefined();
  expect(compactionFor([], { keepTokens: 0, summary: "s" })).toBeUndefined();
});

test("a turn that is too large is cut between a result and the next call", () => {
  const work = ["a", "b", "c"].flatMap((id) => [call(id), result(id, long)]);
  const path = chain(start, user("go"), ...work);
  expect(compactionFor(path, { keepTokens: 220, summary: "s" })?.keepFrom).toBe(5);
  expect(compactionFor(path, { keepTokens: 0, summary: "s" })).not.toHaveProperty("keepFrom");
});

test("a prompt that waits for its answer stays, however long", () => {
  const path = chain(start, user("q"), assistant("a"), user(long.repeat(9)));
  expect(compactionFor(path, { keepTokens: 10, summary: "s" })?.keepFrom).toBe(4);
});

test("parallel calls are never parted from results that came late", () => {
  const path = chain(
    start,
    user("q"),
    call("a"),
    assistant("meanwhile"),
    result("a"),
    assistant("done"),
  );
  for (let keepTokens = 0; keepTokens < 20; keepTokens += 1) {
    const keepFrom = compactionFor(path, { keepTokens, summary: "s" })?.keepFrom;
    expect([undefined, 2, 3, 6]).toContain(keepFrom);
  }
});

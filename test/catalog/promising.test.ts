import { describe, expect, test } from "vitest";
import type { Posting } from "../../src/catalog/query/postings.ts";
import { promising, type Thing } from "../../src/catalog/query/promising.ts";

function thing(events: readonly number[], given: Partial<Thing> = {}): Thing {
  const posting: Posting = { events, count: 1 };
  return { postings: [posting], weight: 1, onlyAdds: false, ...given };
}

const everywhere = Array.from({ length: 10_000 }, (_, at) => at + 1);

describe("which events are looked at", () => {
  test("all of them where they are few", () => {
    const { events, isCut, having } = promising([thing([3, 3, 9]), thing([4])], {
      most: 10,
      events: 20,
    });
    expect({ events, isCut, having }).toEqual({
      events: [3, 4, 9],
      isCut: false,
      having: [2, 1],
    });
  });

  test("of very many those with a rare word, and those beside them that have a common one", () => {
    const found = promising([thing(everywhere), thing([5_000])], { most: 3, events: 20_000 });
    expect(found.events).toEqual([4_999, 5_000, 5_001]);
    expect(found.isCut).toBe(true);
    expect(found.having).toEqual([10_000, 1]);
  });

  test("of those that are alike the newest, and never more than asked for", () => {
    const { events } = promising([thing(everywhere)], { most: 100, events: 20_000 });
    expect(events).toHaveLength(100);
    expect(events.at(0)).toBeGreaterThan(9_800);
  });

  test("what only adds to others finds nothing by itself", () => {
    const found = promising([thing([7]), thing([8], { onlyAdds: true })], { most: 5, events: 20 });
    expect(found.events).toEqual([7]);
  });

  test("nothing where nothing is found", () => {
    expect(promising([thing([])], { most: 5, events: 0 }).events).toEqual([]);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import type { EventBody, SessionEvent } from "../../src/model/event.ts";
import { joinParts, joinPartsAsync } from "../../src/model/join-parts.ts";

const run = { seed: 20261118, numRuns: 600 };

/** A log with these bodies, one after another, as a writer frames them. */
function log(bodies: readonly EventBody[]): SessionEvent[] {
  return bodies.map((body, index) => ({
    id: index + 1,
    ...(index > 0 && { parent: index }),
    at: "2026-11-18T00:00:00.000Z",
    ...body,
  }));
}

function part(stream: string, text: string, of: "assistant" | "thinking" = "assistant"): EventBody {
  return { type: "part", stream, of, text };
}

const prompt: EventBody = { type: "user", content: "hi" };
const note: EventBody = { type: "note", content: "n" };

function forward(events: readonly SessionEvent[]): readonly SessionEvent[] {
  return [...joinParts(events)];
}

function backward(events: readonly SessionEvent[]): readonly SessionEvent[] {
  return [...joinParts(events.toReversed(), "backward")].reverse();
}

describe("one text, whatever the reader", () => {
  test("the whole event stands for its parts and follows what the first part followed", () => {
    const whole: EventBody = { type: "assistant", content: "abc", stream: "s" };
    const events = log([prompt, part("s", "a"), part("s", "b"), whole, prompt]);
    expect(forward(events)).toEqual([events[0], { ...events[3], parent: 1 }, events[4]]);
    expect(backward(events)).toEqual(forward(events));
  });

  test("parts without a whole event are one unfinished event in the place of the last", () => {
    const events = log([prompt, part("s", "a"), note, part("s", "b"), note, prompt]);
    const seen = forward(events);
    expect(seen.map(({ id, parent, type }) => [id, parent, type])).toEqual([
      [1, undefined, "user"],
      [3, 1, "note"],
      [4, 3, "assistant"],
      [5, 4, "note"],
      [6, 5, "user"],
    ]);
    expect(seen[2]).toMatchObject({ content: "ab", unfinished: true });
    expect(backward(events)).toEqual(seen);
  });

  test("what another one says in between ends a text; what follows is a text of its own", () => {
    const events = log([part("s", "a"), prompt, part("s", "b")]);
    expect(forward(events).map((event) => "content" in event && event.content)).toEqual([
      "a",
      "hi",
      "b",
    ]);
    expect(backward(events)).toEqual(forward(events));
  });

  test("two models that speak at once do not cut each other short", () => {
    const whole: EventBody = { type: "assistant", content: "ab", stream: "s" };
    const events = log([part("s", "a"), part("t", "x"), part("s", "b"), whole, part("t", "y")]);
    expect(forward(events).map((event) => "content" in event && event.content)).toEqual([
      "ab",
      "xy",
    ]);
    expect(backward(events)).toEqual(forward(events));
  });

  test("a log of parts alone is held no longer than the bound", () => {
    const text = "x".repeat(1024 * 1024);
    const count = Math.ceil((3 * limits.streamedChars) / text.length);
    const events = log(Array.from({ length: count }, () => part("s", text)));
    const seen = forward(events);
    expect(seen.length).toBeGreaterThan(1);
    const chars = seen.reduce(
      (sum, event) => sum + String("content" in event && event.content).length,
      0,
    );
    expect(chars).toBe(count * text.length);
  });
});

/** What a careful writer may write: streams that end whole, are cut off, or are left; others in between. */
const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("say" as const),
      stream: fc.nat(2),
      thinking: fc.boolean(),
      text: fc.string({ minLength: 1, maxLength: 6, unit: "grapheme" }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("end" as const), stream: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("note" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("meta" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("foreign" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("die" as const) }) },
);

/** The log of such acts, and the texts it is to be read as, in any order. */
function written(acts: readonly (typeof act extends fc.Arbitrary<infer A> ? A : never)[]): {
  readonly events: readonly SessionEvent[];
  readonly texts: readonly string[];
} {
  const bodies: EventBody[] = [{ type: "user", content: "begin" }];
  const texts: string[] = [];
  const open = new Map<number, { of: "assistant" | "thinking"; text: string; stream: string }>();
  let names = 0;
  const settle = (stream: number): void => {
    const said = open.get(stream);
    if (said === undefined) return;
    open.delete(stream);
    texts.push(said.text);
    bodies.push({ type: said.of, content: said.text, stream: said.stream });
  };
  const leave = (): void => {
    for (const { text } of open.values()) texts.push(text);
    open.clear();
  };
  for (const one of acts) {
    if (one.do === "say") {
      const of = one.thinking ? "thinking" : "assistant";
      if (open.has(one.stream) && open.get(one.stream)!.of !== of) settle(one.stream);
      names += 1;
      const said = open.get(one.stream) ?? { of, text: "", stream: `s${names}` };
      open.set(one.stream, { ...said, text: said.text + one.text });
      bodies.push(part(said.stream, one.text, of));
    } else if (one.do === "end") settle(one.stream);
    else if (one.do === "note") bodies.push(note);
    else if (one.do === "meta") bodies.push({ type: "meta", title: "t" });
    else {
      leave();
      bodies.push(one.do === "die" ? prompt : { type: "assistant", content: "foreign" });
      if (one.do === "foreign") texts.push("foreign");
    }
  }
  leave();
  return { events: log(bodies), texts };
}

test("forward, backward and one after another every text is read once, in order, on an unbroken chain", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
      const { events, texts } = written(acts);
      const seen = forward(events);
      expect(backward(events)).toEqual(seen);
      const awaited: SessionEvent[] = [];
      for await (const event of joinPartsAsync(awaitable(events))) awaited.push(event);
      expect(awaited).toEqual(seen);
      const said = seen.flatMap((event) =>
        event.type === "assistant" || event.type === "thinking" ? [event.content] : [],
      );
      expect(said.toSorted()).toEqual(texts.toSorted());
      expect(seen.some(({ type }) => type === "part")).toBe(false);
      // Each event follows the one before it: nothing points at a part that nobody sees.
      seen.forEach((event, index) => {
        expect(event.parent).toBe(seen[index - 1]?.id);
      });
    }),
    run,
  );
});

async function* awaitable(events: readonly SessionEvent[]): AsyncGenerator<SessionEvent> {
  yield* events;
}

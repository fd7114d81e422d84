import fc from "fast-check";
import { expect, test } from "vitest";
import { isRepriseError } from "../../src/base/errors.ts";
import type { EventBody, SessionEvent, SessionStart } from "../../src/model/event.ts";
import { AsyncSessionManager } from "../../src/store/async-session-manager.ts";
import type { Store } from "../../src/store/contract.ts";
import { everyStore } from "../store/stores.ts";

type Operation =
  | { readonly does: "create"; readonly session: string; readonly metadata: { readonly n: number } }
  | {
      readonly does: "append";
      readonly session: string;
      readonly bodies: readonly EventBody[];
      readonly after: number | undefined;
      readonly exactly: boolean;
    }
  | {
      readonly does: "fork";
      readonly session: string;
      readonly into: string;
      readonly at: number | undefined;
    }
  | { readonly does: "remove"; readonly session: string }
  | {
      readonly does: "path";
      readonly session: string;
      readonly from: number | undefined;
      readonly until: number;
      readonly limit: number;
    }
  | { readonly does: "event"; readonly session: string; readonly id: number }
  | { readonly does: "compact"; readonly session: string }
  | { readonly does: "heads"; readonly tag: string; readonly n: number };

const session = fc.constantFrom("a", "b", "c");
const id = fc.integer({ min: 1, max: 12 });
const text = fc.string({ unit: "binary", maxLength: 8 });
const json = fc.jsonValue({ maxDepth: 2 });

const body: fc.Arbitrary<EventBody> = fc.oneof(
  fc.record({ type: fc.constant("user" as const), content: text }),
  fc.record({ type: fc.constant("assistant" as const), content: text, message: text }),
  fc.record({ type: fc.constant("tool_use" as const), call: text, name: text, input: json }),
  fc.record({ type: fc.constant("note" as const), content: text }),
  fc.record({ type: fc.constant("custom" as const), name: fc.constantFrom("x", "y"), data: json }),
  fc.record({ type: fc.constant("rewind" as const), to: fc.constant(1), from: id }),
  fc.record({ type: fc.constant("meta" as const), title: text, pinned: fc.boolean() }),
  fc.record({
    type: fc.constant("meta" as const),
    tags: fc.constantFrom(["p"], ["q", "p"]),
    metadata: fc.record({ n: fc.constantFrom(1, 2, null), s: text }),
  }),
);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    does: fc.constant("create" as const),
    session,
    metadata: fc.record({ n: fc.constantFrom(1, 2) }),
  }),
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("append" as const),
      session,
      bodies: fc.array(body, { minLength: 1, maxLength: 4 }),
      after: fc.option(id, { nil: undefined, freq: 1 }),
      exactly: fc.boolean(),
    }),
  },
  fc.record({
    does: fc.constant("fork" as const),
    session,
    into: session,
    at: fc.option(id, { nil: undefined }),
  }),
  fc.record({ does: fc.constant("remove" as const), session }),
  fc.record({
    does: fc.constant("path" as const),
    session,
    from: fc.option(id, { nil: undefined }),
    until: fc.integer({ min: 0, max: 5 }),
    limit: fc.integer({ min: 0, max: 9 }),
  }),
  fc.record({ does: fc.constant("event" as const), session, id }),
  fc.record({ does: fc.constant("compact" as const), session }),
  fc.record({ does: fc.constant("heads" as const), tag: fc.constantFrom("p", "q"), n: id }),
);

function startOf(name: string, facts: Partial<SessionStart> = {}): SessionStart {
  return { type: "session_start", format: 1, session: name, cwd: "/nowhere", ...facts };
}

/** What every store must give alike: neither times nor places. */
function seen({ at: _at, sum: _sum, metaAt: _metaAt, ...event }: SessionEvent): unknown {
  if (event.type !== "session_start" || event.base === undefined) return event;
  return { ...event, base: event.base.event };
}

async function all(events: AsyncIterable<SessionEvent>): Promise<readonly unknown[]> {
  const gathered: unknown[] = [];
  for await (const event of events) gathered.push(seen(event));
  return gathered;
}

async function perform(store: Store, operation: Operation): Promise<unknown> {
  switch (operation.does) {
    case "create":
      return (await store.create(startOf(operation.session, { metadata: operation.metadata })))
        .last;
    case "append": {
      const { after, exactly, bodies } = operation;
      const demand = after !== undefined && exactly ? { exactly: after } : after;
      return (await store.append(operation.session, demand, bodies)).map(seen);
    }
    case "fork":
      return (await store.fork(operation.session, operation.at, startOf(operation.into))).last;
    case "remove":
      return store.remove(operation.session);
    case "path":
      return all(store.path(operation.session, operation));
    case "event": {
      const event = await store.event(operation.session, operation.id);
      return event && seen(event);
    }
    case "compact": {
      const manager = await AsyncSessionManager.open(operation.session, { store });
      const made = await manager.compact({ keepTokens: 5, summarise: () => "In short." });
      return made && seen(made);
    }
    case "heads": {
      const found: unknown[] = [];
      const { tag, n } = operation;
      for await (const head of store.heads({ tag, metadata: { n } }))
        found.push([head.session, head.title, head.tags, head.metadata, head.pinned]);
      return found.sort();
    }
  }
}

/** What all operations gave, or how they were refused, and what the store holds then. */
async function outcome(
  store: Store,
  operations: readonly Operation[],
): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  // Whether the id of a removed session is free depends on what stands on it, and on the store.
  const removed = new Set<string>();
  for (const operation of operations) {
    const made =
      operation.does === "fork" ? operation.into : operation.does === "create" && operation.session;
    if (made && removed.has(made)) continue;
    if (operation.does === "remove") removed.add(operation.session);
    try {
      results.push(await perform(store, operation));
    } catch (error) {
      if (!isRepriseError(error)) throw error;
      results.push({ refused: error.code, last: error.details["last"] });
    }
  }
  for (const name of ["a", "b", "c"]) {
    const there = await store.open(name).catch(() => undefined);
    if (there === undefined) continue;
    results.push(there.last, there.meta, await all(store.read(name)));
    results.push(await all(store.read(name, { reverse: true, custom: "x" })));
    const context = await (await AsyncSessionManager.open(name, { store })).buildSessionContext();
    results.push(context.messages.map(({ role, content }) => ({ role, content })));
  }
  await store.close();
  return results;
}

test("whatever is done in whatever order, every store gives the same", {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
      const [first, ...others] = everyStore;
      const expected = await outcome(first!.open(), [
        { does: "create", session: "a", metadata: { n: 1 } },
        ...operations,
      ]);
      for (const { engine, open } of others) {
        const given = await outcome(open(), [
          { does: "create", session: "a", metadata: { n: 1 } },
          ...operations,
        ]);
        expect({ engine, given }).toEqual({ engine, given: expected });
      }
    }),
    { numRuns: 100 },
  );
});

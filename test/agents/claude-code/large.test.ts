import { appendFileSync, closeSync, openSync } from "node:fs";
import { expect, test } from "vitest";
import { buildIndex } from "../../../src/agents/claude-code/read/build-index.ts";
import { assistant, call, lines, readAll, result, user, written } from "./store.ts";

const filler = 'a line of output with "quotes" and \\ slashes\n'.repeat(80);

/** Turns with parallel calls, each answered on its own branch. */
function turns(count: number): string {
  const records: object[] = [];
  let parent: string | null = null;
  for (let turn = 0; turn < count; turn += 1) {
    const id = (name: string): string => `${name}${turn}`;
    const message = { message: { id: id("m"), stop_reason: "tool_use" } };
    records.push(
      user(id("u"), parent, `prompt ${turn} ${filler}`),
      { type: "api-request-blob", sessionId: "s", message: { content: filler } },
      assistant(id("c"), id("u"), [call(id("s"))], message),
      assistant(id("d"), id("c"), [call(id("t"))], message),
      result(id("q"), id("d"), id("t"), { sourceToolAssistantUUID: id("d") }),
      result(id("r"), id("c"), id("s"), { sourceToolAssistantUUID: id("c") }),
      assistant(id("a"), id("r"), `answer ${turn} ${filler}`),
    );
    parent = id("a");
  }
  return lines(records as Parameters<typeof lines>[0]);
}

const count = 600;
const ref = written(turns(count));

test("a long session comes in many small batches, every event once", async () => {
  const { events, damage } = await readAll(ref);
  expect(damage).toEqual([]);
  expect(events.filter(({ body }) => body.type !== "meta")).toHaveLength(count * 6);
  expect(new Set(events.map(({ number }) => number)).size).toBe(events.length);
});

test("the last events have the numbers the whole read gives them", async () => {
  const { events } = await readAll(ref, { last: 20 });
  const whole = await readAll(ref);
  const told = ({ number, uuid, body }: (typeof events)[number]) => ({ number, uuid, body });
  expect(events.map(told)).toEqual(whole.events.slice(-20).map(told));
});

test("more last events than a window holds widen the window", async () => {
  const whole = await readAll(ref);
  for (const last of [1500, 3000, 100_000]) {
    const { events } = await readAll(ref, { last });
    expect(events.map(({ uuid }) => uuid)).toEqual(
      whole.events.slice(-last).map(({ uuid }) => uuid),
    );
  }
});

test("a tip far back that the end names is found", async () => {
  const early = written(turns(300));
  appendFileSync(early.path, lines([user("side", "a2", "another way")]));
  appendFileSync(early.path, turns(0));
  appendFileSync(early.path, lines([{ type: "last-prompt", leafUuid: "a299" }]));
  const { events } = await readAll(early, { last: 1 });
  expect(events[0]?.uuid).toBe("a299");
});

test("the index keeps numbers, not records", () => {
  const fd = openSync(ref.path, "r");
  const index = buildIndex(fd);
  closeSync(fd);
  expect(index.size).toBe(count * 6);
  const columns = [index.offsets, index.lengths, index.lines, index.parents, index.groups];
  const bytes = columns.reduce((sum, column) => sum + column.BYTES_PER_ELEMENT, 0);
  expect(bytes).toBeLessThan(40);
});

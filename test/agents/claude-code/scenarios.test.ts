import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agents/contract.ts";
import { acceptedDifferences } from "../accepted-differences.ts";
import { fixtures, outlineOf, readAll, sessionsIn } from "./store.ts";

interface Expected {
  readonly items: readonly string[];
  readonly onDisk: {
    readonly records: number;
    readonly unparsableLines: number;
    readonly humanPrompts: number;
    readonly assistantMessages: number;
    readonly assistantRecords: number;
    readonly thinking: number;
    readonly toolCalls: number;
    readonly toolResults: number;
    readonly compactions: number;
  };
}

const expected = JSON.parse(readFileSync(join(fixtures, "expected.json"), "utf8")) as Readonly<
  Record<string, Readonly<Record<string, Expected>>>
>;
const accepted = acceptedDifferences.filter(({ agent }) => agent === "claude-code");

for (const [scenario, sessions] of Object.entries(expected)) {
  describe(scenario, () => {
    const refs = sessionsIn(join(fixtures, scenario));

    test("every session and nothing else is found", () => {
      expect([...refs.keys()].sort()).toEqual(Object.keys(sessions).sort());
    });

    for (const [session, { items, onDisk }] of Object.entries(sessions)) {
      const ref = refs.get(session)!;
      const name = session.slice(0, 8);

      test(`${name}: the live events are what the program replays`, async () => {
        const { events } = await readAll(ref);
        const skipped = accepted.filter((one) => one.scenario === scenario).map((one) => one.index);
        const wanted = items.filter((_item, index) => !skipped.includes(index));
        expect(outlineOf(events)).toEqual(wanted);
        expect(events.every((event) => event.live)).toBe(true);
      });

      test(`${name}: every record of the file is counted as the recount counts it`, async () => {
        const { events, damage, unknown } = await readAll(ref, { allBranches: true });
        const own = events.filter((event) => event.sidechain === undefined);
        const spoken = own.filter((event) => typeOf(event) === "assistant");
        const told = new Set(own.map((event) => event.number.split(".")[0]));
        expect({
          records: told.size + silentLines(ref.path),
          unparsableLines: damage.length,
          humanPrompts: count(own, ({ body }) => body.type === "user" && body.injected !== true),
          assistantMessages: new Set(spoken.filter(isModels).map(messageOf)).size,
          assistantRecords: new Set(spoken.map((event) => event.uuid)).size,
          thinking: count(own, ({ body }) => body.type === "thinking"),
          toolCalls: count(own, ({ body }) => body.type === "tool_use"),
          toolResults: count(own, ({ body }) => body.type === "tool_result"),
          compactions: count(own, ({ body }) => body.type === "compaction"),
        }).toEqual(onDisk);
        expect(unknown).toEqual({});
        expect(new Set(events.map((event) => event.number)).size).toBe(events.length);
      });

      test(`${name}: what is live is the same with and without the rest`, async () => {
        const live = await readAll(ref);
        const all = await readAll(ref, { allBranches: true });
        const known = new Map(all.events.map((event) => [event.number, event]));
        expect(live.events).toEqual(live.events.map((event) => known.get(event.number)));
        expect(all.events.filter((event) => event.live).length).toBe(live.events.length);
      });

      test(`${name}: the last events are the end of all events`, async () => {
        const whole = await readAll(ref);
        for (const last of [0, 1, 3, 8]) {
          const end = await readAll(ref, { last });
          expect(end.events).toEqual(last === 0 ? [] : whole.events.slice(-last));
        }
      });

      test(`${name}: tokens of a message are told once`, async () => {
        const { events } = await readAll(ref, { allBranches: true });
        const bearers = events.filter(({ body }) => "usage" in body && body.usage !== undefined);
        expect(new Set(bearers.map(messageOf)).size).toBe(bearers.length);
      });
    }
  });
}

test("every accepted difference names an item that is there", () => {
  for (const one of accepted) {
    const items = Object.values(expected[one.scenario] ?? {}).flatMap((session) => session.items);
    expect(items.length).toBeGreaterThan(one.index);
  }
});

/** Lines that give no events: the program's log of requests, and snapshots of its prompt. */
function silentLines(path: string): number {
  const text = readFileSync(path, "utf8");
  return text
    .split("\n")
    .filter((line) => /^\{"type":"api-request|"attachment":\{"type":"prompt_snapshot"/.test(line))
    .length;
}

function count(events: readonly AgentEvent[], wanted: (event: AgentEvent) => boolean): number {
  return events.filter(wanted).length;
}

function isModels({ body }: AgentEvent): boolean {
  return !(body.type === "assistant" && body.synthetic === true);
}

function messageOf({ body }: AgentEvent): string | undefined {
  return "message" in body ? body.message : undefined;
}

function typeOf({ native, body }: AgentEvent): unknown {
  const isModel = body.type === "assistant" || body.type === "thinking" || body.type === "tool_use";
  return isModel && typeof native === "object" && native !== null && "type" in native
    ? native.type
    : undefined;
}

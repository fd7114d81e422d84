import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agents/contract.ts";
import { acceptedDifferences } from "../accepted-differences.ts";
import { outlineOf } from "./outline.ts";
import { fixtures, readAll, refsIn } from "./store.ts";

interface Expected {
  readonly items: readonly string[];
  readonly onDisk: {
    readonly records: number;
    readonly unparsableLines: number;
    readonly humanPrompts: number;
    readonly assistantMessages: number;
    readonly reasoning: number;
    readonly toolCalls: number;
    readonly toolResults: number;
    readonly compactions: number;
    readonly historyBase: boolean;
  };
}

const expected = JSON.parse(readFileSync(join(fixtures, "expected.json"), "utf8")) as Readonly<
  Record<string, Readonly<Record<string, Expected>>>
>;

for (const [scenario, sessions] of Object.entries(expected)) {
  describe(scenario, () => {
    const refs = refsIn(join(fixtures, scenario));

    test("every session and nothing else is found", () => {
      expect([...refs.keys()].sort()).toEqual(Object.keys(sessions).sort());
    });

    for (const [session, { items, onDisk }] of Object.entries(sessions)) {
      test(`${session.slice(0, 13)}: the live events are what the program replays`, async () => {
        const { events } = await readAll(refs.get(session)!);
        const accepted = acceptedDifferences.filter(
          (one) => one.agent === "codex" && one.scenario === scenario,
        );
        const indexes = new Set(accepted.map((one) => one.index));
        expect(outlineOf(events)).toEqual(items.filter((_item, index) => !indexes.has(index)));
        expect(events.every((event) => event.live)).toBe(true);
      });

      test(`${session.slice(0, 13)}: all records of the file are told, none twice`, async () => {
        const { events, damage, unknown } = await readAll(refs.get(session)!, {
          allBranches: true,
        });
        const own = ownEvents(events, onDisk.historyBase);
        expect({
          unparsableLines: damage.length,
          humanPrompts: count(own, (e) => e.body.type === "user" && !e.body.injected),
          assistantMessages: count(own, (e) => e.body.type === "assistant"),
          reasoning: count(own, (e) => e.body.type === "thinking"),
          toolCalls: count(own, (e) => e.body.type === "tool_use"),
          toolResults: count(own, (e) => e.body.type === "tool_result"),
          compactions: count(own, (e) => e.body.type === "compaction"),
        }).toEqual({
          unparsableLines: onDisk.unparsableLines,
          humanPrompts: onDisk.humanPrompts,
          assistantMessages: onDisk.assistantMessages,
          reasoning: onDisk.reasoning,
          toolCalls: onDisk.toolCalls,
          toolResults: onDisk.toolResults,
          compactions: onDisk.compactions,
        });
        expect(unknown).toEqual({});
        expect(new Set(events.map((event) => event.number)).size).toBe(events.length);
      });

      test(`${session.slice(0, 13)}: what is live is the same with and without the rest`, async () => {
        const live = await readAll(refs.get(session)!);
        const all = await readAll(refs.get(session)!, { allBranches: true });
        const known = new Map(all.events.map((event) => [event.number, event]));
        expect(live.events).toEqual(live.events.map((event) => known.get(event.number)));
        expect(all.events.filter((event) => event.live).length).toBe(live.events.length);
      });

      test(`${session.slice(0, 13)}: the last events are the end of all events`, async () => {
        const whole = await readAll(refs.get(session)!);
        for (const last of [0, 1, 3, 8, 1000]) {
          const end = await readAll(refs.get(session)!, { last });
          expect(end.events).toEqual(last === 0 ? [] : whole.events.slice(-last));
        }
      });
    }
  });
}

test("every accepted difference names an item that is there", () => {
  for (const one of acceptedDifferences.filter(({ agent }) => agent === "codex")) {
    const items = Object.values(expected[one.scenario] ?? {}).flatMap((session) => session.items);
    expect(items.length).toBeGreaterThan(one.index);
  }
});

function ownEvents(events: readonly AgentEvent[], hasBase: boolean): readonly AgentEvent[] {
  if (!hasBase) return events;
  const first = events.findLastIndex((event) => event.body.type === "meta" && event.body.data);
  return events.slice(first);
}

function count(events: readonly AgentEvent[], wanted: (event: AgentEvent) => boolean): number {
  return events.filter(wanted).length;
}

import { expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agents/contract.ts";
import { compareNumbers } from "../../../src/agents/event-name.ts";
import type { EventBody } from "../../../src/model/event.ts";
import { type Selection, selectEvents } from "../../../src/programs/cli/sessions/select.ts";

const numbers = ["1", "2.1", "2.2", "3", "4", "5", "6", "7", "8", "9", "10"];

async function* events(): AsyncGenerator<AgentEvent> {
  for (const number of numbers) {
    yield { number, uuid: `uuid-${number}`, live: true, body: { type: "note", content: number } };
  }
}

async function selected(selection: Selection): Promise<readonly string[]> {
  const kept: string[] = [];
  for await (const event of selectEvents(events(), selection)) kept.push(event.number);
  return kept;
}

test("event numbers are ordered as numbers, part by part", () => {
  expect(["10", "2.2", "2", "2.10", "1"].sort((a, b) => compareNumbers(a, b)!)).toEqual([
    "1",
    "2",
    "2.2",
    "2.10",
    "10",
  ]);
});

test("a range takes in its ends and all events of a record", async () => {
  expect(await selected({ from: "2", to: "3" })).toEqual(["2.1", "2.2", "3"]);
  expect(await selected({ to: "2" })).toEqual(["1", "2.1", "2.2"]);
  expect(await selected({ from: "2.2", to: "2.2" })).toEqual(["2.2"]);
  expect(await selected({ from: "11" })).toEqual([]);
});

test("the last events come in their order", async () => {
  expect(await selected({ last: 3 })).toEqual(["8", "9", "10"]);
  expect(await selected({ last: 99 })).toEqual(numbers);
  expect(await selected({ last: 0 })).toEqual([]);
});

test("an event is shown with three around it, by number or native id", async () => {
  expect(await selected({ focus: "5" })).toEqual(["2.2", "3", "4", "5", "6", "7", "8"]);
  expect(await selected({ focus: "uuid-10" })).toEqual(["7", "8", "9", "10"]);
  expect(await selected({ focus: "2" })).toEqual(["1", "2.1", "2.2", "3", "4", "5"]);
  expect(await selected({ focus: "99" })).toEqual([]);
});

test("around an event what programs put in is left out, and the next answer is shown", async () => {
  const call = (id: string): EventBody => ({ type: "tool_use", call: id, name: "Bash", input: {} });
  const done = (id: string): EventBody => ({ type: "tool_result", call: id, content: "ok" });
  const bodies: readonly EventBody[] = [
    { type: "user", content: "one" },
    { type: "assistant", content: "first" },
    { type: "system", content: "rules" },
    { type: "user", content: "the date", injected: true },
    { type: "user", content: "two" },
    { type: "user", content: "a reminder", injected: true },
    { type: "meta", cwd: "/p" },
    call("a"),
    done("a"),
    call("b"),
    done("b"),
    { type: "assistant", content: "second" },
    { type: "user", content: "three" },
    ...Array.from({ length: 40 }, (_, at) => call(`c${at}`)),
  ];
  const around = async (focus: string): Promise<readonly string[]> => {
    const kept: string[] = [];
    const all = async function* (): AsyncGenerator<AgentEvent> {
      for (const [at, body] of bodies.entries()) yield { number: String(at + 1), live: true, body };
    };
    for await (const { number } of selectEvents(all(), { focus })) kept.push(number);
    return kept;
  };
  expect(await around("5")).toEqual(["1", "2", "5", "8", "9", "10", "11", "12"]);
  expect(await around("4")).toEqual(["1", "2", "4", "5", "8", "9", "10", "11", "12"]);
  expect(await around("12")).toEqual(["9", "10", "11", "12", "13", "14", "15"]);
  // An answer that is far away is not waited for.
  expect(await around("13")).toEqual(["10", "11", "12", "13", "14", "15", "16"]);
});

const lanes = ["1", "2", "3~aa", "4~aa", "3~bb", "x/1", "x/2", "x/2.2", "y/1", "tasks/1"];

async function inLanes(selection: Selection): Promise<readonly string[]> {
  const all = async function* (): AsyncGenerator<AgentEvent> {
    for (const number of lanes) {
      yield { number, uuid: `native-${number}`, live: true, body: { type: "note", content: "" } };
    }
  };
  const kept: string[] = [];
  for await (const { number } of selectEvents(all(), selection)) kept.push(number);
  return kept;
}

test("a range begins and ends in what is numbered for itself", async () => {
  expect(await inLanes({ from: "x/2" })).toEqual(["x/2", "x/2.2", "y/1", "tasks/1"]);
  expect(await inLanes({ to: "x/1" })).toEqual(["1", "2", "3~aa", "4~aa", "3~bb", "x/1"]);
  expect(await inLanes({ from: "4~aa", to: "3~bb" })).toEqual(["4~aa", "3~bb"]);
  expect(await inLanes({ from: "tasks/1" })).toEqual(["tasks/1"]);
  expect(await inLanes({ from: "native-x/2.2" })).toEqual(["x/2.2", "y/1", "tasks/1"]);
});

test("a plain number counts on through later files of a session", async () => {
  expect(await inLanes({ from: "3", to: "3" })).toEqual(["3~aa", "3~bb"]);
});

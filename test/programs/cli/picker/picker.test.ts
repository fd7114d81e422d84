import { expect, test } from "vitest";
import { colours } from "../../../../src/programs/cli/terminal/colours.ts";
import { readKeys } from "../../../../src/programs/cli/terminal/picker/keys.ts";
import { listRows, pickerScreen } from "../../../../src/programs/cli/terminal/picker/screen.ts";
import {
  type PickerState,
  pickerState,
  press,
} from "../../../../src/programs/cli/terminal/picker/state.ts";
import { textWidth } from "../../../../src/programs/cli/terminal/width.ts";
import { hostileHead } from "../render/hostile.ts";
import { environment, scriptedAgent } from "../scripted-agent.ts";

const agent = scriptedAgent("codex", [
  { head: { session: "a1", title: "Rate limit", cwd: "/p/api" } },
  { head: { session: "b2", title: "日本語のタイトル 🎉🎉🎉".repeat(8), cwd: "/p/web" } },
  { head: { ...hostileHead, agent: "codex", session: "c3" } },
  ...Array.from({ length: 40 }, (_, index) => ({
    head: { session: `n${index}`, title: `Session ${index}` },
  })),
]);
const sessions = [...agent.locate(environment())].map((ref) => ({
  agent,
  ref,
  head: agent.head(ref, environment())!,
}));

function typed(state: PickerState, input: string): PickerState {
  let now = state;
  for (const key of readKeys(input).keys) {
    const step = press(now, key, 9);
    if (step.kind !== "stay") throw new Error(step.kind);
    now = step.state;
  }
  return now;
}

test("keys are read from what a terminal sends", () => {
  expect(
    readKeys("\u001b[A\u001bOB\u001b[5~\u001b[6~\r\u007f").keys.map(({ name }) => name),
  ).toEqual(["up", "down", "pageUp", "pageDown", "enter", "backspace"]);
  expect(readKeys("é🎉 x").keys).toEqual([{ name: "text", text: "é🎉 x" }]);
  expect(readKeys("\u001b[200;5H").keys).toEqual([]);
});

test("a lone escape waits for the rest of its sequence", () => {
  expect(readKeys("a\u001b")).toEqual({ keys: [{ name: "text", text: "a" }], rest: "\u001b" });
  expect(readKeys("\u001b[")).toEqual({ keys: [], rest: "\u001b[" });
  expect(readKeys("\u001bx").keys.map(({ name }) => name)).toEqual(["escape", "text"]);
});

test("Alt with the erasing key takes a word away, and does not leave", () => {
  expect(readKeys("\u001b\u007f\u001b\b").keys).toEqual([
    { name: "eraseWord" },
    { name: "eraseWord" },
  ]);
});

test("what is pasted is text, however it is cut into pieces", () => {
  const input = "a\u001b[200~b\r\n\u001bc\u001b[201~\u001b[A";
  for (let cut = 0; cut <= input.length; cut += 1) {
    const one = readKeys(input.slice(0, cut));
    const two = readKeys(one.rest + input.slice(cut));
    const keys = [...one.keys, ...two.keys];
    const text = keys.map((key) => (key.name === "text" ? key.text : "")).join("");
    expect(text.replace(/ +/g, " ")).toBe("ab c");
    expect(keys.filter(({ name }) => name !== "text")).toEqual([{ name: "up" }]);
    expect(two.rest).toBe("");
  }
});

test("typing narrows the list, erasing widens it", () => {
  const start = pickerState(sessions);
  const found = typed(start, "LIMIT rate");
  expect(found.matches.map(({ session }) => session.head.session)).toEqual(["a1"]);
  expect(typed(found, "\u0015").matches.length).toBe(sessions.length);
  expect(typed(found, "zzz").matches).toEqual([]);
  expect(typed(typed(start, "rate zz"), "\u0017").query).toBe("rate ");
});

test("the choice stays inside the list", () => {
  const start = pickerState(sessions);
  expect(typed(start, "\u001b[A").at).toBe(0);
  expect(typed(start, "\u001b[6~").at).toBe(9);
  expect(typed(start, "\u001b[F\u001b[B").at).toBe(sessions.length - 1);
});

test("enter on an empty list stays, escape leaves", () => {
  const empty = typed(pickerState(sessions), "zzz");
  expect(press(empty, { name: "enter" }, 9).kind).toBe("stay");
  expect(press(empty, { name: "escape" }, 9).kind).toBe("left");
});

test.each([
  [80, 24],
  [40, 12],
  [200, 60],
  [20, 6],
])("a screen of %i x %i is never overrun", (columns, rows) => {
  const options = { columns, rows, colours: colours(false), nowMs: Date.now(), verb: "show" };
  const preview = Array.from({ length: 100 }, (_, index) => `line ${index}`);
  for (const input of ["", "\u001b[B", "\u001b[B\u001b[B", "\u001b[F", "q".repeat(300)]) {
    const state = typed(pickerState(sessions), input);
    const lines = pickerScreen(state, { ...options, preview });
    expect(lines.length).toBeLessThanOrEqual(rows);
    for (const line of lines.slice(0, listRows(rows) + 1)) {
      expect(textWidth(line)).toBeLessThanOrEqual(columns);
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    }
  }
});

import { expect, test } from "vitest";
import { editorLayout } from "../../../src/programs/chat/terminal/editor-layout.ts";
import {
  type EditorState,
  editorState,
  pressInEditor,
} from "../../../src/programs/chat/terminal/editor-state.ts";
import type { KeyPress } from "../../../src/programs/chat/terminal/keyboard.ts";

function key(name: string, more: Partial<KeyPress> = {}): KeyPress {
  return { text: [...name].length === 1 ? name : "", name, ctrl: false, meta: false, ...more };
}

/** The state after some keys, none of which ends the input. */
function after(state: EditorState, ...keys: readonly KeyPress[]): EditorState {
  let now = state;
  for (const pressed of keys) {
    const step = pressInEditor(now, pressed);
    if (step.kind !== "stay") throw new Error(`${pressed.name} came to ${step.kind}`);
    now = step.state;
  }
  return now;
}

const typed = (text: string): readonly KeyPress[] => [...text].map((letter) => key(letter));

test("words and lines are erased, and the cursor moves by characters, lines and words", () => {
  const start = after(editorState([]), ...typed("ein 😀"), key("enter"), ...typed("zwei drei"));
  expect(start.text).toBe("ein 😀\nzwei drei");
  expect(after(start, key("w", { ctrl: true })).text).toBe("ein 😀\nzwei ");
  expect(after(start, key("u", { ctrl: true })).text).toBe("ein 😀\n");
  expect(after(start, key("a", { ctrl: true }), key("k", { ctrl: true })).text).toBe("ein 😀\n");
  const above = after(start, key("up"), key("end"), key("backspace"));
  expect(above.text).toBe("ein \nzwei drei");
  expect(after(above, key("down"), key("end"), ...typed("!")).text).toBe("ein \nzwei drei!");
  expect(after(start, key("home"), key("delete"), key("right"), ...typed("_")).text).toBe(
    "ein 😀\nw_ei drei",
  );
});

test("what was being typed is still there after a look at the history", () => {
  const state = after(editorState(["first", "second"]), ...typed("new"), key("up"), key("up"));
  expect(state.text).toBe("first");
  expect(after(state, key("up")).text).toBe("first");
  expect(after(state, key("down"), key("down"), key("down")).text).toBe("new");
});

test("Enter sends what says something; Ctrl-D ends an empty line alone", () => {
  expect(pressInEditor(editorState([], "  "), key("return")).kind).toBe("stay");
  expect(pressInEditor(editorState([], "Hi"), key("return"))).toEqual({
    kind: "submit",
    text: "Hi",
  });
  expect(pressInEditor(editorState([]), key("d", { ctrl: true })).kind).toBe("end");
  expect(pressInEditor(editorState([], "x"), key("d", { ctrl: true })).kind).toBe("stay");
});

test("a text is laid out in rows that fit, with the cursor where it belongs; controls are not typed", () => {
  const screen = { columns: 13, rows: 10 };
  expect(editorLayout("abcdefghijklm\nx", 12, screen)).toEqual({
    rows: ["abcdefghij", "klm", "x"],
    row: 1,
    column: 4,
  });
  expect(editorLayout("日本語日本語", 6, screen).rows).toEqual(["日本語日本", "語"]);
  const many = editorLayout("\n".repeat(50), 25, screen);
  expect(many.rows.length).toBe(9);
  expect(after(editorState([]), key("x", { text: "\u001b[31m" })).text).toBe("[31m");
});

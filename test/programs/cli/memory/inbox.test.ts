import { expect, test } from "vitest";
import type { MemoryEntry } from "../../../../src/memory.ts";
import { proposalLines } from "../../../../src/programs/cli/memory/inbox/preview.ts";
import { sentencesAround } from "../../../../src/programs/cli/memory/inbox/quote.ts";
import { inboxLines, proposalColumns } from "../../../../src/programs/cli/memory/inbox/screen.ts";
import {
  type InboxState,
  inboxState,
  press,
  type Step,
} from "../../../../src/programs/cli/memory/inbox/state.ts";
import { colours } from "../../../../src/programs/cli/terminal/colours.ts";
import { type Key, readKeys } from "../../../../src/programs/cli/terminal/picker/keys.ts";
import {
  lineOf,
  shownLine,
  typedOn,
} from "../../../../src/programs/cli/terminal/picker/typed-line.ts";
import { textWidth } from "../../../../src/programs/cli/terminal/width.ts";
import { hostile } from "../render/hostile.ts";

function proposal(id: string, more: Partial<MemoryEntry> = {}): MemoryEntry {
  return {
    id,
    key: `key ${id}`,
    value: `value ${id}`,
    type: "knowledge",
    namespace: "app",
    tags: ["proposal"],
    metadata: {},
    owner: "user",
    access: "shared",
    status: "proposed",
    provenance: "user",
    createdAt: "2026-11-10T10:00:00.000Z",
    updatedAt: "2026-11-10T10:00:00.000Z",
    version: 1,
    sizeBytes: 9,
    compressed: false,
    checksum: "",
    references: [],
    dependencies: [],
    evidence: [],
    ...more,
  };
}

const entries = [
  proposal("a", { value: "Always use tabs" }),
  proposal("b", { key: hostile, value: `${hostile}\n${hostile}`, tags: [hostile], owner: hostile }),
  proposal("c", { value: "日本語の長い文章 🎉".repeat(40), key: "日本語".repeat(30) }),
  ...Array.from({ length: 30 }, (_, at) => proposal(`n${at}`)),
];

function step(state: InboxState, input: string): Step {
  let last: Step = { kind: "stay", state };
  for (const key of readKeys(input).keys.flatMap(apart)) {
    if (last.kind === "left") break;
    last = press(last.state, key, 9);
  }
  return last;
}

function apart(key: Key): readonly Key[] {
  if (key.name !== "text" || key.pasted === true) return [key];
  return [...key.text].map((text) => ({ name: "text", text }));
}

function typed(state: InboxState, input: string): InboxState {
  const last = step(state, input);
  if (last.kind === "left") throw new Error("left");
  return last.state;
}

const start = inboxState(entries);

test("letters decide about the chosen proposal, and what is pasted decides nothing", () => {
  expect(step(start, "a")).toMatchObject({ kind: "decide", decision: "approve" });
  expect(step(start, "jr")).toMatchObject({ kind: "decide", decision: "reject", state: { at: 1 } });
  expect(step(start, "u")).toMatchObject({ kind: "decide", decision: "undo" });
  expect(step(start, "\u001b[200~aarrq\u001b[201~")).toMatchObject({ kind: "stay", state: start });
  expect(step(start, "q").kind).toBe("left");
  expect(step(start, "\u0003").kind).toBe("left");
});

test("j, k, arrows and pages move within the list", () => {
  expect(typed(start, "jj\u001b[Bk").at).toBe(2);
  expect(typed(start, "k").at).toBe(0);
  expect(typed(start, "\u001b[6~").at).toBe(9);
  expect(typed(start, "Gj").at).toBe(entries.length - 1);
});

test("a slash filters by words, Enter keeps the filter, Esc shows all again before it leaves", () => {
  const found = typed(start, "/tabs ALWAYS\r");
  expect(found.matches.map(({ id }) => id)).toEqual(["a"]);
  expect(found.front.kind).toBe("list");
  expect(step(found, "a")).toMatchObject({ kind: "decide" });
  expect(typed(found, "\u0003").matches.length).toBe(entries.length);
  expect(typed(start, "/aar").query).toBe("aar");
});

test("e opens the text of a proposal, Enter approves what it became, Esc leaves it", () => {
  expect(step(start, "e\u001b[D\u001b[D\u001b[D\u001b[Dno \r")).toMatchObject({
    kind: "edited",
    text: "Always use no tabs",
    entry: { id: "a" },
  });
  expect(step(start, "e\u0015\r")).toMatchObject({
    kind: "stay",
    state: { front: { kind: "edit" } },
  });
  expect(typed(start, "exyz\u0003").front.kind).toBe("list");
  const rich = inboxState([proposal("m", { value: { port: 1 } })]);
  expect(typed(rich, "e")).toMatchObject({ front: { kind: "list" }, message: expect.any(String) });
});

test("a typed line is changed at its place, whatever letters it has", () => {
  let line = lineOf("ab🎉");
  for (const name of ["left", "backspace", "home", "delete"] as const)
    line = typedOn(line, { name }, 100)!;
  expect(line).toEqual({ text: "🎉", cursor: 0 });
  expect(typedOn(line, { name: "text", text: "xyz" }, 4)).toEqual({ text: "xy🎉", cursor: 2 });
  for (const columns of [1, 5, 20])
    for (const cursor of [0, 4, 8])
      expect(
        textWidth(shownLine({ text: "日本\u001b[2J語語語語", cursor }, columns)),
      ).toBeLessThanOrEqual(columns);
});

test("the sentence that was taken is quoted with the ones beside it", () => {
  const text = "One. Two is here.\nAlways use  tabs. Four. Five.";
  expect(sentencesAround(text, "always use tabs")).toBe("… Two is here. Always use tabs. Four. …");
  expect(sentencesAround("Only this.", "something else")).toBe("Only this.");
});

test("letters that nobody sees are written out for the person who decides", () => {
  const lines = proposalLines(
    proposal("h", { value: "use\u200b tabs 👨‍👩‍👧 \u{e0041}" }),
    { quotations: new Map() },
    { columns: 60, colours: colours(false), nowMs: Date.now() },
  );
  expect(lines.join("\n")).toContain("use<U+200B> tabs 👨‍👩‍👧 <U+E0041>");
  expect(lines.join("\n")).toContain("letters that nobody sees");
});

test.each([
  [80, 24],
  [40, 12],
  [200, 60],
  [20, 6],
])("a screen of %i x %i is never overrun, and no text acts on the terminal", (columns, rows) => {
  const size = { columns, rows };
  const paint = colours(false);
  const nowMs = Date.now();
  const evidence = [{ kind: "event", ref: `codex:${hostile}@1` }] as const;
  const other = proposal("x", { key: hostile, value: hostile });
  const states = ["", "j", "jj", "G", "/qq日本", "?", "\r", "j\r", "jje", "e", "jeq"].map((input) =>
    typed(start, input),
  );
  for (const state of [...states, { ...start, message: hostile }, inboxState([])]) {
    const chosen = state.matches[state.at];
    const known = {
      quotations: new Map([[evidence[0].ref, { role: "user", text: hostile }]]),
      taken: other,
      conflicts: [
        { newer: chosen ?? other, older: other, why: "update", isSettled: false } as const,
      ],
    };
    const preview =
      chosen === undefined
        ? []
        : proposalLines({ ...chosen, evidence }, known, {
            columns: proposalColumns(state, size),
            colours: paint,
            nowMs,
          });
    const lines = inboxLines(state, { ...size, colours: paint, nowMs, preview });
    expect(lines.length).toBeLessThanOrEqual(rows);
    for (const line of lines) {
      expect(textWidth(line)).toBeLessThanOrEqual(columns);
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    }
  }
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { itemsOf } from "../../../../src/programs/cli/home/item.ts";
import { keyRows } from "../../../../src/programs/cli/home/key-table.ts";
import { agreeMenu, filterMenu } from "../../../../src/programs/cli/home/menus.ts";
import { homeLines } from "../../../../src/programs/cli/home/screen.ts";
import {
  filtered,
  type HomeState,
  homeState,
  press,
  withContent,
} from "../../../../src/programs/cli/home/state.ts";
import { colours } from "../../../../src/programs/cli/terminal/colours.ts";
import { readKeys } from "../../../../src/programs/cli/terminal/picker/keys.ts";
import { layoutOf } from "../../../../src/programs/cli/terminal/picker/layout.ts";
import { lineOf } from "../../../../src/programs/cli/terminal/picker/typed-line.ts";
import { textWidth } from "../../../../src/programs/cli/terminal/width.ts";
import { hostileHead } from "../render/hostile.ts";
import { environment, scriptedAgent } from "../scripted-agent.ts";

const root = join(import.meta.dirname, "../../../..");
const escaped = (text: string): string => text.replace(/[?^]/g, "\\$&");

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

const items = itemsOf(sessions);

function typed(state: HomeState, input: string): HomeState {
  let now = state;
  for (const key of readKeys(input).keys) {
    const step = press(now, key, 9);
    if (step.kind !== "stay") throw new Error(step.kind);
    now = step.state;
  }
  return now;
}

const named = ({ matches }: HomeState): readonly string[] =>
  matches.map(({ session }) => session.head.session);

test("keys are read from what a terminal sends", () => {
  expect(
    readKeys("\u001b[A\u001bOB\u001b[5~\u001b[6~\r\u007f").keys.map(({ name }) => name),
  ).toEqual(["up", "down", "pageUp", "pageDown", "enter", "backspace"]);
  expect(readKeys("é🎉 x").keys).toEqual([{ name: "text", text: "é🎉 x" }]);
  expect(readKeys("\u001b[200;5H").keys).toEqual([]);
  expect(readKeys("\t\u0012\u0018").keys).toEqual([
    { name: "tab" },
    { name: "control", letter: "r" },
    { name: "control", letter: "x" },
  ]);
});

test("a lone escape waits for the rest of its sequence", () => {
  expect(readKeys("a\u001b")).toEqual({ keys: [{ name: "text", text: "a" }], rest: "\u001b" });
  expect(readKeys("\u001b[")).toEqual({ keys: [], rest: "\u001b[" });
  expect(readKeys("\u001b\u001b[A").keys.map(({ name }) => name)).toEqual(["escape", "up"]);
});

test("Alt with the erasing key takes a word away, and does not leave", () => {
  expect(readKeys("\u001b\u007f\u001b\b").keys).toEqual([
    { name: "eraseWord" },
    { name: "eraseWord" },
  ]);
});

test("Alt with a letter is none of our keys: it neither leaves nor types", () => {
  expect(readKeys("\u001bj\u001bd x").keys).toEqual([{ name: "text", text: " x" }]);
});

test("^J and ^K move as in vi, and a line end that comes without a mark of a paste is no Enter", () => {
  expect(readKeys("\n\u000b").keys.map(({ name }) => name)).toEqual(["down", "up"]);
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
  const start = homeState(items);
  const found = typed(start, "LIMIT rate");
  expect(named(found)).toEqual(["a1"]);
  expect(typed(found, "\u0015").matches.length).toBe(items.length);
  expect(typed(found, "zzz").matches).toEqual([]);
  expect(typed(typed(start, "rate zz"), "\u0017").query).toBe("rate ");
});

test("letters of a title or project may be left out, those of a long prompt may not", () => {
  const prompts = new Map([[items[5]!.key, "please rewrite the lexer of quotes"]]);
  const start = homeState(itemsOf(sessions, prompts));
  expect(named(typed(start, "rtlmt"))).toEqual(["a1"]);
  expect(named(typed(start, "lexer"))).toEqual([items[5]!.session.head.session]);
  expect(named(typed(start, "plswrtqts"))).toEqual([]);
});

test("what begins a word comes before what is within one, and pinned sessions come first", () => {
  const pinned = sessions.map((session, at) =>
    at === 7 ? { ...session, head: { ...session.head, pinned: true } } : session,
  );
  expect(named(homeState(itemsOf(pinned)))[0]).toBe(sessions[7]!.head.session);
  expect(named(typed(homeState(items), "session 3"))[0]).toMatch(/^n3/);
});

test("what the content answers comes behind what the letters find, and alone for filters and phrases", () => {
  const found = withContent(typed(homeState(items), "rate"), [{ item: items[9]!, event: "4" }]);
  expect(named(found)).toEqual(["a1", items[9]!.session.head.session]);
  const asked = typed(homeState(items), "agent:codex rate");
  expect(named(asked)).toEqual([]);
  expect(named(withContent(asked, [{ item: items[9]! }]))).toEqual([
    items[9]!.session.head.session,
  ]);
});

test("what was chosen stays chosen when the content answers", () => {
  const moved = typed(typed(homeState(items), "session"), "\u001b[B\u001b[B");
  const before = moved.matches[moved.at];
  const after = withContent(moved, [{ item: items[0]! }]);
  expect(after.matches[after.at]).toBe(before);
});

test("? and @ are keys only while nothing is typed", () => {
  const start = homeState(items);
  expect(typed(start, "?").front.kind).toBe("help");
  expect(typed(typed(start, "?"), "x").front.kind).toBe("list");
  expect(press(start, { name: "text", text: "@" }, 9).kind).toBe("here");
  expect(typed(start, "a?@").query).toBe("a?@");
});

test("the arrows move in what is typed, and letters go where the place is", () => {
  const state = typed(homeState(items), "rte\u001b[D\u001b[Da");
  expect(state.query).toBe("rate");
  const options = { columns: 80, rows: 24, colours: colours(false), nowMs: 0, verb: "show" };
  expect(homeLines(state, { ...options, preview: [] })[0]).toMatch(/^❯ ra▏te /);
  expect(typed(state, "\u001b[C\u001b[Cs").query).toBe("rates");
  expect(typed(state, "\u0017").query).toBe("te");
});

test("a filter leaves only its sessions, and Tab asks for one", () => {
  const start = homeState(items);
  expect(press(start, { name: "tab" }, 9)).toMatchObject({ kind: "act", action: "filter" });
  expect(named(filtered(start, { project: "web" }))).toEqual(["b2"]);
  expect(filtered(start, { agent: "pi" }).matches).toEqual([]);
  expect(filterMenu(items, {}).choices.map(({ value }) => value)).toContain("project:api");
});

test("a menu narrows by letters, Enter chooses, Esc goes back, and nothing is chosen at first but no", () => {
  const menu = agreeMenu("Delete?", "1 file");
  const open: HomeState = {
    ...homeState(items),
    front: { kind: "menu", menu, purpose: "delete", item: items[0]! },
  };
  expect(press(open, { name: "enter" }, 9)).toMatchObject({ chosen: { value: "" } });
  const yes = typed(open, "yes");
  expect(press(yes, { name: "enter" }, 9)).toMatchObject({ chosen: { value: "yes" } });
  expect(press(open, { name: "escape" }, 9)).toMatchObject({ state: { front: { kind: "list" } } });
  expect(press(open, { name: "escape", leaves: "always" }, 9).kind).toBe("left");
});

test("the choice stays inside the list", () => {
  const start = homeState(items);
  expect(typed(start, "\u001b[A").at).toBe(0);
  expect(typed(start, "\u001b[6~").at).toBe(9);
  expect(typed(start, "\u001b[F\u001b[B").at).toBe(items.length - 1);
});

test("escape leaves, after what is typed is cleared", () => {
  expect(press(homeState(items), { name: "escape" }, 9).kind).toBe("left");
  const cleared = press(typed(homeState(items), "rate"), { name: "escape" }, 9);
  expect(cleared).toMatchObject({ kind: "stay", state: { query: "" } });
});

test("escape takes back the filter before it leaves; ^D leaves only if nothing is typed", () => {
  const only = filtered(homeState(items), { agent: "codex" });
  expect(press(only, { name: "escape" }, 9)).toMatchObject({ kind: "stay", state: { filter: {} } });
  expect(press(only, { name: "escape", leaves: "empty" }, 9).kind).toBe("left");
  const asked = typed(only, "rate");
  expect(press(asked, { name: "escape", leaves: "empty" }, 9)).toEqual({
    kind: "stay",
    state: asked,
  });
});

test("the page of keys is turned where it is longer than the screen", () => {
  const options = { columns: 40, rows: 15, colours: colours(false), nowMs: 0, verb: "show" };
  let state = typed(homeState(items), "?");
  const seen = (): string => homeLines(state, { ...options, preview: [] }).join("\n");
  expect(seen()).toMatch(/PgDn: \d+ more/);
  for (let page = 0; page < 9; page += 1) state = typed(state, "\u001b[6~");
  expect(seen()).toContain("damaged");
  expect(typed(state, "x").front.kind).toBe("list");
});

test("a plan that is longer than its place is turned by pages to its end", () => {
  const options = { columns: 40, rows: 14, colours: colours(false), nowMs: 0, verb: "show" };
  const plan = Array.from({ length: 90 }, (_, at) => `step ${at};`).join(" ");
  const menu = agreeMenu("Delete this?", plan);
  let state: HomeState = { ...homeState(items), front: { kind: "menu", menu, purpose: "delete" } };
  const seen = (): string => homeLines(state, { ...options, preview: [] }).join("\n");
  expect(seen()).toMatch(/step 0;[\s\S]*PgDn: \d+ more/);
  expect(seen()).not.toContain("step 89;");
  for (let page = 0; page < 9; page += 1) state = typed(state, "\u001b[6~");
  expect(seen()).toContain("step 89;");
  expect(seen()).toContain("PgUp: back");
});

test("the line of keys offers the page of keys only while ? opens it", () => {
  const options = { columns: 80, rows: 24, colours: colours(false), nowMs: 0, verb: "show" };
  const bottom = (input: string): string =>
    homeLines(typed(homeState(items), input), { ...options, preview: [] }).at(-1)!;
  expect(bottom("")).toContain("? keys");
  expect(bottom("q")).not.toContain("? keys");
});

test("the page of keys has every key on a small screen", () => {
  const options = { columns: 40, rows: 20, colours: colours(false), nowMs: 0, verb: "show" };
  const page = homeLines(typed(homeState(items), "?"), { ...options, preview: [] }).join("\n");
  for (const { key } of keyRows) expect(page).toContain(`  ${key} `);
});

test("the page about the home screen has every key", () => {
  const page = readFileSync(join(root, "docs/home-screen.md"), "utf8");
  for (const { key } of keyRows) expect(page).toMatch(new RegExp(`^\\| ${escaped(key)}`, "m"));
});

test("a column that says the same of every session leaves its room to titles", () => {
  const size = { columns: 80, rows: 24 };
  const options = { ...size, colours: colours(false), nowMs: 0, verb: "show", preview: [] };
  const other = scriptedAgent("pi", [{ head: { session: "d4", title: "Other", cwd: "/p/api" } }]);
  const [ref] = [...other.locate(environment())];
  const more = { agent: other, ref: ref!, head: other.head(ref!, environment())! };
  const row = (state: HomeState): string =>
    homeLines(state, options).find((line) => line.includes("Rate limit"))!;
  const oneAgent = homeState(items);
  const twoAgents = homeState(itemsOf([...sessions, more]));
  expect(row(oneAgent)).toMatch(/ api +Rate limit/);
  expect(row(oneAgent)).not.toContain("codex");
  expect(row(twoAgents)).toMatch(/ codex +api +Rate limit/);
  expect(row(filtered(twoAgents, { agent: "codex" }))).not.toContain("codex");
  expect(row(filtered(twoAgents, { project: "api" }))).not.toMatch(/ api /);
});

test.each([
  [80, 24],
  [40, 12],
  [200, 60],
  [20, 6],
])("a screen of %i x %i is never overrun", (columns, rows) => {
  const options = { columns, rows, colours: colours(false), nowMs: Date.now(), verb: "show" };
  const { previewColumns } = layoutOf(options);
  const preview = Array.from({ length: 100 }, () => "x".repeat(previewColumns));
  const menu = agreeMenu("Delete this?", "a plan that is long ".repeat(20));
  const start = homeState(items);
  const states: readonly HomeState[] = [
    ...["", "\u001b[B", "\u001b[B\u001b[B", "\u001b[F", "q".repeat(300), "?"].map((input) =>
      typed(start, input),
    ),
    { ...start, front: { kind: "menu", menu, purpose: "delete" } },
    {
      ...start,
      front: { kind: "line", title: "tag:", line: lineOf("日本".repeat(40)), item: items[0]! },
    },
    { ...start, message: "said ".repeat(80) },
  ];
  for (const state of states) {
    const lines = homeLines(state, { ...options, preview });
    expect(lines.length).toBeLessThanOrEqual(rows);
    for (const line of lines) {
      expect(textWidth(line)).toBeLessThanOrEqual(columns);
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    }
  }
});

import { limits } from "../../../../base/limits.ts";
import type { MemoryEntry } from "../../../../memory/entry.ts";
import { textOf } from "../../../../memory/value.ts";
import type { Key } from "../../terminal/picker/keys.ts";
import { lineOf, type TypedLine, typedOn } from "../../terminal/picker/typed-line.ts";
import { type Decision, decisionOf } from "./key-table.ts";

/** What is in front of the list. */
export type Front =
  | { readonly kind: "list" }
  | { readonly kind: "help" }
  /** Words that narrow the list are being typed. */
  | { readonly kind: "filter" }
  /** The whole proposal, from some line on. */
  | { readonly kind: "whole"; readonly from: number }
  | { readonly kind: "edit"; readonly line: TypedLine; readonly entry: MemoryEntry };

/** All the inbox remembers between two keys. */
export interface InboxState {
  /** What waits, the newest first. */
  readonly entries: readonly MemoryEntry[];
  readonly query: string;
  readonly matches: readonly MemoryEntry[];
  readonly at: number;
  readonly front: Front;
  /** What became of the last decision; gone with the next key. */
  readonly message: string;
}

/** What a key led to. */
export type Step =
  | { readonly kind: "stay"; readonly state: InboxState }
  | { readonly kind: "decide"; readonly state: InboxState; readonly decision: Decision }
  | {
      readonly kind: "edited";
      readonly state: InboxState;
      readonly entry: MemoryEntry;
      readonly text: string;
    }
  | { readonly kind: "left" };

/** The screen before a key was pressed. */
export function inboxState(entries: readonly MemoryEntry[], query = ""): InboxState {
  const start = {
    entries,
    query,
    matches: [],
    at: 0,
    front: { kind: "list" },
    message: "",
  } as const;
  return matched(start);
}

/** The proposal that is chosen. */
export function chosenEntry({ matches, at }: InboxState): MemoryEntry | undefined {
  return matches[at];
}

/** The same with what waits now; `chosen` is the id of what is chosen then, else the place stays. */
export function withEntries(
  state: InboxState,
  entries: readonly MemoryEntry[],
  chosen?: string,
): InboxState {
  const next = matched({ ...state, entries });
  const at = next.matches.findIndex(({ id }) => id === chosen);
  return moved(next, at < 0 ? state.at : at);
}

/** What one key does; `pageRows` is how far a page moves. */
export function press(before: InboxState, key: Key, pageRows: number): Step {
  const state = { ...before, message: "" };
  switch (state.front.kind) {
    case "help":
      return stay(listed(state));
    case "filter":
      return pressFilter(state, key);
    case "edit":
      return pressEdit(state, state.front, key);
    case "whole":
      return pressWhole(state, state.front.from, { key, pageRows });
    case "list":
      return pressList(state, { key, pageRows });
  }
}

/** A key, and how far a page moves. */
interface Pressed {
  readonly key: Key;
  readonly pageRows: number;
}

function pressList(state: InboxState, { key, pageRows }: Pressed): Step {
  if (key.name === "escape")
    return state.query === "" ? { kind: "left" } : stay(filtered(state, ""));
  if (key.name === "enter") {
    const isAny = chosenEntry(state) !== undefined;
    return stay(isAny ? { ...state, front: { kind: "whole", from: 0 } } : state);
  }
  const to = movedBy(key, { at: state.at, pageRows, last: state.matches.length - 1 });
  if (to !== undefined) return stay(moved(state, to));
  if (letterOf(key) === "/") return stay({ ...state, front: { kind: "filter" } });
  return pressLetter(state, letterOf(key));
}

function pressWhole(state: InboxState, from: number, { key, pageRows }: Pressed): Step {
  if (key.name === "escape" || key.name === "enter" || letterOf(key) === "q")
    return stay(listed(state));
  const to = movedBy(key, { at: from, pageRows, last: Number.MAX_SAFE_INTEGER });
  if (to !== undefined) return stay({ ...state, front: { kind: "whole", from: Math.max(0, to) } });
  return pressLetter(listed(state), letterOf(key));
}

/** Letters that do something; what is pasted does nothing. */
function pressLetter(state: InboxState, letter: string): Step {
  const decision = decisionOf(letter);
  if (decision !== undefined) return { kind: "decide", state, decision };
  switch (letter) {
    case "q":
      return { kind: "left" };
    case "?":
      return stay({ ...state, front: { kind: "help" } });
    case "e":
      return stay(editing(state));
    default:
      return stay(state);
  }
}

function editing(state: InboxState): InboxState {
  const entry = chosenEntry(state);
  if (entry === undefined) return state;
  if (typeof entry.value !== "string")
    return { ...state, message: "Its value is not a text: use `reprise memory update`." };
  return { ...state, front: { kind: "edit", line: lineOf(entry.value), entry } };
}

function pressEdit(state: InboxState, front: Front & { kind: "edit" }, key: Key): Step {
  const { entry, line } = front;
  if (key.name === "escape") return stay({ ...listed(state), message: "Nothing was changed." });
  if (key.name === "enter") {
    const text = line.text.trim();
    if (text === "") return stay({ ...state, message: "A memory says something; Esc goes back." });
    return { kind: "edited", state: listed(state), entry, text };
  }
  const next = typedOn(line, key, Math.max(limits.typedChars, line.text.length)) ?? line;
  return stay({ ...state, front: { ...front, line: next } });
}

function pressFilter(state: InboxState, key: Key): Step {
  if (key.name === "enter") return stay(listed(state));
  if (key.name === "escape") return stay(listed(filtered(state, "")));
  const to = movedBy(key, { at: state.at, pageRows: 1, last: state.matches.length - 1 });
  if (to !== undefined && key.name !== "text") return stay(moved(state, to));
  const query = typedOn(lineOf(state.query), key, limits.typedChars)?.text ?? state.query;
  return stay(filtered(state, query));
}

function movedBy(
  key: Key,
  { at, pageRows, last }: { readonly at: number; readonly pageRows: number; readonly last: number },
): number | undefined {
  switch (letterOf(key) || key.name) {
    case "up":
    case "k":
      return at - 1;
    case "down":
    case "j":
      return at + 1;
    case "pageUp":
      return at - pageRows;
    case "pageDown":
      return at + pageRows;
    case "home":
    case "g":
      return 0;
    case "end":
    case "G":
      return last;
    default:
      return undefined;
  }
}

function letterOf(key: Key): string {
  return key.name === "text" && key.pasted !== true ? key.text : "";
}

function stay(state: InboxState): Step {
  return { kind: "stay", state };
}

function listed(state: InboxState): InboxState {
  return { ...state, front: { kind: "list" } };
}

function filtered(state: InboxState, query: string): InboxState {
  return query === state.query ? state : { ...matched({ ...state, query }), at: 0 };
}

function moved(state: InboxState, to: number): InboxState {
  return { ...state, at: Math.max(0, Math.min(state.matches.length - 1, to)) };
}

function matched(state: InboxState): InboxState {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  const has = ({ key, value, tags, owner, type }: MemoryEntry): boolean => {
    const text = [key, textOf(value), type, owner, ...tags].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return { ...state, matches: words.length === 0 ? state.entries : state.entries.filter(has) };
}

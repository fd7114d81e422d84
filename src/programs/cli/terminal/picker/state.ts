import type { FoundSession } from "../../../../agents/find-sessions.ts";
import type { Key } from "./keys.ts";

/** A session the picker offers, with the text its search looks at. */
export interface Item {
  readonly session: FoundSession;
  readonly text: string;
}

/** All the picker remembers between two keys. */
export interface PickerState {
  readonly items: readonly Item[];
  readonly query: string;
  readonly matches: readonly Item[];
  readonly at: number;
}

/** What a key led to: going on, a choice, or leaving. */
export type Step =
  | { readonly kind: "stay"; readonly state: PickerState }
  | { readonly kind: "chosen"; readonly session: FoundSession }
  | { readonly kind: "left" };

/** The picker before anything was typed. */
export function pickerState(sessions: readonly FoundSession[]): PickerState {
  const items = sessions.map((session) => ({ session, text: searchText(session) }));
  return { items, query: "", matches: items, at: 0 };
}

/** What one key does; `pageRows` is how far a page moves. */
export function press(state: PickerState, key: Key, pageRows: number): Step {
  switch (key.name) {
    case "enter": {
      const chosen = state.matches[state.at];
      return chosen === undefined ? stay(state) : { kind: "chosen", session: chosen.session };
    }
    case "escape":
      return { kind: "left" };
    case "up":
      return stay(moved(state, state.at - 1));
    case "down":
      return stay(moved(state, state.at + 1));
    case "pageUp":
      return stay(moved(state, state.at - pageRows));
    case "pageDown":
      return stay(moved(state, state.at + pageRows));
    case "home":
      return stay(moved(state, 0));
    case "end":
      return stay(moved(state, state.matches.length - 1));
    case "backspace":
      return stay(searched(state, [...state.query].slice(0, -1).join("")));
    case "clear":
      return stay(searched(state, ""));
    case "eraseWord":
      return stay(searched(state, state.query.replace(/\S+\s*$/, "")));
    case "text":
      return stay(searched(state, (state.query + key.text).slice(0, 200)));
  }
}

function stay(state: PickerState): Step {
  return { kind: "stay", state };
}

function moved(state: PickerState, to: number): PickerState {
  return { ...state, at: Math.max(0, Math.min(state.matches.length - 1, to)) };
}

function searched(state: PickerState, query: string): PickerState {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = state.items.filter(({ text }) => words.every((word) => text.includes(word)));
  return { ...state, query, matches, at: 0 };
}

function searchText({ head }: FoundSession): string {
  const { title, agent, session, cwd, project, git, model, tags = [] } = head;
  return [title, agent, session, cwd, project?.name, git?.branch, model, ...tags]
    .filter((part) => part !== undefined)
    .join("\n")
    .toLowerCase();
}

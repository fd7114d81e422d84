import type { FoundInSession } from "../../../../catalog/query/found.ts";
import { referenceOf, snippetText, titleText } from "../../render/found.ts";
import { relativeTime } from "../../render/time.ts";
import type { Colours } from "../colours.ts";
import { padded, truncated, wrapped } from "../width.ts";
import type { Key } from "./keys.ts";
import { queryLine } from "./query-line.ts";

/** All the search screen remembers between two keys. */
export interface SearchState {
  readonly query: string;
  readonly at: number;
  readonly sessions: readonly FoundInSession[];
  /** A word about the answer. */
  readonly says: string;
  /** How far the index is; empty where it is complete. */
  readonly building: string;
}

/** What a key led to: going on, a choice, or leaving. */
export type SearchStep =
  | { readonly kind: "stay"; readonly state: SearchState }
  | { readonly kind: "chosen"; readonly session: FoundInSession }
  | { readonly kind: "left" };

/** What one key does. */
export function pressKey(state: SearchState, key: Key): SearchStep {
  const moved = (to: number): SearchStep => {
    const at = Math.max(0, Math.min(state.sessions.length - 1, to));
    return { kind: "stay", state: { ...state, at } };
  };
  const typed = (query: string): SearchStep => ({ kind: "stay", state: { ...state, query } });
  switch (key.name) {
    case "enter": {
      const session = state.sessions[state.at];
      return session === undefined || session.gone
        ? { kind: "stay", state }
        : { kind: "chosen", session };
    }
    case "escape":
      return { kind: "left" };
    case "up":
      return moved(state.at - 1);
    case "down":
      return moved(state.at + 1);
    case "pageUp":
    case "home":
      return moved(0);
    case "pageDown":
    case "end":
      return moved(state.sessions.length - 1);
    case "backspace":
      return typed([...state.query].slice(0, -1).join(""));
    case "clear":
      return typed("");
    case "eraseWord":
      return typed(state.query.replace(/\S+\s*$/, ""));
    case "text":
      return typed((state.query + key.text).slice(0, 200));
  }
}

/** The screen as lines: what is typed, what was found, the events of the chosen session, keys. */
export function searchLines(
  state: SearchState,
  screen: {
    readonly columns: number;
    readonly rows: number;
    readonly colours: Colours;
    readonly plain: Colours;
    readonly nowMs: number;
  },
): readonly string[] {
  const { columns, rows, colours } = screen;
  const shown = Math.max(1, Math.min(rows - 1, Math.max(3, Math.floor((rows - 4) / 2))));
  const first = Math.max(
    0,
    Math.min(state.at - Math.floor(shown / 2), state.sessions.length - shown),
  );
  const list = state.sessions.slice(first, first + shown).map((session, index) => {
    const age = padded(relativeTime(session.facts.updatedMs, screen.nowMs), 10);
    const agent = columns >= 60 ? `${padded(session.ref.agent, 11)} ` : "";
    const isChosen = first + index === state.at;
    const line = `${isChosen ? "›" : " "} ${age} ${agent}${titleText(session)}`;
    const cut = padded(truncated(line, columns), columns);
    return isChosen ? colours.inverse(cut) : cut;
  });
  while (list.length < shown) list.push("");
  const room = Math.max(0, rows - shown - 4);
  const preview = previewOf(state.sessions[state.at], { ...screen, room });
  const rule = colours.dim("─".repeat(columns));
  const keys = "↑↓ choose   Enter resume   type to search   Esc leave";
  return [
    queryLine(state.query, state.says, screen),
    ...list,
    rule,
    ...preview,
    rule,
    colours.dim(truncated(state.building === "" ? keys : state.building, columns)),
  ].slice(0, rows);
}

function previewOf(
  session: FoundInSession | undefined,
  screen: { readonly columns: number; readonly plain: Colours; readonly room: number },
): readonly string[] {
  const lines: string[] = [];
  if (session !== undefined) {
    lines.push(truncated(referenceOf(session), screen.columns));
    for (const { number, kind, snippet } of session.events) {
      const text =
        snippet === undefined ? "" : snippetText(snippet, Number.POSITIVE_INFINITY, screen.plain);
      const place = number === "" ? "" : `@${number} `;
      lines.push(...wrapped(`${place}${kind}: ${text}`, screen.columns));
    }
  }
  const cut = lines.slice(0, screen.room);
  while (cut.length < screen.room) cut.push("");
  return cut;
}

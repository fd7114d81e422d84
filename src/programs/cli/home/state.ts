import { limits } from "../../../base/limits.ts";
import type { Key } from "../terminal/picker/keys.ts";
import { lineOf, type TypedLine, typedOn } from "../terminal/picker/typed-line.ts";
import { fuzzyScore } from "./fuzzy.ts";
import type { Item } from "./item.ts";
import { type Action, actionOf } from "./key-table.ts";
import { type Menu, pressInMenu } from "./menu.ts";

/** Which sessions the screen is about; all where a field is absent. */
export interface Filter {
  readonly agent?: string;
  readonly project?: string;
  readonly tag?: string;
  /** The keys of the sessions of this project. */
  readonly here?: ReadonlySet<string>;
}

/** What a menu offers to look at alone. */
export const filterKinds = ["agent", "project", "tag"] as const;

/** A session whose content has what was typed, and where. */
export interface ContentMatch {
  readonly item: Item;
  /** The event that fits best; absent where its title does. */
  readonly event?: string;
}

/** What is in front of the list. */
export type Front =
  | { readonly kind: "list" }
  /** `from`: the first line that is shown, if the page is longer than the screen. */
  | { readonly kind: "help"; readonly from: number }
  | { readonly kind: "menu"; readonly menu: Menu; readonly purpose: Purpose; readonly item?: Item }
  | {
      readonly kind: "line";
      readonly title: string;
      readonly line: TypedLine;
      readonly item: Item;
    };

/** How far the preview is turned at once. */
const turnedLines = 4;

/** What is chosen in a menu: for an action, or as the second choice that one needs. */
export type Purpose = Action | "start" | "ending";

/** All the home screen remembers between two keys. */
export interface HomeState {
  readonly items: readonly Item[];
  readonly filter: Filter;
  readonly query: string;
  /** Where in the query one types. */
  readonly cursor: number;
  /** What the list shows, best first. */
  readonly matches: readonly Item[];
  /** What the content of sessions answers to the query, as far as it is known. */
  readonly content: readonly ContentMatch[];
  readonly at: number;
  /** How many lines the preview is turned on from where it begins; back where negative. */
  readonly turned: number;
  readonly front: Front;
  /** What became of the last action; gone with the next key. */
  readonly message: string;
  /** Why the query cannot be read, or what was looked for instead. */
  readonly remark: string;
  /** How far the index is; empty where it is complete. */
  readonly building: string;
}

/** What a key led to. */
export type Step =
  | { readonly kind: "stay"; readonly state: HomeState }
  | {
      readonly kind: "act";
      readonly state: HomeState;
      readonly action: Action;
      readonly item?: Item;
    }
  | { readonly kind: "chosen"; readonly state: HomeState; readonly chosen: Chosen }
  | { readonly kind: "here"; readonly state: HomeState }
  | { readonly kind: "left" };

/** What was chosen in a menu, or typed on a line. */
export interface Chosen {
  readonly purpose: Purpose;
  readonly value: string;
  readonly item?: Item;
}

/** The screen before a key was pressed. */
export function homeState(items: readonly Item[], query = ""): HomeState {
  const state: HomeState = {
    items,
    filter: {},
    query,
    cursor: query.length,
    matches: [],
    content: [],
    at: 0,
    turned: 0,
    front: { kind: "list" },
    message: "",
    remark: "",
    building: "",
  };
  return matched(state);
}

/** The session that is chosen. */
export function chosenItem({ matches, at }: HomeState): Item | undefined {
  return matches[at];
}

/** Whether a query is in the language of searches: then the content alone answers it. */
export function isSearchQuery(query: string): boolean {
  return /(?:^|\s)(?:-\S|-?"|[a-z]+:\S|OR\s)/.test(query);
}

/** The same with other items, such as after one was tagged; what was chosen stays chosen. */
export function withItems(state: HomeState, items: readonly Item[]): HomeState {
  return kept(matched({ ...state, items }), chosenItem(state));
}

/** The same with one session chosen; if what is typed or the filter hides it, they go. */
export function withChosen(state: HomeState, item: Item): HomeState {
  const isShown = state.matches.some(({ key }) => key === item.key);
  const shown = isShown ? state : searched(filtered(state, {}), lineOf(""));
  return { ...kept(shown, item), turned: 0 };
}

/** The same with another filter. */
export function filtered(state: HomeState, filter: Filter): HomeState {
  return { ...matched({ ...state, filter, content: [] }), at: 0, turned: 0 };
}

/** The same with one agent, project or tag alone, or no longer so if it was; empty for all sessions. */
export function toggled(state: HomeState, choice: string): HomeState {
  const colon = choice.indexOf(":");
  const kind = filterKinds.find((name) => name === choice.slice(0, colon));
  if (kind === undefined) return filtered(state, {});
  const value = choice.slice(colon + 1);
  const { [kind]: before, ...rest } = state.filter;
  return filtered(state, before === value ? rest : { ...rest, [kind]: value });
}

/** The same with what the content answers; what was chosen stays chosen, unless nothing was. */
export function withContent(state: HomeState, content: readonly ContentMatch[]): HomeState {
  const before = chosenItem(state);
  const now = kept(matched({ ...state, content }), state.at === 0 ? undefined : before);
  return chosenItem(now)?.key === before?.key ? now : { ...now, turned: 0 };
}

function kept(state: HomeState, chosen: Item | undefined): HomeState {
  const at = chosen === undefined ? -1 : state.matches.findIndex(({ key }) => key === chosen.key);
  return at < 0
    ? { ...state, at: Math.max(0, Math.min(state.at, state.matches.length - 1)) }
    : { ...state, at };
}

function matched(state: HomeState): HomeState {
  return { ...state, matches: matchesOf(state) };
}

function matchesOf({ items, filter, query, content }: HomeState): readonly Item[] {
  const shown = items.filter((item) => passes(item, filter));
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return shown;
  // As they are now: one may have been tagged since.
  const now = new Map(items.map((item) => [item.key, item]));
  const byContent = content
    .map(({ item }) => now.get(item.key) ?? item)
    .filter((item) => passes(item, filter));
  if (isSearchQuery(query)) return byContent;
  const fitting = bestFirst(shown, words);
  if (byContent.length === 0) return fitting;
  const known = new Set(fitting.map(({ key }) => key));
  return [...fitting, ...byContent.filter(({ key }) => !known.has(key))];
}

/** The items that fit, the best first. Many share a score, so that few are to be sorted. */
function bestFirst(items: readonly Item[], words: readonly string[]): readonly Item[] {
  const byScore = new Map<number, Item[]>();
  for (const item of items) {
    const score = fuzzyScore(words, item.fields);
    if (score === undefined) continue;
    const equal = byScore.get(score);
    if (equal === undefined) byScore.set(score, [item]);
    else equal.push(item);
  }
  return [...byScore].sort(([a], [b]) => b - a).flatMap(([, equal]) => equal);
}

function passes(
  { session, project, key }: Item,
  { agent, project: wanted, tag, here }: Filter,
): boolean {
  return (
    (tag === undefined || session.head.tags?.includes(tag) === true) &&
    (agent === undefined || session.agent.name === agent) &&
    (wanted === undefined || project === wanted) &&
    (here === undefined || here.has(key))
  );
}

/** What one key does; `pageRows` is how far a page moves. */
export function press(before: HomeState, key: Key, pageRows: number): Step {
  if (key.name === "escape" && key.leaves === "always") return { kind: "left" };
  const state = { ...before, message: "" };
  switch (state.front.kind) {
    case "help":
      return pressHelp(state, state.front, key, pageRows);
    case "menu":
      return pressMenu(state, state.front, key);
    case "line":
      return pressLine(state, state.front, key);
    case "list":
      return pressList(state, key, pageRows);
  }
}

/** The page of keys turns where it is longer than the screen; any other key goes back. */
function pressHelp(
  state: HomeState,
  front: Front & { kind: "help" },
  key: Key,
  pageRows: number,
): Step {
  const far = { up: -1, down: 1, pageUp: -pageRows, pageDown: pageRows } as const;
  const lines = key.name in far ? far[key.name as keyof typeof far] : undefined;
  if (lines === undefined) return stay({ ...state, front: { kind: "list" } });
  return stay({ ...state, front: { kind: "help", from: Math.max(0, front.from + lines) } });
}

function pressMenu(state: HomeState, front: Front & { kind: "menu" }, key: Key): Step {
  const step = pressInMenu(front.menu, key);
  if (step.kind === "stay") return stay({ ...state, front: { ...front, menu: step.menu } });
  const closed: HomeState = { ...state, front: { kind: "list" } };
  if (step.kind === "left") return stay(closed);
  const { purpose, item } = front;
  const chosen = { purpose, value: step.value, ...(item !== undefined && { item }) };
  return { kind: "chosen", state: closed, chosen };
}

function pressLine(state: HomeState, front: Front & { kind: "line" }, key: Key): Step {
  const closed: HomeState = { ...state, front: { kind: "list" } };
  if (key.name === "escape") return stay(closed);
  if (key.name === "enter") {
    const { item, line } = front;
    const chosen = { purpose: "tag", value: line.text.trim(), item } as const;
    return { kind: "chosen", state: closed, chosen };
  }
  const line = typedOn(front.line, key, limits.tagChars) ?? front.line;
  return stay({ ...state, front: { ...front, line } });
}

function pressList(state: HomeState, key: Key, pageRows: number): Step {
  if (key.name === "text" && state.query === "") {
    if (key.text === "?") return stay({ ...state, front: { kind: "help", from: 0 } });
    if (key.text === "@") return { kind: "here", state };
  }
  const item = chosenItem(state);
  const act = (action: Action): Step => {
    return { kind: "act", state, action, ...(item !== undefined && { item }) };
  };
  switch (key.name) {
    case "enter":
      return act("show");
    case "tab":
      return act("filter");
    case "control": {
      const action = actionOf(key.letter);
      return action === undefined ? stay(state) : act(action);
    }
    case "escape":
      return pressEscape(state, key);
    case "scrollUp":
      return stay({ ...state, turned: state.turned - turnedLines });
    case "scrollDown":
      return stay({ ...state, turned: state.turned + turnedLines });
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
    default:
      return stay(typedIn(state, key));
  }
}

/** Esc takes back what is typed, then the filter, and then leaves; ^D only leaves, and only where nothing is typed. */
function pressEscape(state: HomeState, key: Key & { name: "escape" }): Step {
  if (state.query !== "") return stay(key.leaves === "empty" ? state : searched(state, lineOf("")));
  const isFiltered = Object.values(state.filter).some((value) => value !== undefined);
  return isFiltered && key.leaves === undefined ? stay(filtered(state, {})) : { kind: "left" };
}

function typedIn(state: HomeState, key: Key): HomeState {
  const line = { text: state.query, cursor: state.cursor };
  return searched(state, typedOn(line, key, limits.typedChars) ?? line);
}

function stay(state: HomeState): Step {
  return { kind: "stay", state };
}

function moved(state: HomeState, to: number): HomeState {
  return { ...state, turned: 0, at: Math.max(0, Math.min(state.matches.length - 1, to)) };
}

/** What the content answered to a query before says nothing about another one. */
function searched(state: HomeState, { text: query, cursor }: TypedLine): HomeState {
  if (query === state.query) return { ...state, cursor };
  return { ...matched({ ...state, query, cursor, content: [], remark: "" }), at: 0, turned: 0 };
}

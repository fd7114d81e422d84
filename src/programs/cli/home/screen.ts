import type { SessionHead } from "../../../model/head.ts";
import { shortAge } from "../render/time.ts";
import type { Colours } from "../terminal/colours.ts";
import { highlighted } from "../terminal/picker/highlight.ts";
import { messageLines } from "../terminal/picker/key-lines.ts";
import {
  aloneRows,
  firstShown,
  type Layout,
  layoutOf,
  listAndPanel,
  panelAlone,
} from "../terminal/picker/layout.ts";
import { queryLine } from "../terminal/picker/query-line.ts";
import { shownLine } from "../terminal/picker/typed-line.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { padded, textWidth, truncated } from "../terminal/width.ts";
import { helpLines, keysLine } from "./help.ts";
import type { Item } from "./item.ts";
import { menuLines } from "./menu.ts";
import { shownWords } from "./shown-words.ts";
import { chosenItem, type HomeState } from "./state.ts";

/** What the screen shows besides the state. */
export interface ScreenOptions {
  readonly columns: number;
  readonly rows: number;
  readonly colours: Colours;
  readonly nowMs: number;
  /** What Enter does, such as `show`. */
  readonly verb: string;
  /** The lines of the preview, already safe and no wider than its place. */
  readonly preview: readonly string[];
}

/** In fewer rows a menu and what it says would be cut off: it has the screen alone. */
const menuRows = 12;

/** In fewer rows the list has the place of a line that says how far the index is. */
const buildingRows = 10;

/** The home screen as lines: query, list, preview or what is in front of it, keys. Never more lines than rows. */
export function homeLines(state: HomeState, options: ScreenOptions): readonly string[] {
  const { colours, columns, rows } = options;
  const layout = layoutOf(options);
  const { query: text, cursor } = state;
  const top = queryLine({ text, cursor }, countsOf(state), options);
  const bottom = bottomLines(state, options);
  const { front } = state;
  if (front.kind === "help" || (front.kind === "menu" && layout.previewRows < menuRows)) {
    const whole = { columns, rows: aloneRows(rows), colours };
    const panel =
      front.kind === "menu"
        ? menuLines(front.menu, whole)
        : helpLines({ ...whole, from: front.from, verb: options.verb });
    return panelAlone({ top, panel, bottom }, options);
  }
  const list = listLines(state, layout, options);
  return listAndPanel({ top, list, panel: panelLines(state, layout, options), bottom }, options);
}

/** How many there are of how many, and which alone are looked at. */
function countsOf(state: HomeState): string {
  const { matches, items, filter, remark } = state;
  if (remark !== "") return remark;
  const only = [
    filter.agent,
    filter.project,
    filter.tag === undefined ? undefined : `#${filter.tag}`,
    filter.here === undefined ? undefined : "this project",
  ];
  const words = only.filter((word) => word !== undefined).map((word) => ` in ${word}`);
  return `${matches.length}/${items.length}${words.join("")}`;
}

/** What became of an action; else what can be typed, below how far the index is. */
function bottomLines(state: HomeState, options: ScreenOptions): readonly string[] {
  const { colours, columns, rows } = options;
  if (state.message !== "") return messageLines(state.message, options);
  const keys = bottomLine(state, options);
  if (state.building === "" || rows < buildingRows) return [keys];
  return [colours.dim(truncated(state.building, columns)), keys];
}

function bottomLine(state: HomeState, { colours, columns, verb }: ScreenOptions): string {
  if (state.front.kind === "line") {
    const { title: whole, line } = state.front;
    const title = truncated(whole, Math.floor(columns * 0.6));
    const room = columns - textWidth(title) - 1;
    return colours.bold(truncated(`${title} ${shownLine(line, room)}`, columns));
  }
  if (state.front.kind === "menu")
    return colours.dim(truncated("Enter choose   type to narrow   Esc back", columns));
  if (state.front.kind === "help") return colours.dim(truncated("any key goes back", columns));
  return colours.dim(keysLine({ columns, verb, isTyped: state.query !== "" }));
}

function panelLines(state: HomeState, layout: Layout, options: ScreenOptions): readonly string[] {
  const { previewRows: rows, previewColumns: columns } = layout;
  const { front } = state;
  const { colours } = options;
  return front.kind === "menu"
    ? menuLines(front.menu, { columns, rows, colours })
    : options.preview;
}

function listLines(state: HomeState, layout: Layout, options: ScreenOptions): readonly string[] {
  const { listRows: rows, listColumns: columns } = layout;
  const { matches, at } = state;
  const first = firstShown(at, matches.length, rows);
  const words = shownWords(state.query);
  const told = tellingColumns(state);
  const lines = matches
    .slice(first, first + rows)
    .map((item) =>
      rowLine(item, { ...options, ...told, columns, words, isChosen: item === chosenItem(state) }),
    );
  if (lines.length === 0) lines.push(padded(truncated("  nothing matches", columns), columns));
  while (lines.length < rows) lines.push(layout.isWide ? " ".repeat(columns) : "");
  return lines;
}

/** Which columns tell sessions apart: one that says the same of all would only take room from titles. */
interface TellingColumns {
  readonly hasAgents: boolean;
  readonly hasProjects: boolean;
}

function tellingColumns({ items, content, filter }: HomeState): TellingColumns {
  const [one] = items;
  const some = (differs: (item: Item) => boolean): boolean =>
    items.some(differs) || content.some(({ item }) => differs(item));
  return {
    hasAgents:
      filter.agent === undefined &&
      some(({ session }) => session.agent.name !== one?.session.agent.name),
    hasProjects:
      filter.project === undefined &&
      filter.here === undefined &&
      some(({ project }) => project !== one?.project),
  };
}

function rowLine(
  item: Item,
  options: ScreenOptions &
    TellingColumns & { readonly words: readonly string[]; readonly isChosen: boolean },
): string {
  const { colours, columns, nowMs, words, isChosen, hasAgents, hasProjects } = options;
  const { head } = item.session;
  const age = shortAge(Date.parse(head.updatedAt), nowMs).padStart(4);
  // What a narrow screen has no room for goes; the title stays.
  const agent = hasAgents && columns >= 60 ? ` ${padded(truncated(head.agent, 11), 11)}` : "";
  const projectColumns = hasProjects && columns >= 74 ? Math.min(24, Math.floor(columns / 5)) : 0;
  const project =
    projectColumns === 0
      ? ""
      : ` ${padded(truncated(item.project, projectColumns), projectColumns)}`;
  const lead = `${isChosen ? "›" : " "} ${age}${agent}${project} ${markOf(head)} `;
  const room = Math.max(1, columns - textWidth(lead));
  const copy = head.copyOf === undefined ? "" : " (copy)";
  const tags = copy + (head.tags ?? []).map((tag) => ` #${tag}`).join("");
  const tagged = truncated(safeLine(tags), Math.floor(room / 2));
  const title = padded(`${truncated(item.title, room - textWidth(tagged))}${tagged}`, room);
  if (isChosen) return colours.inverse(truncated(`${lead}${title}`, columns));
  const shown = truncated(lead, columns);
  return textWidth(shown) < textWidth(lead)
    ? shown
    : `${colours.dim(lead)}${highlighted(title, words, colours)}`;
}

/** What a session is marked with, in one letter: something wrong, pinned, how it was left. */
function markOf({ problem, pinned, state }: SessionHead): string {
  if (problem !== undefined) return "!";
  if (pinned) return "*";
  return state === "interrupted" ? "~" : " ";
}

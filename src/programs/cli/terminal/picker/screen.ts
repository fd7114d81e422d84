import { basename } from "node:path";
import { titleOf } from "../../render/heading.ts";
import { relativeTime } from "../../render/time.ts";
import type { Colours } from "../colours.ts";
import { safeLine } from "../terminal-text.ts";
import { padded, textWidth, truncated } from "../width.ts";
import { queryLine } from "./query-line.ts";
import type { Item, PickerState } from "./state.ts";

/** What the screen shows besides the state. */
export interface ScreenOptions {
  readonly columns: number;
  readonly rows: number;
  readonly colours: Colours;
  readonly nowMs: number;
  /** What Enter does, such as `show`. */
  readonly verb: string;
  /** The chosen session's last lines, already safe and no wider than the screen. */
  readonly preview: readonly string[];
}

/** How many sessions the list shows at a time; the lowest screen has one row for the query and one for them. */
export function listRows(rows: number): number {
  return Math.max(1, Math.min(rows - 1, Math.max(3, Math.floor((rows - 4) * 0.45))));
}

/** The picker as the lines of a screen: search, list, preview, keys. Never more lines than rows. */
export function pickerScreen(state: PickerState, options: ScreenOptions): readonly string[] {
  const { colours, columns, rows } = options;
  const shown = listRows(rows);
  const first = Math.max(
    0,
    Math.min(state.at - Math.floor(shown / 2), state.matches.length - shown),
  );
  const list = state.matches
    .slice(first, first + shown)
    .map((item, index) => itemLine(item, first + index === state.at, options));
  if (list.length === 0) list.push(colours.dim(truncated("  nothing matches", columns)));
  while (list.length < shown) list.push("");
  const previewRows = Math.max(0, rows - shown - 4);
  const preview = options.preview.slice(0, previewRows);
  while (preview.length < previewRows) preview.push("");
  const keys = `↑↓ choose   Enter ${options.verb}   type to search   Esc leave`;
  return [
    queryLine(state.query, `${state.matches.length}/${state.items.length}`, options),
    ...list,
    colours.dim("─".repeat(columns)),
    ...preview,
    colours.dim("─".repeat(columns)),
    colours.dim(truncated(keys, columns)),
  ].slice(0, rows);
}

function itemLine(
  item: Item,
  isChosen: boolean,
  { colours, columns, nowMs }: ScreenOptions,
): string {
  const { head } = item.session;
  const age = padded(relativeTime(Date.parse(head.updatedAt), nowMs), 10);
  const agent = padded(head.agent, 11);
  const project = padded(truncated(safeLine(basename(head.cwd ?? "")), 16), 16);
  // What a narrow screen has no room for goes; the title stays.
  const cells = [age, ...(columns >= 60 ? [agent] : []), ...(columns >= 80 ? [project] : [])];
  const room = Math.max(
    8,
    cells.reduce((rest, cell) => rest - textWidth(cell) - 1, columns - 2),
  );
  const title = padded(truncated(safeLine(titleOf(head)), room), room);
  const line = `${isChosen ? "›" : " "} ${[...cells, title].join(" ")}`;
  const cut = truncated(line, columns);
  return isChosen ? colours.inverse(cut) : cut;
}

import type { MemoryEntry } from "../../../../memory/entry.ts";
import { withHiddenShown } from "../../../../memory/plain-text.ts";
import { textOf } from "../../../../memory/value.ts";
import { shortAge } from "../../render/time.ts";
import type { Colours } from "../../terminal/colours.ts";
import { highlighted } from "../../terminal/picker/highlight.ts";
import { keyPage, keysLine, messageLines } from "../../terminal/picker/key-lines.ts";
import {
  aloneRows,
  firstShown,
  type Layout,
  layoutOf,
  listAndPanel,
  panelAlone,
} from "../../terminal/picker/layout.ts";
import { queryLine } from "../../terminal/picker/query-line.ts";
import { lineOf, shownLine } from "../../terminal/picker/typed-line.ts";
import { safeLine } from "../../terminal/terminal-text.ts";
import { padded, textWidth, truncated } from "../../terminal/width.ts";
import { inboxKeys } from "./key-table.ts";
import { chosenEntry, type InboxState } from "./state.ts";

/** What the screen shows besides the state. */
export interface InboxScreen {
  readonly columns: number;
  readonly rows: number;
  readonly colours: Colours;
  readonly nowMs: number;
  /** The lines about the chosen proposal, already safe and no wider than their place. */
  readonly preview: readonly string[];
}

/** How many columns the lines about a proposal have in the present state. */
export function proposalColumns(
  { front }: InboxState,
  size: { readonly columns: number; readonly rows: number },
): number {
  return front.kind === "whole" ? size.columns : layoutOf(size).previewColumns;
}

/** The inbox as lines: what waits, the chosen proposal, keys. Never more lines than rows. */
export function inboxLines(state: InboxState, options: InboxScreen): readonly string[] {
  const { columns, rows, colours, preview } = options;
  const { front } = state;
  const top = topLine(state, options);
  const bottom = bottomLines(state, options);
  if (front.kind === "help") {
    const about =
      "Agents are given only what you approve, store or explicitly ask to be remembered.";
    const panel = keyPage(inboxKeys, { columns, colours, about });
    return panelAlone({ top, panel, bottom }, options);
  }
  if (front.kind === "whole") {
    const from = Math.min(front.from, Math.max(0, preview.length - aloneRows(rows)));
    return panelAlone({ top, panel: preview.slice(from), bottom }, options);
  }
  const list = listLines(state, layoutOf(options), options);
  return listAndPanel({ top, list, panel: preview, bottom }, options);
}

function topLine(state: InboxState, { columns, colours }: InboxScreen): string {
  const { query, front, matches, entries } = state;
  if (front.kind === "filter" || query !== "")
    return queryLine(lineOf(query), `${matches.length}/${entries.length}`, { columns, colours });
  const waiting = entries.length === 1 ? "1 memory waits" : `${entries.length} memories wait`;
  return colours.bold(truncated(entries.length === 0 ? "The inbox is empty" : waiting, columns));
}

function bottomLines(state: InboxState, options: InboxScreen): readonly string[] {
  const { message } = state;
  return message === "" ? [bottomLine(state, options)] : messageLines(message, options);
}

function bottomLine({ front }: InboxState, { columns, colours }: InboxScreen): string {
  if (front.kind === "edit") {
    const title = columns < 40 ? "" : "edit: ";
    return truncated(`${title}${shownLine(front.line, columns - textWidth(title))}`, columns);
  }
  if (front.kind === "help") return colours.dim(truncated("any key goes back", columns));
  if (front.kind === "filter")
    return colours.dim(truncated("Enter keeps the filter   Esc shows all", columns));
  return colours.dim(keysLine(inboxKeys, columns));
}

function listLines(state: InboxState, layout: Layout, options: InboxScreen): readonly string[] {
  const { listRows: rows, listColumns: columns } = layout;
  const { matches, at, query } = state;
  const first = firstShown(at, matches.length, rows);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const lines = matches.slice(first, first + rows).map((entry) => {
    const isChosen = entry === chosenEntry(state);
    return rowLine(entry, { ...options, columns, words, isChosen });
  });
  if (lines.length === 0) {
    const says = query === "" ? "  nothing waits" : "  nothing matches";
    lines.push(padded(truncated(says, columns), columns));
  }
  while (lines.length < rows) lines.push(layout.isWide ? " ".repeat(columns) : "");
  return lines;
}

function rowLine(
  entry: MemoryEntry,
  options: InboxScreen & { readonly words: readonly string[]; readonly isChosen: boolean },
): string {
  const { colours, columns, nowMs, words, isChosen } = options;
  const age = shortAge(Date.parse(entry.createdAt), nowMs).padStart(4);
  // What a narrow screen has no room for goes; what it says stays.
  const from = columns >= 60 ? ` ${padded(truncated(entry.provenance, 9), 9)}` : "";
  const type = columns >= 76 ? ` ${padded(truncated(entry.type, 10), 10)}` : "";
  const lead = `${isChosen ? "›" : " "} ${age}${from}${type} `;
  const room = Math.max(1, columns - textWidth(lead));
  const name = entry.metadata["keyOf"] === "value" ? "" : `${entry.key}: `;
  const value = textOf(entry.value).slice(0, 1_000);
  const said = safeLine(withHiddenShown(`${name}${value}`)).replace(/\s+/g, " ");
  const line = padded(truncated(said, room), room);
  if (isChosen) return colours.inverse(truncated(`${lead}${line}`, columns));
  const shown = truncated(lead, columns);
  return textWidth(shown) < textWidth(lead)
    ? shown
    : `${colours.dim(lead)}${highlighted(line, words, colours)}`;
}

import type { Colours } from "../terminal/colours.ts";
import type { Key } from "../terminal/picker/keys.ts";
import { firstShown } from "../terminal/picker/layout.ts";
import { lineOf, typedOn } from "../terminal/picker/typed-line.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { truncated, wrapped } from "../terminal/width.ts";

/** One line to choose. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  /** What follows from it, shown below the choices while it is chosen. */
  readonly says?: string;
}

/** Some choices in place of the preview; letters narrow them. */
export interface Menu {
  readonly title: string;
  readonly choices: readonly Choice[];
  readonly query: string;
  readonly at: number;
}

/** What a key in a menu led to. */
export type MenuStep =
  | { readonly kind: "stay"; readonly menu: Menu }
  | { readonly kind: "chosen"; readonly value: string }
  | { readonly kind: "left" };

/** A menu before anything was typed. */
export function menuOf(title: string, choices: readonly Choice[], at = 0): Menu {
  return { title, choices, query: "", at };
}

/** The choices that have what was typed. */
export function shownChoices({ choices, query }: Menu): readonly Choice[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}

/** What one key does in a menu. */
export function pressInMenu(menu: Menu, key: Key): MenuStep {
  const shown = shownChoices(menu);
  const moved = (to: number): MenuStep => {
    return { kind: "stay", menu: { ...menu, at: Math.max(0, Math.min(shown.length - 1, to)) } };
  };
  const typed = (query: string): MenuStep => ({ kind: "stay", menu: { ...menu, query, at: 0 } });
  switch (key.name) {
    case "enter": {
      const choice = shown[menu.at];
      return choice === undefined
        ? { kind: "stay", menu }
        : { kind: "chosen", value: choice.value };
    }
    case "escape":
      return { kind: "left" };
    case "up":
      return moved(menu.at - 1);
    case "down":
    case "tab":
      return moved(menu.at + 1);
    case "pageUp":
    case "home":
      return moved(0);
    case "pageDown":
    case "end":
      return moved(shown.length - 1);
    default: {
      const line = typedOn(lineOf(menu.query), key, 100);
      return line === undefined || line.text === menu.query
        ? { kind: "stay", menu }
        : typed(line.text);
    }
  }
}

/** A menu as so many lines. */
export function menuLines(
  menu: Menu,
  place: { readonly columns: number; readonly rows: number; readonly colours: Colours },
): readonly string[] {
  const { columns, rows, colours } = place;
  const shown = shownChoices(menu);
  const chosen = shown[menu.at];
  const typed = menu.query === "" ? "" : `  ❯ ${safeLine(menu.query)}▏`;
  const title = colours.bold(truncated(`${menu.title}${typed}`, columns));
  const says = chosen?.says === undefined ? [] : wrapped(chosen.says, columns);
  const room = Math.max(1, rows - 1 - Math.min(says.length, Math.floor(rows / 2)));
  const count = Math.min(shown.length, room);
  const first = firstShown(menu.at, shown.length, count);
  const list = shown.slice(first, first + count).map(({ label }, index) => {
    const line = truncated(`${first + index === menu.at ? "›" : " "} ${safeLine(label)}`, columns);
    return first + index === menu.at ? colours.inverse(line) : line;
  });
  if (list.length === 0) list.push(colours.dim("  nothing matches"));
  return [title, ...list, ...says.map((line) => colours.dim(line))].slice(0, rows);
}

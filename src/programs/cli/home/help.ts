import type { Colours } from "../terminal/colours.ts";
import { padded, textWidth, truncated, wrapped } from "../terminal/width.ts";
import { keyRows } from "./key-table.ts";

/** The line of keys below the screen: as many as there is room for, the most needed first. */
export function keysLine({
  columns,
  verb,
}: {
  readonly columns: number;
  readonly verb: string;
}): string {
  const shown = keyRows.map(({ key, says, rank, action }) => {
    return { rank, text: `${key} ${action === "show" ? verb : says}` };
  });
  let kept = shown;
  const line = (): string => kept.map(({ text }) => text).join("  ");
  while (kept.length > 1 && textWidth(line()) > columns) {
    const last = Math.max(...kept.map(({ rank }) => rank));
    kept = kept.filter(({ rank }) => rank !== last);
  }
  return truncated(line(), columns);
}

/** The page of keys. */
export function helpLines({
  columns,
  colours,
}: {
  readonly columns: number;
  readonly colours: Colours;
}): readonly string[] {
  const keys = keyRows.flatMap(({ key, explains }) => {
    const [first = "", ...rest] = wrapped(explains, Math.max(8, columns - 8));
    return [`  ${colours.cyan(padded(key, 5))} ${first}`, ...rest.map((line) => `        ${line}`)];
  });
  const about = wrapped(
    'Type to search titles, projects and first prompts at once, and the text of sessions when you pause. Also: "a phrase", -not, agent:codex, since:7d.',
    Math.max(8, columns - 2),
  );
  return [colours.bold("Keys"), ...keys, "", ...about.map((line) => `  ${line}`)];
}

import { withoutTags } from "../../model/injected.ts";
import type { MemoryEntry } from "../entry.ts";
import { lineOf } from "../entry-line.ts";

/**
 * An entry as one line of a page that agents read by themselves. They take `@path` in such a page for a file to read, but
 * not in code; and a comment that is not closed would hide what follows it.
 */
export function publishedLine(entry: Parameters<typeof lineOf>[0]): string {
  const said = withoutTags(lineOf(entry)).slice(2).replaceAll("<!--", "<! --");
  return said.includes("@") ? `- ${asCode(said)}` : `- ${said}`;
}

/** Code, however many backticks are in it. */
function asCode(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const marks = "`".repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  const isBare = !text.startsWith("`") && !text.endsWith("`");
  return isBare ? marks + text + marks : `${marks} ${text} ${marks}`;
}

/** Every line under which an entry may have been published: one for each version of it. */
export function linesEverOf(
  entry: MemoryEntry,
  versions: readonly { readonly value: unknown }[],
): ReadonlySet<string> {
  return new Set([entry, ...versions.map(({ value }) => ({ ...entry, value }))].map(publishedLine));
}

import { withoutTags } from "../../model/injected.ts";
import type { MemoryEntry } from "../entry.ts";
import { lineOf } from "../entry-line.ts";

/**
 * An entry as one line of a page that agents read by themselves. Some put the file in place of `@path` in such a page, in
 * code too, if a blank stands before it: a backslash keeps them from it, and means the same to a shell and in Markdown. A
 * comment that is not closed would hide what follows it.
 */
export function publishedLine(entry: Parameters<typeof lineOf>[0]): string {
  return withoutTags(lineOf(entry))
    .replaceAll("<!--", "<! --")
    .replace(/(?<![\w\\])@/g, "\\@");
}

/** Every line under which an entry may have been published: one for each version of it. */
export function linesEverOf(
  entry: MemoryEntry,
  versions: readonly { readonly value: unknown }[],
): ReadonlySet<string> {
  return new Set([entry, ...versions.map(({ value }) => ({ ...entry, value }))].map(publishedLine));
}

import { limits } from "../base/limits.ts";
import type { MemoryEntry } from "./entry.ts";
import { isQuotation } from "./injectable.ts";
import { plainLine } from "./plain-text.ts";
import { textOf } from "./value.ts";

/** An entry as one line for a model, without what cannot be seen; what somebody else said is in quotation marks. */
export function lineOf(
  entry: Pick<MemoryEntry, "key" | "value" | "metadata" | "provenance">,
): string {
  const shown = isQuotation(entry) ? quoted : (text: string) => text;
  const said = shown(plainLine(textOf(entry.value), limits.digestLineChars));
  if (entry.metadata["keyOf"] === "value") return `- ${said}`;
  return `- ${shown(plainLine(entry.key, limits.digestLineChars))}: ${said}`;
}

/** A mark of its own would end the quotation early, and the rest would read as ours. */
function quoted(text: string): string {
  return `"${text.replace(/["\u201c-\u201f]/g, "'")}"`;
}

const weights: Readonly<Partial<Record<MemoryEntry["type"], number>>> = {
  preference: 2,
  decision: 1,
};

/** Preferences, decisions, then the rest; of each the newest first. */
export function byWeight(a: MemoryEntry, b: MemoryEntry): number {
  const difference = (weights[b.type] ?? 0) - (weights[a.type] ?? 0);
  return difference || (a.updatedAt < b.updatedAt ? 1 : -1);
}

import type { Evidence, MemoryEntry, Provenance } from "../../memory/entry.ts";
import { isStale } from "../../memory/stale.ts";
import { type Item, label } from "./answer.ts";

/** What is said about a memory beside its text: how it is named, whose it is, and how far it can be trusted. */
export function memoryLine(entry: MemoryEntry): string {
  const facts = [
    ...(entry.status === "kept" ? [] : [entry.status]),
    ...(isStale(entry) ? ["stale: what it rests on has changed"] : []),
    provenanceText(entry.provenance),
    `owner ${label(entry.owner, 64)}`,
    entry.type,
    entry.updatedAt.slice(0, 10),
  ];
  return `- memory ${label(entry.id)} · ${facts.join(" · ")}`;
}

/** Who said what a memory says. */
export function provenanceText(provenance: Provenance): string {
  return provenance === "imported" ? "imported" : `said by the ${provenance}`;
}

/** What proves a memory, as a line; none if nothing does. */
export function evidenceLine(evidence: readonly Evidence[]): readonly string[] {
  if (evidence.length === 0) return [];
  const named = evidence.map((one) =>
    one.kind === "event" ? one.ref : one.kind === "file" ? one.path : one.commit,
  );
  return [`  evidence: ${named.map((one) => label(one)).join(", ")}`];
}

/** A memory with its key, its text and its evidence. */
export function memoryItem(entry: MemoryEntry): Item {
  const text = typeof entry.value === "string" ? entry.value : JSON.stringify(entry.value ?? null);
  const from = `memory:${entry.id}`;
  return {
    pieces: [
      memoryLine(entry),
      { text: entry.key, from, as: "key" },
      { text, from, as: entry.type },
      ...evidenceLine(entry.evidence),
    ],
  };
}

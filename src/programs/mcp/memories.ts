import type { MemoryEntry } from "../../memory/entry.ts";
import { isStale } from "../../memory/stale.ts";
import { type Item, label } from "./answer.ts";

/** What is said about a memory beside its text: how it is named, whose it is, and how far it can be trusted. */
export function memoryLine(entry: MemoryEntry): string {
  const marks = [
    ...(entry.status === "kept" ? [] : [entry.status]),
    ...(isStale(entry) ? ["stale: what it rests on has changed"] : []),
    `said by the ${entry.provenance === "imported" ? "source it was imported from" : entry.provenance}`,
    `owner ${label(entry.owner, 64)}`,
    entry.type,
    entry.updatedAt.slice(0, 10),
  ];
  return `- memory ${label(entry.id)} · ${marks.join(" · ")}`;
}

/** A memory with its key, its text and its evidence. */
export function memoryItem(entry: MemoryEntry): Item {
  const evidence = entry.evidence.map((one) =>
    one.kind === "event" ? one.ref : one.kind === "file" ? one.path : one.commit,
  );
  const text = typeof entry.value === "string" ? entry.value : JSON.stringify(entry.value ?? null);
  const from = `memory:${entry.id}`;
  return {
    pieces: [
      memoryLine(entry),
      { text: entry.key, from, as: "key" },
      { text, from, as: entry.type },
      ...(evidence.length > 0
        ? [`  evidence: ${evidence.map((one) => label(one)).join(", ")}`]
        : []),
    ],
  };
}

import { join } from "node:path";
import { fileStat, smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import type { AgentMemories, StoredNote } from "../memories-contract.ts";
import { foldersHere } from "../project-folders.ts";
import { entriesIn, type MemoryEntry } from "./entries.ts";
import { storedEntries } from "./read/store-content.ts";
import { memoryDatabase } from "./roots.ts";

/** What its hooks write about the course of the work, which nobody meant to keep, and hand-overs of ours. */
const bookkeeping =
  /^(?:handoff|hooks:.*|task-index|file-history|coordination|sessions|session-states|session-metrics|performance-metrics|command-history|command-results)$/;

/** Where claude-flow's own memories lie: a database in the project, or a file of its simpler mode. */
export const memories: AgentMemories = {
  pages: () => [],
  *notes(scope, env) {
    if (scope === "user") return;
    for (const folder of foldersHere(env)) {
      const database = memoryDatabase(folder);
      if (fileStat(database) !== undefined)
        yield* meant(
          entriesIn(database, () => undefined),
          database,
        );
      const file = join(folder, "memory", "memory-store.json");
      const text = smallFile(file, limits.settingsBytes);
      if (text !== undefined) yield* meant(storedEntries(text), file);
    }
  },
};

function* meant(entries: Iterable<MemoryEntry>, path: string): Generator<StoredNote> {
  for (const { key, namespace, content } of entries)
    if (!bookkeeping.test(namespace)) yield { text: content, path, heading: key };
}

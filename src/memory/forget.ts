import { rmSync } from "node:fs";
import { join } from "node:path";
import { isoNow } from "../base/clock.ts";
import { namesIn } from "../base/folders.ts";
import { uuidv7 } from "../base/ids.ts";
import type { Home } from "../store/home.ts";
import { forgetInBackups } from "./backup/forget-in-backups.ts";
import type { MemoryEntry } from "./entry.ts";
import { lineOf } from "./entry-line.ts";
import type { StoredEntry } from "./fact.ts";
import { entryWith } from "./find.ts";
import { removeIndex } from "./index-file.ts";
import { memoryFolder } from "./namespace.ts";
import type { NamespaceLog } from "./namespace-log.ts";
import { printOf } from "./print.ts";
import { publishedLine } from "./publish/published-line.ts";
import { scrub } from "./scrub.ts";
import { jsonOf, textOf } from "./value.ts";

/** What was forgotten. Sessions that hold the same text are not changed. */
export interface Forgotten {
  readonly ids: readonly string[];
  /** The sessions that were evidence for it, as references. */
  readonly sessions: readonly string[];
}

/**
 * Takes every version of entries out of the logs, the backups of the home, the index and what was set aside. The order: the log first, in one
 * step, so that nothing derived can bring the text back; then what is derived. A kill in between leaves an index that
 * belongs to no log any more, and it is made anew before it answers.
 */
export function forgetIn(
  {
    home,
    owner,
    logOf,
  }: { readonly home: Home; readonly owner: string; logOf(namespace: string): NamespaceLog },
  entries: readonly MemoryEntry[],
): Forgotten {
  const texts: string[] = [];
  for (const namespace of new Set(entries.map((entry) => entry.namespace))) {
    const some = entries.filter((entry) => entry.namespace === namespace);
    const ids = new Set(some.map(({ id }) => id));
    const tombstone = {
      at: isoNow(),
      fact: {
        kind: "forget",
        op: uuidv7(),
        by: owner,
        ids: [...ids],
        prints: some.map(entryPrint),
        types: some.map(({ type }) => type),
      },
    } as const;
    logOf(namespace).rewrite(
      (fact) => {
        if (fact.kind !== "put" || !ids.has(fact.entry.id)) return fact;
        texts.push(...textsOf(fact.entry, namespace));
        return undefined;
      },
      [tombstone],
    );
  }
  forgetInBackups(home, new Set(entries.map(({ id }) => id)));
  const quarantine = join(memoryFolder(home.root), "quarantine");
  for (const name of namesIn(quarantine)) rmSync(join(quarantine, name), { force: true });
  removeIndex(home.derived);
  scrub(home.root, [...new Set(texts)]);
  const refs = entries.flatMap(({ evidence }) =>
    evidence.flatMap((one) => (one.kind === "event" ? [one.ref] : [])),
  );
  return { ids: entries.map(({ id }) => id), sessions: [...new Set(refs)] };
}

/** How a version of an entry may stand elsewhere: as it is, and as a line for a model. */
function textsOf(stored: StoredEntry, namespace: string): readonly string[] {
  const json = jsonOf(stored) ?? "";
  try {
    const entry = entryWith(stored, { json, namespace });
    const lines = [lineOf(entry), publishedLine(entry)];
    return [textOf(entry.value), ...lines.map((line) => line.slice(2))];
  } catch {
    // Its value is damaged: nobody was ever shown more than this.
    return [json];
  }
}

function entryPrint({ value }: MemoryEntry): string {
  return printOf(textOf(value));
}

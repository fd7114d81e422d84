import { asArray, asNumber, asString, isObject } from "../../base/json.ts";
import { journalEntries } from "../../log/journal.ts";
import type { Home } from "../../store/home.ts";

/**
 * Files we wrote into other agents' stores as copies of sessions, and how long the copies are: what they
 * state was spent in the session they came from.
 */
export function copiedFiles(home: Home): ReadonlyMap<string, number> {
  const copies = new Map<string, number>();
  try {
    for (const { kind, data } of journalEntries(home.journal)) {
      const written = kind === "convert" ? data["written"] : undefined;
      for (const file of asArray(isObject(written) ? written["files"] : undefined)) {
        if (!isObject(file)) continue;
        const path = asString(file["path"]);
        const sizeBytes = asNumber(file["sizeBytes"]);
        if (path !== undefined && sizeBytes !== undefined) copies.set(path, sizeBytes);
      }
    }
  } catch {
    // A journal that cannot be read costs the knowledge of copies, not the report.
  }
  return copies;
}

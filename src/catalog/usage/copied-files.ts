import { asArray, asNumber, asString, isObject, type JsonObject } from "../../base/json.ts";
import { journalEntries } from "../../log/read-journal.ts";
import type { Import } from "../../model/usage-scan.ts";
import type { Home } from "../../store/home.ts";

/** What the journal knows to be copied from other sessions: what it states was spent in these. */
export interface Copies {
  /** Files we wrote into other agents' stores, and how many bytes of them are copy. */
  readonly files: ReadonlyMap<string, number>;
  /** Sessions of our own that begin with another one; by session, because a home may be moved. */
  readonly imports: ReadonlyMap<string, Import>;
}

/** Every copy the journal reports. */
export function copiedFiles(home: Home): Copies {
  const files = new Map<string, number>();
  const imports = new Map<string, Import>();
  try {
    for (const { kind, data } of journalEntries(home.journal, ["convert", "import"])) {
      if (kind === "convert") putFiles(files, data);
      else putImport(imports, data);
    }
  } catch {
    // A journal that cannot be read costs the knowledge of copies, not the report.
  }
  return { files, imports };
}

function putFiles(files: Map<string, number>, data: JsonObject): void {
  const written = data["written"];
  for (const file of asArray(isObject(written) ? written["files"] : undefined)) {
    if (!isObject(file)) continue;
    const path = asString(file["path"]);
    const sizeBytes = asNumber(file["sizeBytes"]);
    if (path !== undefined && sizeBytes !== undefined) files.set(path, sizeBytes);
  }
}

function putImport(imports: Map<string, Import>, data: JsonObject): void {
  const from = isObject(data["from"]) ? data["from"] : {};
  const [into, last] = [asString(data["session"]), asNumber(data["last"])];
  const [agent, session] = [asString(from["agent"]), asString(from["session"])];
  if (into === undefined || last === undefined) return;
  if (agent !== undefined && session !== undefined) imports.set(into, { agent, session, last });
}

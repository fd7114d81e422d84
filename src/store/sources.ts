import { fileStat } from "../base/folders.ts";
import { asArray, asString, type JsonObject } from "../base/json.ts";
import { record, recordAnew } from "../log/journal.ts";
import { journalEntries } from "../log/read-journal.ts";
import type { EventId } from "../model/event.ts";
import type { Home } from "./home.ts";

/** A file or folder with sessions that the user named, because no agent would look there by itself. */
export interface Source {
  readonly path: string;
  /** The agents whose sessions were found in it when it was added. */
  readonly agents: readonly string[];
  readonly addedAt: string;
}

const kind = "source";

// A list asks several times in one process. What was read counts while the journal has the size and time it had.
let known: { readonly state: string; readonly sources: readonly Source[] } | undefined;

/** The sources the user added and did not remove, in the order they were added: facts of the journal (P11). */
export function sourcesOf(home: Home): readonly Source[] {
  const stat = fileStat(home.journal);
  if (stat === undefined) return [];
  const state = `${home.journal} ${stat.sizeBytes} ${stat.modifiedMs}`;
  if (known?.state !== state) known = { state, sources: sourcesIn(home) };
  return known.sources;
}

function sourcesIn(home: Home): readonly Source[] {
  const sources = new Map<string, Source>();
  for (const { at, data } of journalEntries(home.journal, [kind])) {
    const path = asString(data["path"]);
    if (path === undefined) continue;
    if (data["change"] === "added") {
      sources.set(path, { path, agents: namesIn(data), addedAt: at });
    } else sources.delete(path);
  }
  return [...sources.values()];
}

/** Adds a source; returns the entry of the journal that undoes it. */
export function addSource(home: Home, source: Pick<Source, "path" | "agents">): EventId {
  return recordAnew(home.journal, kind, () => ({ ...source, change: "added" }));
}

/** Removes a source from the list, and nothing from the disk; returns the entry of the journal that undoes it. */
export function removeSource(home: Home, { path, agents }: Source): EventId {
  return recordAnew(home.journal, kind, () => ({ path, agents, change: "removed" }));
}

/** Takes the adding or the removal of a source back. */
export async function undoSource(home: Home, data: JsonObject): Promise<string> {
  const path = asString(data["path"]) ?? "";
  const wasAdded = data["change"] === "added";
  const change = wasAdded ? "removed" : "added";
  record(home.journal, kind, { path, agents: namesIn(data), change, replaces: true });
  return wasAdded ? `${path} is no longer a source` : `${path} is a source again`;
}

function namesIn(data: JsonObject): readonly string[] {
  return asArray(data["agents"]).filter((name) => typeof name === "string");
}

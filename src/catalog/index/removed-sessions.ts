import { asArray, asNumber, asString, isObject, type JsonObject } from "../../base/json.ts";
import { type JournalEntry, journalEntries } from "../../log/read-journal.ts";
import type { EventId } from "../../model/event.ts";
import type { Home } from "../../store/home.ts";
import { ownAgent } from "../../store/own-agent.ts";
import type { KnownSource } from "./source.ts";

/* Sessions that this program took away because a person asked for it: the index keeps nothing of them. */

/** Entries that take sessions away, and are undone by bringing them back. */
const takesAway = new Set(["delete", "prune"]);

/** Entries that add sessions, and are undone by taking them away. */
const adds = new Set(["import", "convert"]);

/** Whether a source that vanished was deleted, pruned or undone here, by the journal's word. */
export function removedSessions(
  home: Home,
): (source: Pick<KnownSource, "agent" | "session" | "named" | "path">) => boolean {
  const removed = new Set<string>();
  const known = new Map<EventId, JournalEntry>();
  const apply = (entry: JournalEntry, isThere: boolean): void => {
    for (const name of namesIn(entry)) {
      if (isThere) removed.delete(name);
      else removed.add(name);
    }
  };
  for (const entry of journalEntries(home.journal, [...takesAway, ...adds, "undone"])) {
    const { id, kind, data } = entry;
    if (takesAway.has(kind) || adds.has(kind)) {
      known.set(id, entry);
      apply(entry, adds.has(kind));
    } else {
      for (const number of [data["entry"], ...asArray(data["also"])]) {
        const undone = known.get(asNumber(number) ?? 0);
        if (undone !== undefined) apply(undone, takesAway.has(undone.kind));
      }
    }
  }
  return ({ agent, session, named, path }) =>
    removed.has(path) ||
    removed.has(`${agent}:${session}`) ||
    (named !== null && removed.has(`${agent}:${named}`));
}

/** The sessions an entry is about, by reference and by file. */
function namesIn({ kind, data }: JournalEntry): readonly string[] {
  if (kind === "delete") {
    const files = asArray(data["files"]).flatMap((file) => asString(file) ?? []);
    return [`${String(data["agent"])}:${String(data["session"])}`, ...files];
  }
  if (kind === "convert") {
    const written = isObject(data["written"]) ? data["written"]["ref"] : undefined;
    return isObject(written) ? [`${String(written["agent"])}:${String(written["session"])}`] : [];
  }
  return [data, ...asArray(data["removed"]), ...asArray(data["sessions"])]
    .filter(isObject)
    .flatMap(ownNames);
}

function ownNames(data: JsonObject): readonly string[] {
  const session = asString(data["session"]);
  return session === undefined ? [] : [`${ownAgent}:${session}`];
}

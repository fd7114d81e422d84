import { timeOf } from "../../base/clock.ts";
import { exists } from "../../base/disk.ts";
import { asNumber, asString } from "../../base/json.ts";
import { record } from "../../log/journal.ts";
import { journalEntries } from "../../log/read-journal.ts";
import type { Connection } from "../../sqlite/connection.ts";
import { conversionsOf } from "../../store/copies.ts";
import type { Home } from "../../store/home.ts";
import { marksOf } from "../../store/marks.ts";
import { journalStamp, knowsJournal, settingOf } from "./journal-stamp.ts";
import { removedSessions } from "./removed-sessions.ts";
import { sourceState } from "./schema.ts";
import type { Source } from "./source.ts";
import type { CatalogWriter } from "./writer.ts";

/*
 * What the index knows from the journal: titles and tags the user gave to other agents' sessions, and
 * sightings, which say that a session was here once. Both outlive the index.
 */

/** Brings the journal's titles and tags, and when copies were written, into the index, where the journal or the sessions are new to it. */
export function applyMarks(
  connection: Connection,
  writer: CatalogWriter,
  { home, hasNew }: { readonly home: Home; readonly hasNew: boolean },
): void {
  if (!hasNew && knowsJournal(connection, home)) return;
  const before = markedSources(connection);
  writer.run(
    `update source set marked_title = null, marked_tags = null, copied = null
     where marked_title is not null or marked_tags is not null or copied is not null`,
  );
  for (const [name, { title, tags }] of marksOf(home)) {
    const at = name.indexOf(":");
    writer.run(
      "update source set marked_title = ?, marked_tags = ? where agent = ? and coalesce(named, session) = ?",
      title ?? null,
      tags === undefined ? null : JSON.stringify(tags),
      name.slice(0, at),
      name.slice(at + 1),
    );
  }
  for (const [name, { at }] of conversionsOf(home)) {
    const end = name.indexOf(":");
    writer.run(
      "update source set copied = ? where agent = ? and coalesce(named, session) = ?",
      timeOf(at) ?? null,
      name.slice(0, end),
      name.slice(end + 1),
    );
  }
  const after = markedSources(connection);
  for (const [id, { title, title_event }] of new Map([...before, ...after])) {
    const isSame = before.get(id)?.marked_title === after.get(id)?.marked_title;
    // The others are found as they are called.
    if (!isSame || title_event === null) writer.setTitle(id, title ?? "");
  }
  writer.run(
    "insert or replace into setting (name, value) values ('journal', ?)",
    journalStamp(home),
  );
}

type MarkedSource = Pick<Source, "id" | "title" | "title_event" | "marked_title">;

/** The sources the user gave a title, by their number. */
function markedSources(connection: Connection): ReadonlyMap<number, MarkedSource> {
  const rows = connection
    .prepare(
      "select id, title, title_event, marked_title from source where marked_title is not null",
    )
    .all() as MarkedSource[];
  return new Map(rows.map((row) => [row.id, row]));
}

/** Writes down in the journal that sessions were here and are gone. */
export function recordSightings(connection: Connection, home: Home, ids: readonly number[]): void {
  if (ids.length === 0) return;
  const told = new Set(
    [...sightings(home)].map(({ agent, path, part }) => `${agent}\n${part}\n${path}`),
  );
  const select = connection.prepare("select * from source where id = ?");
  for (const id of ids) {
    const { agent, session, path, part, title, cwd, created, updated } = select.get(id) as Source;
    if (told.has(`${agent}\n${part}\n${path}`)) continue;
    try {
      record(home.journal, "sighting", {
        agent,
        session,
        path,
        part,
        title,
        cwd,
        created,
        updated,
      });
    } catch {
      // The index still knows it; only a rebuild would not.
      return;
    }
  }
}

interface Sighting {
  readonly agent: string;
  readonly session: string;
  readonly path: string;
  readonly part: string;
  readonly title: string | null;
  readonly cwd: string | null;
  readonly created: number | null;
  readonly updated: number | null;
}

function* sightings(home: Home): Generator<Sighting> {
  for (const { data } of journalEntries(home.journal, ["sighting"])) {
    const agent = asString(data["agent"]);
    const session = asString(data["session"]);
    const path = asString(data["path"]);
    if (agent === undefined || session === undefined || path === undefined) continue;
    yield {
      agent,
      session,
      path,
      part: asString(data["part"]) ?? "",
      title: asString(data["title"]) ?? null,
      cwd: asString(data["cwd"]) ?? null,
      created: asNumber(data["created"]) ?? null,
      updated: asNumber(data["updated"]) ?? null,
    };
  }
}

/** Brings sessions that are gone back into an index that was made anew, as far as the journal knows them. */
export function restoreSightings(connection: Connection, writer: CatalogWriter, home: Home): void {
  if (settingOf(connection, "sightings") !== undefined) return;
  writer.run("insert into setting (name, value) values ('sightings', 'restored')");
  const isRemoved = removedSessions(home);
  for (const seen of sightings(home)) {
    if (exists(seen.path) || isRemoved({ ...seen, named: null })) continue;
    const { agent, session, path, part } = seen;
    const ref = { agent, session, path, sizeBytes: 0, modifiedMs: 0, ...(part !== "" && { part }) };
    const source = writer.sourceFor(ref);
    writer.run(
      "update source set state = ?, title = ?, cwd = ?, created = ?, updated = ? where id = ?",
      sourceState.gone,
      seen.title,
      seen.cwd,
      seen.created,
      seen.updated,
      source,
    );
    if (seen.title !== null) writer.setTitle(source, seen.title);
  }
}

import { randomBytes } from "node:crypto";
import { type FilePrint, isUntouched, removeAdded } from "../../additions/added-file.ts";
import { publishAll, StagedFile } from "../../additions/staged-file.ts";
import { exists } from "../../base/disk.ts";
import { RepriseError } from "../../base/errors.ts";
import { failpoint } from "../../base/failpoint.ts";
import { asString, isObject, type JsonObject } from "../../base/json.ts";
import type { OutgoingNotes } from "../../model/outgoing.ts";
import { Connection, type SqlValue } from "../../sqlite/connection.ts";
import { isDatabaseDamage } from "../../sqlite/database.ts";
import { inTransaction, openForWriting } from "../../sqlite/open-for-writing.ts";
import { slugOf } from "../add-notes.ts";
import type { NotesOptions, NotesWriter, Written } from "../contract.ts";
import { requireProject } from "../project-folders.ts";
import { agentName } from "./locate.ts";
import { memoryDatabase } from "./roots.ts";

/**
 * Adds one entry to the memory of 3.x, in the namespace `handoff`: `claude-flow memory search` finds it. A project without a
 * memory gets a new database; a memory of 2.x is left alone.
 */
export const notesWriter: NotesWriter = { write, takeBack };

const columns = ["id", "key", "namespace", "content", "type", "tags", "metadata"] as const;
type Row = Readonly<Record<(typeof columns)[number], string>>;

async function write(notes: OutgoingNotes, options: NotesOptions): Promise<Written> {
  const { cwd } = options.about;
  requireProject(cwd);
  const path = memoryDatabase(cwd);
  const row = rowFor(notes, options);
  const session = `memory-${cwd.split(/[\\/]/).at(-1)}`;
  const ref = {
    agent: agentName,
    session,
    path,
    part: "memory",
    root: cwd,
    sizeBytes: 0,
    modifiedMs: Date.now(),
  };
  return exists(path)
    ? addRow(path, { row, ref, options })
    : addDatabase(path, { row, ref, options });
}

function rowFor({ page }: OutgoingNotes, { about }: NotesOptions): Row {
  const nowMs = Date.now();
  const { agent, session } = about.from;
  return {
    id: `entry_${nowMs}_${randomBytes(8).toString("hex")}`,
    key: `handoff/${slugOf(about.title ?? session)}-${nowMs}`,
    namespace: "handoff",
    content: page,
    type: "episodic",
    tags: JSON.stringify(["handoff", "reprise"]),
    metadata: JSON.stringify({ source: `${agent}:${session}` }),
  };
}

interface Addition {
  readonly row: Row;
  readonly ref: Written["ref"];
  readonly options: NotesOptions;
}

async function addRow(path: string, { row, ref, options }: Addition): Promise<Written> {
  const database = await openForWriting(path);
  try {
    checkColumns(database, path);
    const written = { ref, files: [], rows: { database: path, row }, losses: [] };
    await inTransaction(database, async () => {
      insert(database, row);
      options.intend?.(written);
    });
    failpoint("addition.committed");
    return written;
  } finally {
    database.close();
  }
}

async function addDatabase(path: string, { row, ref, options }: Addition): Promise<Written> {
  const file = new StagedFile(path, options);
  try {
    file.fillBy((temporary) => {
      const database = new Connection(temporary);
      try {
        // Nobody sees the file before it is whole and synced: it needs no journal beside it.
        database.exec("pragma journal_mode = memory; pragma synchronous = off");
        database.exec(schema);
        insert(database, row);
      } finally {
        database.close();
      }
    });
    const print = file.finish();
    const written = { ref, files: [print], rows: { database: path, row }, losses: [] };
    publishAll([file], () => options.intend?.(written));
    return written;
  } catch (error) {
    file.abandon();
    throw error;
  }
}

function insert(database: Connection, row: Row): void {
  const values: readonly SqlValue[] = columns.map((name) => row[name]);
  database
    .prepare(`insert into memory_entries (${columns.join(", ")}) values (?, ?, ?, ?, ?, ?, ?)`)
    .run(...values);
}

function checkColumns(database: Connection, path: string): void {
  const there = [
    ...database.prepare("select name from pragma_table_info('memory_entries')").iterate(),
  ];
  const names = there.map((row) => (isObject(row) ? row["name"] : undefined));
  if (columns.every((name) => names.includes(name))) return;
  throw new RepriseError("unsupported", `${path} is not a memory of claude-flow 3.`, {
    hint: "Memory of 2.x is only read. Let `claude-flow memory init` of 3.x make one, then try again.",
  });
}

/** A database that nobody touched since goes as a whole, otherwise the entry alone. */
async function takeBack({ files, rows }: Written): Promise<readonly never[]> {
  const path = asString(rows?.["database"]);
  const row = rows?.["row"];
  if (path === undefined || !isObject(row))
    throw new RepriseError("bad_input", "Nothing was written here.");
  if (!exists(path)) return [];
  if (files.length > 0 && files.every((print: FilePrint) => isUntouched(print))) {
    removeAdded(files);
    return [];
  }
  try {
    const database = await openForWriting(path);
    try {
      await inTransaction(database, async () => removeRow(database, row));
    } finally {
      database.close();
    }
  } catch (cause) {
    if (!isDatabaseDamage(cause)) throw cause;
    throw new RepriseError("conflict", `${path} is no longer a database; it stays.`, { cause });
  }
  return [];
}

/** How often an entry was looked at does not count as a change. */
function removeRow(database: Connection, row: JsonObject): void {
  const id = String(row["id"]);
  const sql = `select ${columns.join(", ")} from memory_entries where id = ?`;
  const there = database.prepare(sql).get(id);
  if (!isObject(there)) return;
  if (columns.some((name) => there[name] !== row[name])) {
    throw new RepriseError("conflict", `The memory entry ${id} was changed since; it stays.`);
  }
  database.prepare("delete from memory_entries where id = ?").run(id);
}

/** The table as 3.x makes it. */
const schema = `create table memory_entries (
  id text primary key, key text not null, namespace text default 'default', content text not null,
  type text default 'semantic' check (type in ('semantic', 'episodic', 'procedural', 'working', 'pattern')),
  embedding text, embedding_model text default 'local', embedding_dimensions integer, tags text, metadata text,
  owner_id text, provenance_type text default 'unknown' check (provenance_type in
    ('user_claim', 'agent_output', 'system_observation', 'tool_result', 'unknown')),
  created_at integer not null default (strftime('%s', 'now') * 1000),
  updated_at integer not null default (strftime('%s', 'now') * 1000),
  expires_at integer, last_accessed_at integer, access_count integer default 0,
  status text default 'active' check (status in ('active', 'archived', 'deleted')), unique (namespace, key))`;

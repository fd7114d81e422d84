import type { Connection } from "../sqlite/connection.ts";

/** Raised when the tables change: an index of another version is made anew (P11). */
export const schemaVersion = 2;

/**
 * The tables of the index. `log` says how far each namespace's log was read; `entry` has the newest version of each
 * memory with what queries filter and sort by; `words` is what a full-text search looks through.
 */
export function createSchema(connection: Connection): void {
  connection.exec(`
    begin immediate;
    create table if not exists log (
      file text primary key, namespace text not null, inode text not null,
      offset integer not null, damaged integer not null
    ) without rowid;
    create table if not exists entry (
      row integer primary key, id text not null unique, file text not null, namespace text not null,
      key text not null, type text not null, owner text not null, access text not null,
      status text not null, provenance text not null, created text not null, updated text not null,
      accessed text, expires text, version integer not null, size integer not null,
      compressed integer not null, checksum text not null, supersedes text, stored text not null
    );
    create index if not exists entry_key on entry (namespace, key);
    create index if not exists entry_updated on entry (namespace, updated);
    create index if not exists entry_created on entry (namespace, created);
    create index if not exists entry_type on entry (namespace, type, updated);
    -- What counts entries and decides who sees them, so that counting reads no entry.
    create index if not exists entry_count on entry (namespace, status, type, expires, access, owner);
    create table if not exists tag (tag text not null, row integer not null, primary key (tag, row)) without rowid;
    create index if not exists tag_row on tag (row);
    create table if not exists link (
      row integer not null, kind text not null, target text not null, primary key (row, kind, target)
    ) without rowid;
    create index if not exists link_target on link (kind, target);
    create virtual table if not exists words using fts5(
      key, text, tags, content = '', contentless_delete = 1, tokenize = 'porter unicode61'
    );
    pragma user_version = ${schemaVersion};
    commit;
  `);
}

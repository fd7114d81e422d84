import { limits } from "../../base/limits.ts";
import type { Connection } from "../../sqlite/connection.ts";

/** Raised when the tables or what is put into them change; an index of another version is not used. */
export const schemaVersion = 14;

/** A page of the file: half as many as usual begin a list of words anew. */
export const pageBytes = 8192;

/**
 * `source` is a session as it was when it was last read, `event` what is found, with the rowid its words
 * have in `words`. The text itself is nowhere: a snippet is read from the source. `seen` has a hash of
 * every event, so that what a fork or a compaction copied is indexed once. `tool` has the names of tools that were
 * called or answered, and what they do, where that has a name of its own with every agent, `file` the paths that calls work
 * on, as they name them, and `touched` which calls. `texts`, `length` and `prompts` of a source say how much of it is
 * searched, which a score needs to know, and `rows` how many places its events take. `copied` is when it was written from
 * another session.
 */
const tables = `
create table source (
  id integer primary key,
  agent text not null,
  session text not null,
  named text,
  path text not null,
  part text not null default '',
  root text,
  size integer not null,
  modified real not null,
  revision integer not null,
  cursor text,
  state integer not null default 0,
  created integer,
  updated integer,
  title text,
  title_event integer,
  marked_title text,
  tags text,
  marked_tags text,
  cwd text,
  project text,
  branch text,
  remote text,
  model text,
  author text,
  relation text,
  events integer not null default 0,
  rows integer not null default 0,
  texts integer not null default 0,
  length integer not null default 0,
  prompts integer not null default 0,
  prompt text,
  first_event integer,
  last_event integer,
  copies integer not null default 0,
  copied integer
);
create unique index source_place on source (path, part, agent);
-- The number of an event is a text, because 8.10 is not 8.1. What an event is takes one number (event-facts.ts).
create table event (
  id integer primary key,
  source integer not null,
  place integer not null,
  number text not null,
  what integer not null,
  at integer,
  tool integer
);
create table tool (id integer primary key, name text not null, act text not null, unique (name, act));
create table file (id integer primary key, path text not null unique);
create table touched (event integer, file integer, primary key (event, file)) without rowid;
create table seen (key integer primary key, event integer not null);
create table setting (name text primary key, value text not null) without rowid;
create virtual table words using fts5 (
  text, parts, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
);
-- A leaf of the words fills a page of the file.
insert into words (words, rank) values ('pgsz', ${pageBytes - 46});
-- Large parts are gathered in memory before they are written: small ones would be merged again and again.
insert into words (words, rank) values ('hashsize', ${limits.catalogHashBytes});
`;

/** How a source stands. */
export const sourceState = { indexed: 0, gone: 1, sealed: 2, notSession: 3 } as const;

/** Makes the tables in an empty database. */
export function createSchema(connection: Connection): void {
  connection.exec(`begin immediate; ${tables} pragma user_version = ${schemaVersion}; commit`);
}

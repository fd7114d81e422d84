/** The tables of OpenCode 1.18 that are read, empty. */
export const tables = `
  create table project (id text primary key, worktree text not null);
  create table session (id text primary key, project_id text not null, parent_id text,
    slug text not null, directory text not null, title text not null, version text not null,
    revert text, model text, time_created integer not null, time_updated integer not null);
  create table message (id text primary key, session_id text not null,
    time_created integer not null, time_updated integer not null, data text not null);
  create table part (id text primary key, message_id text not null, session_id text not null,
    time_created integer not null, time_updated integer not null, data text not null);
  create table todo (session_id text not null, content text not null, status text not null,
    priority text not null, position integer not null, primary key (session_id, position));
  create index message_session_time_created_id_idx on message (session_id, time_created, id);
  create index part_message_id_id_idx on part (message_id, id);
  create index part_session_idx on part (session_id);`;

import { RepriseError } from "../../../base/errors.ts";
import { asNumber, isObject } from "../../../base/json.ts";
import type { Connection } from "../../../sqlite/connection.ts";
import type { WriteOptions } from "../../contract.ts";
import type { ModelName, OutgoingRow } from "./message-rows.ts";
import { projectOf } from "./project-id.ts";

/** Columns every version since the first with a database has. */
const neededColumns = {
  project: ["id", "worktree", "vcs", "time_created", "time_updated", "sandboxes"],
  session: [
    "id",
    "project_id",
    "slug",
    "directory",
    "title",
    "version",
    "time_created",
    "time_updated",
  ],
  message: ["id", "session_id", "time_created", "time_updated", "data"],
  part: ["id", "message_id", "session_id", "time_created", "time_updated", "data"],
} as const;

/** Throws `unsupported` if the database lacks a column that is written to. */
export function checkColumns(database: Connection, path: string): void {
  for (const [table, columns] of Object.entries(neededColumns)) {
    const there = new Set(
      [...database.prepare(`PRAGMA table_info(${table})`).iterate()].map((row) =>
        isObject(row) ? row["name"] : "",
      ),
    );
    if (columns.every((column) => there.has(column))) continue;
    throw new RepriseError("unsupported", `${path} has a shape this version does not know.`);
  }
}

/** Adds the row of a session, and of its project where that is new; returns the project's id then. */
export function insertSession(
  database: Connection,
  made: {
    readonly session: string;
    readonly about: WriteOptions["about"];
    readonly model: ModelName;
    readonly nowMs: number;
  },
): string | undefined {
  const { session, about, model, nowMs } = made;
  const project = projectOf(about.cwd);
  const isNew =
    database.prepare("SELECT 1 FROM project WHERE id = ?").get(project.id) === undefined;
  database
    .prepare(
      "INSERT OR IGNORE INTO project(id, worktree, vcs, time_created, time_updated, sandboxes) VALUES (?, ?, ?, ?, ?, '[]')",
    )
    .run(project.id, project.worktree, project.vcs, nowMs, nowMs);
  database
    .prepare(
      "INSERT INTO session(id, project_id, slug, directory, title, version, time_created, time_updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .run(
      session,
      project.id,
      `reprise-${session.slice(-8)}`,
      about.cwd,
      about.title ?? "Imported session",
      "0.0.0",
      Date.parse(about.createdAt) || nowMs,
      nowMs,
    );
  const there = new Set(
    [...database.prepare("PRAGMA table_info(session)").iterate()].map((row) =>
      isObject(row) ? row["name"] : "",
    ),
  );
  if (there.has("metadata")) {
    database
      .prepare("UPDATE session SET metadata = ? WHERE id = ?")
      .run(JSON.stringify({ repriseOrigin: about.from }), session);
  }
  if (there.has("model") && model.providerID !== "imported") {
    const name = JSON.stringify({ id: model.modelID, providerID: model.providerID });
    database.prepare("UPDATE session SET model = ? WHERE id = ?").run(name, session);
  }
  return isNew ? project.id : undefined;
}

/** Adds a message with its parts to a session. */
export function rowInserter(database: Connection, session: string): (row: OutgoingRow) => void {
  const message = database.prepare(
    "INSERT INTO message(id, session_id, time_created, time_updated, data) VALUES (?, ?, ?, ?, ?)",
  );
  const part = database.prepare(
    "INSERT INTO part(id, message_id, session_id, time_created, time_updated, data) VALUES (?, ?, ?, ?, ?, ?)",
  );
  return ({ id, createdMs, info, parts }) => {
    message.run(id, session, createdMs, createdMs, JSON.stringify(info));
    for (const made of parts)
      part.run(made.id, id, session, createdMs, createdMs, JSON.stringify(made.data));
  };
}

/** Whether a database has a session. */
export function isThere(database: Connection, session: string): boolean {
  return database.prepare("SELECT 1 FROM session WHERE id = ?").get(session) !== undefined;
}

/** What a session's rows are in this moment: anyone who continues it changes one of these. */
export function stateOf(database: Connection, session: string): Readonly<Record<string, number>> {
  const one = (sql: string): number => {
    const row = database.prepare(sql).get(session);
    return (isObject(row) ? asNumber(row["value"]) : undefined) ?? -1;
  };
  return {
    messages: one("SELECT count(*) AS value FROM message WHERE session_id = ?"),
    parts: one("SELECT count(*) AS value FROM part WHERE session_id = ?"),
    updated: one("SELECT time_updated AS value FROM session WHERE id = ?"),
    messageBytes: one("SELECT sum(length(data)) AS value FROM message WHERE session_id = ?"),
    partBytes: one("SELECT sum(length(data)) AS value FROM part WHERE session_id = ?"),
    messagesUpdated: one("SELECT max(time_updated) AS value FROM message WHERE session_id = ?"),
    partsUpdated: one("SELECT max(time_updated) AS value FROM part WHERE session_id = ?"),
  };
}

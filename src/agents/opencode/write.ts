import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../base/env.ts";
import { RepriseError } from "../../base/errors.ts";
import { asNumber, asString, isObject, parseObject } from "../../base/json.ts";
import type { OutgoingMessage } from "../../model/outgoing.ts";
import type { Connection } from "../../sqlite/engine.ts";
import { inTransaction, openForWriting } from "../../sqlite/open-for-writing.ts";
import type { AgentWriter, WriteOptions, Written } from "../contract.ts";
import { databases } from "./layout.ts";
import { type ModelName, type OutgoingRow, RowMaker } from "./outgoing.ts";
import { projectOf } from "./project-id.ts";
import { configRoot, dataRoot } from "./roots.ts";

/**
 * Adds sessions to OpenCode's database: all rows in one transaction, also while the program runs. Its own
 * importer reads the whole session at once and stops halfway where a message displeases it.
 */
export const writer: AgentWriter = {
  holds: {
    thinking: "never",
    images: ["image/png", "image/jpeg", "image/gif", "image/webp"],
    resultImages: false,
    files: false,
    tools: true,
  },
  write,
  takeBack,
};

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

async function write(
  messages: AsyncIterable<OutgoingMessage>,
  { about, env }: WriteOptions,
): Promise<Written> {
  const path = databaseOf(env);
  const database = await openForWriting(path);
  try {
    checkColumns(database, path);
    const model = modelOf(database, env) ?? {
      providerID: "imported",
      modelID: about.model ?? "imported",
    };
    const maker = new RowMaker(about, model);
    const nowMs = Date.now();
    const session = maker.ids.session(nowMs);
    const project = await inTransaction(database, async () => {
      const made = insertSession(database, { session, about, model, nowMs });
      const insert = rowInserter(database, session);
      for await (const message of messages) for (const row of maker.rows(message)) insert(row);
      for (const row of maker.end()) insert(row);
      return made;
    });
    const modifiedMs = statSync(path).mtimeMs;
    const ref = {
      agent: "opencode",
      session,
      path,
      sizeBytes: 0,
      modifiedMs,
      part: session,
      root: dataRoot(env),
    };
    return {
      ref,
      files: [],
      rows: {
        database: path,
        session,
        ...(project !== undefined && { project }),
        ...stateOf(database, session),
      },
      losses: [],
    };
  } finally {
    database.close();
  }
}

async function takeBack({ rows }: Written): Promise<void> {
  const path = asString(rows?.["database"]);
  const session = asString(rows?.["session"]);
  if (path === undefined || session === undefined)
    throw new RepriseError("bad_input", "Nothing was written here.");
  const database = await openForWriting(path);
  try {
    await inTransaction(database, async () => {
      const now = Object.entries(stateOf(database, session));
      if (now.some(([name, value]) => rows?.[name] !== value)) {
        throw new RepriseError(
          "conflict",
          `OpenCode session ${session} was changed since it was added; it stays.`,
        );
      }
      for (const table of ["part", "message"])
        database.prepare(`DELETE FROM ${table} WHERE session_id = ?`).run(session);
      database.prepare("DELETE FROM session WHERE id = ?").run(session);
      // The project only if it came with this session and nobody else uses it.
      const project = asString(rows?.["project"]);
      if (project === undefined) return;
      database
        .prepare(
          "DELETE FROM project WHERE id = ? AND NOT EXISTS (SELECT 1 FROM session WHERE project_id = project.id)",
        )
        .run(project);
    });
  } finally {
    database.close();
  }
}

function databaseOf(env: Environment): string {
  const root = dataRoot(env);
  const found = databases(env, root);
  const path = found.find((name) => name === join(root, "opencode.db")) ?? found[0];
  if (path !== undefined) return path;
  throw new RepriseError("not_found", "OpenCode has no database here yet.", {
    hint: "Start OpenCode once (`opencode db path` suffices), then try again.",
  });
}

function checkColumns(database: Connection, path: string): void {
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

function insertSession(
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

function rowInserter(database: Connection, session: string): (row: OutgoingRow) => void {
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

/** A model the user has: what the newest session ran with, else what the settings name. */
function modelOf(database: Connection, env: Environment): ModelName | undefined {
  const newest = latestModel(database);
  if (newest !== undefined) return newest;
  const set = asString(settingsIn(join(configRoot(env), "opencode.json"))?.["model"]);
  const [providerID, ...rest] = set?.split("/") ?? [];
  return providerID === undefined || rest.length === 0
    ? undefined
    : { providerID, modelID: rest.join("/") };
}

function latestModel(database: Connection): ModelName | undefined {
  const rows = database
    .prepare(
      "SELECT data FROM message WHERE json_extract(data, '$.role') = 'user' ORDER BY time_created DESC LIMIT 20",
    )
    .iterate();
  for (const row of rows) {
    const model = parseObject(asString(isObject(row) ? row["data"] : undefined) ?? "")?.["model"];
    if (!isObject(model)) continue;
    const providerID = asString(model["providerID"]);
    const modelID = asString(model["modelID"]);
    if (providerID !== undefined && modelID !== undefined && providerID !== "imported")
      return { providerID, modelID };
  }
  return undefined;
}

function settingsIn(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parseObject(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function stateOf(database: Connection, session: string): Readonly<Record<string, number>> {
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

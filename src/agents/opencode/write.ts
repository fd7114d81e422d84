import { statSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../base/env.ts";
import { RepriseError } from "../../base/errors.ts";
import { failpoint } from "../../base/failpoint.ts";
import { asString } from "../../base/json.ts";
import type { OutgoingMessage } from "../../model/outgoing.ts";
import { inTransaction, openForWriting } from "../../sqlite/open-for-writing.ts";
import type { AgentWriter, WriteOptions, Written } from "../contract.ts";
import { commonImages } from "../new-files.ts";
import { databases } from "./layout.ts";
import { dataRoot } from "./roots.ts";
import { modelOf } from "./write/current-model.ts";
import { RowMaker } from "./write/message-rows.ts";
import {
  checkColumns,
  insertSession,
  isThere,
  rowInserter,
  stateOf,
} from "./write/session-rows.ts";

/**
 * Adds sessions to OpenCode's database: all rows in one transaction, also while the program runs. Its own
 * importer reads the whole session at once and stops halfway where a message displeases it.
 */
export const writer: AgentWriter = {
  holds: {
    thinking: "never",
    images: commonImages,
    resultImages: false,
    files: false,
    tools: true,
  },
  write,
  takeBack,
};

async function write(
  messages: AsyncIterable<OutgoingMessage>,
  { about, env, intend }: WriteOptions,
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
    const modifiedMs = statSync(path).mtimeMs;
    const root = dataRoot(env);
    const ref = { agent: "opencode", session, path, sizeBytes: 0, modifiedMs, part: session, root };
    const written = await inTransaction(database, async () => {
      const project = insertSession(database, { session, about, model, nowMs });
      const insert = rowInserter(database, session);
      for await (const message of messages) for (const row of maker.rows(message)) insert(row);
      for (const row of maker.end()) insert(row);
      const rows = {
        database: path,
        session,
        ...(project !== undefined && { project }),
        ...stateOf(database, session),
      };
      const all = { ref, files: [], rows, losses: [] };
      // The rows are as they will be, and nobody sees them before the transaction ends.
      intend?.(all);
      return all;
    });
    failpoint("addition.committed");
    return { ...written, ref: { ...ref, modifiedMs: statSync(path).mtimeMs } };
  } finally {
    database.close();
  }
}

async function takeBack({ rows }: Written): Promise<readonly never[]> {
  const path = asString(rows?.["database"]);
  const session = asString(rows?.["session"]);
  if (path === undefined || session === undefined)
    throw new RepriseError("bad_input", "Nothing was written here.");
  const database = await openForWriting(path);
  try {
    await inTransaction(database, async () => {
      if (!isThere(database, session)) return;
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
    return [];
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

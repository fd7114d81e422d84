import { dirname } from "node:path";
import { asNumber, asString } from "../../base/json.ts";
import { type TableShape, tableRows } from "../../sqlite/table-rows.ts";
import type { Belongings, RowChoice } from "../belongings-contract.ts";
import type { SessionRef } from "../contract.ts";
import { checkpointFiles } from "./locate.ts";
import { entryTables, hiveTables } from "./tables.ts";

/** What other tables hold of a row, by the table it is in: nobody could use it without the row. */
const beside: Readonly<Record<string, readonly Pick<RowChoice, "table" | "column">[]>> = {
  patterns: [
    { table: "pattern_embeddings", column: "id" },
    { table: "pattern_links", column: "src_id" },
    { table: "pattern_links", column: "dst_id" },
  ],
  reasoning_patterns: [{ table: "pattern_embeddings", column: "pattern_id" }],
  episodes: [{ table: "episode_embeddings", column: "episode_id" }],
  notes: [{ table: "note_embeddings", column: "note_id" }],
};

/** A saved session's or store's file, a project's checkpoints, or the rows of a memory or hive mind; tables stay. */
export async function belongings({ path, part }: SessionRef): Promise<Belongings> {
  switch (part) {
    case "memory":
      return { files: [], rows: entryTables.flatMap((shape) => rowsOf(path, shape)) };
    case "hive":
      return { files: [], rows: hiveTables.flatMap((shape) => rowsOf(path, shape)) };
    case "checkpoints":
      return { files: checkpointFiles(dirname(path)) };
    default:
      return { files: [path] };
  }
}

/** What is shown of a table and nothing else: what the program marked as deleted or put aside stays as it is. */
function rowsOf(database: string, shape: TableShape): readonly RowChoice[] {
  const rows: RowChoice[] = [];
  for (const { row } of tableRows(database, shape, () => undefined) ?? []) {
    const id = asString(row["id"]) ?? asNumber(row["id"])?.toString();
    if (id === undefined || row["status"] === "deleted" || row["archived"] === 1) continue;
    rows.push({ database, table: shape.table, column: "id", value: id });
    for (const { table, column } of beside[shape.table] ?? [])
      rows.push({ database, table, column, value: id });
  }
  return rows;
}

import { dirname } from "node:path";
import { asNumber, asString } from "../../base/json.ts";
import { type TableShape, tableRows } from "../../sqlite/table-rows.ts";
import type { Belongings, RowChoice } from "../belongings-contract.ts";
import type { SessionRef } from "../contract.ts";
import { checkpointFiles } from "./locate.ts";
import { entryTables, hiveTables, patterns2 } from "./tables.ts";

/** What other tables hold of a row, and nobody could use without it. */
const beside: ReadonlyMap<TableShape, readonly Pick<RowChoice, "table" | "column">[]> = new Map([
  [
    patterns2,
    [
      { table: "pattern_embeddings", column: "id" },
      { table: "pattern_links", column: "src_id" },
      { table: "pattern_links", column: "dst_id" },
    ],
  ],
]);

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

/** What is shown of a table and nothing else: entries that the program marked as deleted stay as they are. */
function rowsOf(database: string, shape: TableShape): readonly RowChoice[] {
  const rows: RowChoice[] = [];
  for (const { row } of tableRows(database, shape, () => undefined) ?? []) {
    const id = asString(row["id"]) ?? asNumber(row["id"])?.toString();
    if (id === undefined || row["status"] === "deleted") continue;
    rows.push({ database, table: shape.table, column: "id", value: id });
    for (const { table, column } of beside.get(shape) ?? [])
      rows.push({ database, table, column, value: id });
  }
  return rows;
}

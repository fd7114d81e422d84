import { asString } from "../../../base/json.ts";
import type { CarvedRow } from "../../../sqlite/carve.ts";
import type { RebuiltTable } from "../../../sqlite/rebuild.ts";

const isJson = (value: unknown): boolean => typeof value === "string" && value.startsWith("{");
const hasPrefix = (value: unknown, prefix: string): boolean =>
  asString(value)?.startsWith(prefix) ?? false;

/** How rows of the two tables that hold a conversation are known without the schema: by their ids. */
export const rebuiltTables: readonly RebuiltTable[] = [
  {
    name: "message",
    columns: ["id", "session_id", "time_created", "time_updated", "data"],
    newest: "time_updated",
    indexes: ["session_id"],
    accepts: (row: CarvedRow) =>
      row.length === 5 &&
      hasPrefix(row[0], "msg") &&
      hasPrefix(row[1], "ses") &&
      typeof row[2] === "number" &&
      isJson(row[4]),
  },
  {
    name: "part",
    columns: ["id", "message_id", "session_id", "time_created", "time_updated", "data"],
    newest: "time_updated",
    indexes: ["message_id", "session_id"],
    accepts: (row: CarvedRow) =>
      row.length === 6 &&
      hasPrefix(row[0], "prt") &&
      hasPrefix(row[1], "msg") &&
      hasPrefix(row[2], "ses") &&
      isJson(row[5]),
  },
];

import type { Connection, SqlValue } from "./connection.ts";

/**
 * The rows of a select that names its columns as given, through one text of JSON: making an object of each
 * row, value by value, takes the engine several times as long. Only for texts and numbers, and a number with
 * a fraction may lose its last digits.
 */
export function packedRows<T extends object>(
  connection: Connection,
  query: { readonly columns: readonly (keyof T & string)[]; readonly select: string },
  ...parameters: readonly SqlValue[]
): T[] {
  const pairs = query.columns.map((name) => `'${name}', ${name}`).join(", ");
  const { rows } = connection
    .prepare(`select json_group_array(json_object(${pairs})) as rows from (${query.select})`)
    .get(...parameters) as { readonly rows: string };
  return JSON.parse(rows) as T[];
}

import type { Connection } from "../../sqlite/connection.ts";
import { placesOf } from "../index/source.ts";
import type { Needle } from "./needle.ts";
import { bitsFor, mayHave } from "./sketch.ts";

/**
 * The places of the sessions in the index that may hold a needle, by their sketches or because they have none;
 * undefined where sketches cannot tell.
 */
export function placesThatMayHold(
  connection: Connection,
  needle: Needle,
): ReadonlySet<string> | undefined {
  const wanted = bitsFor(needle);
  if (wanted.length === 0) return undefined;
  const rows = connection
    .prepare("select id, bits from source left join sketch on sketch.source = source.id")
    .all() as { readonly id: number; readonly bits: Uint8Array | null }[];
  const may = new Set<number>();
  for (const { id, bits } of rows) if (bits === null || mayHave(bits, wanted)) may.add(id);
  for (const id of titledLike(connection, needle)) may.add(id);
  return placesOf(connection, may);
}

/** A title is looked at too, and is no event of its own in every agent. */
function titledLike(connection: Connection, { text }: Needle): readonly number[] {
  const rows = connection
    .prepare(
      `select id from source where instr(lower(coalesce(title, '')), lower(?1)) > 0
       or instr(lower(coalesce(marked_title, '')), lower(?1)) > 0`,
    )
    .all(text) as { readonly id: number }[];
  return rows.map(({ id }) => id);
}

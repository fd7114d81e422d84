import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { Damage } from "../../../model/damage.ts";
import type { ReadDatabase } from "../../../sqlite/database.ts";
import { jsonOf } from "../composers.ts";

/** A bubble in the order of the conversation, or one that was edited away. */
export interface Found {
  readonly bubble: JsonObject;
  readonly isOrphan: boolean;
}

/** The record of a conversation; undefined where it is gone or cannot be read. */
export function composerOf(database: ReadDatabase, id: string): JsonObject | undefined {
  return jsonOf(valueAt(database, `composerData:${id}`));
}

/**
 * The bubbles of a conversation, one at a time: those its list of headers names in that order (older versions hold them
 * in the record itself), then those that editing left behind.
 */
export function* bubblesOf(
  database: ReadDatabase,
  composer: { readonly id: string; readonly record: JsonObject | undefined },
  onDamage: (damage: Damage) => void,
): Generator<Found> {
  const { id, record = {} } = composer;
  const inline = asArray(record["conversation"]).filter(isObject);
  for (const bubble of inline) yield { bubble, isOrphan: false };
  const named = new Set(inline.flatMap((bubble) => asString(bubble["bubbleId"]) ?? []));
  for (const [index, header] of asArray(record["fullConversationHeadersOnly"]).entries()) {
    const bubbleId = isObject(header) ? asString(header["bubbleId"]) : undefined;
    if (bubbleId === undefined || named.has(bubbleId)) continue;
    named.add(bubbleId);
    const bubble = jsonOf(valueAt(database, `bubbleId:${id}:${bubbleId}`));
    if (bubble !== undefined) yield { bubble, isOrphan: false };
    else {
      const detail = `the bubble ${bubbleId.slice(0, 64)} is missing or no JSON`;
      onDamage({ kind: "bad_record", offset: index + 1, recovered: 0, detail });
    }
  }
  const sql = "select key, value from cursorDiskKV where key >= ? and key < ?";
  for (const row of database.rows(sql, `bubbleId:${id}:`, `bubbleId:${id};`)) {
    const bubbleId = asString(row["key"])?.slice(`bubbleId:${id}:`.length);
    const bubble = jsonOf(row["value"]);
    if (bubbleId === undefined || bubble === undefined || named.has(bubbleId)) continue;
    yield { bubble, isOrphan: true };
  }
}

function valueAt(database: ReadDatabase, key: string): unknown {
  return database.first("select value from cursorDiskKV where key = ?", key)?.["value"];
}

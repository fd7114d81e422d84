import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { Damage } from "../../../model/damage.ts";
import { type KeyValues, pairs } from "../key-values.ts";
import { objectOf } from "../stored-json.ts";

/** A bubble in the order of the conversation, or one that was edited away. */
export interface Found {
  /** Its place among all that the conversation names; those it does not name follow. */
  readonly place: number;
  readonly bubble: JsonObject;
  readonly isOrphan: boolean;
}

/** The keys of a conversation, for who looks through a damaged database. */
export function isOfComposer(id: string): (key: string) => boolean {
  return (key) => key === `composerData:${id}` || key.startsWith(`bubbleId:${id}:`);
}

/** The record of a conversation; undefined if it is gone or cannot be read. */
export function composerOf(values: KeyValues, id: string): JsonObject | undefined {
  return objectOf(values.get(pairs, `composerData:${id}`));
}

/** Whether there is a bubble of it at all. */
export function hasBubbles(values: KeyValues, id: string): boolean {
  for (const _ of values.between(pairs, `bubbleId:${id}:`, `bubbleId:${id};`)) return true;
  return false;
}

/**
 * The bubbles of a conversation, one at a time: those its list of headers names in that order (older versions hold them
 * in the record itself), then those that editing left behind.
 */
export function* bubblesOf(
  values: KeyValues,
  composer: { readonly id: string; readonly record: JsonObject | undefined },
  onDamage: (damage: Damage) => void,
): Generator<Found> {
  const { id, record = {} } = composer;
  const inline = asArray(record["conversation"]).filter(isObject);
  let place = 0;
  for (const bubble of inline) {
    place += 1;
    yield { place, bubble, isOrphan: false };
  }
  const named = new Set(inline.flatMap((bubble) => asString(bubble["bubbleId"]) ?? []));
  for (const header of asArray(record["fullConversationHeadersOnly"])) {
    const bubbleId = isObject(header) ? asString(header["bubbleId"]) : undefined;
    if (bubbleId === undefined || named.has(bubbleId)) continue;
    named.add(bubbleId);
    place += 1;
    const bubble = objectOf(values.get(pairs, `bubbleId:${id}:${bubbleId}`));
    if (bubble !== undefined) yield { place, bubble, isOrphan: false };
    else {
      const detail = `the bubble ${bubbleId.slice(0, 64)} is missing or no JSON`;
      onDamage({ kind: "bad_record", offset: place, recovered: 0, detail });
    }
  }
  // Of a conversation whose list is gone every bubble belongs to it, as far as anybody knows.
  const isOrphan = composer.record !== undefined;
  for (const [key, stored] of values.between(pairs, `bubbleId:${id}:`, `bubbleId:${id};`)) {
    const bubbleId = key.slice(`bubbleId:${id}:`.length);
    if (named.has(bubbleId)) continue;
    place += 1;
    const bubble = objectOf(stored);
    if (bubble !== undefined) yield { place, bubble, isOrphan };
  }
}

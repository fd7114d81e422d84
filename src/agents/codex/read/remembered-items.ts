import { hashText } from "../../../base/hash.ts";
import { asString, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { textsOf } from "../typed-text.ts";
import { isContext } from "./replayable.ts";
import type { Position } from "./rewritten-history.ts";

/** Finds the records that replacement items repeat: by id, else by the whole text. */
export function rememberedItems(): {
  add(item: JsonObject, place: Position): void;
  addId(id: string, place: Position): void;
  match(items: readonly JsonObject[], before: number): readonly (Position | undefined)[];
} {
  const byKey = new Map<string, Position[]>();
  const put = (key: string, place: Position): void => {
    const there = byKey.get(key);
    if (there === undefined) byKey.set(key, [place]);
    else {
      there.push(place);
      if (there.length > 2 * limits.rememberedPrompts) there.splice(0, limits.rememberedPrompts);
    }
    // Oldest first out; a forgotten prompt is then read from the compaction's own copy.
    if (byKey.size > 2 * limits.rememberedPrompts) byKey.delete(byKey.keys().next().value!);
  };
  return {
    add(item, place) {
      const id = asString(item["id"]);
      if (id !== undefined) put(`i${id}`, place);
      put(keyOfTexts(item), place);
    },
    addId: (id, place) => put(`i${id}`, place),
    match(items, before) {
      const used = new Set<number>();
      // How many of a key's records may still be taken: the newest goes first.
      const left = new Map<string, number>();
      const take = (key: string): Position | undefined => {
        const there = byKey.get(key) ?? [];
        for (let count = left.get(key) ?? there.length; count > 0; count -= 1) {
          const found = there[count - 1]!;
          if (found.at >= before || used.has(found.at)) continue;
          used.add(found.at);
          left.set(key, count - 1);
          return found;
        }
        left.set(key, 0);
        return undefined;
      };
      const found = items.map((): Position | undefined => undefined);
      for (let index = items.length - 1; index >= 0; index -= 1) {
        const item = items[index]!;
        if (item["type"] !== "message" || isContext(item)) continue;
        const id = asString(item["id"]);
        found[index] =
          (id === undefined ? undefined : take(`i${id}`)) ??
          (item["role"] === "user" ? take(keyOfTexts(item)) : undefined);
      }
      return found;
    },
  };
}

function keyOfTexts(item: JsonObject): string {
  return `t${hashText(textsOf(item).join("\0"))}`;
}

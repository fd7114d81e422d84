import { extname } from "node:path";
import type { ByteWindow } from "../../base/byte-window.ts";
import { type JsonObject, parseObjectBytes } from "../../base/json.ts";
import type { Element } from "../../json/array-elements.ts";
import type { Damage } from "../../model/damage.ts";
import { wholeElements } from "../json-elements.ts";
import { activitiesOn, activityIn } from "./activity-page.ts";
import { elementShape } from "./element-facts.ts";

/** The elements of a file of an export, which is a JSON list or a page, and where they lie. */
export function elementsOf(
  path: string,
  window: ByteWindow,
  onDamage: (damage: Damage) => void,
): Iterable<Element & { readonly element: JsonObject }> {
  const isPage = extname(path).toLowerCase() === ".html" || /^\W?\s*</.test(beginning(window));
  if (isPage) return activitiesOn(window, onDamage);
  return wholeElements(window, { paths: ["", "conversations"], shape: elementShape, onDamage });
}

function beginning(window: ByteWindow): string {
  return window.range(0, 64).toString("utf8");
}

/** The element that some bytes of such a file are. */
export function elementIn(bytes: Buffer): JsonObject | undefined {
  return bytes[0] === 0x3c ? activityIn(bytes) : parseObjectBytes(bytes);
}

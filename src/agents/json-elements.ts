import { isUtf8 } from "node:buffer";
import type { ByteWindow } from "../base/byte-window.ts";
import { isObject, type JsonObject, parseObject, parseObjectBytes } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { type Element, findArray, nextElement, resync } from "../json/array-elements.ts";
import type { Damage } from "../model/damage.ts";

/** Where the elements of a file that is one JSON value stand, and who hears of damage. */
export interface ElementsOptions {
  /** Where the list may stand. */
  readonly paths: readonly string[];
  /** How an element begins: where reading goes on after a damaged one. */
  readonly shape: RegExp;
  readonly onDamage: (damage: Damage) => void;
}

/** The whole elements of the list; after a damaged one, reading goes on where the next begins. */
export function* wholeElements(
  window: ByteWindow,
  options: ElementsOptions,
): Generator<Element & { readonly element: JsonObject }> {
  const { paths, shape, onDamage } = options;
  const begin = findArray(window, { from: 0, paths });
  const broken = (offset: number, recovered: number): Damage => ({
    kind: window.range(offset, limits.chunkBytes).includes(0) ? "nul_run" : "bad_json",
    offset,
    recovered,
  });
  let position = begin ?? resync(window, { from: 0, shape });
  if (begin === undefined)
    onDamage({ ...broken(0, position === undefined ? 0 : 1), kind: "bad_header" });
  for (let attempts = 0; position !== undefined && attempts < limits.resyncAttempts; ) {
    const step = nextElement(window, position);
    if (step.kind === "closed") {
      if (!endsWell(window, step.next)) onDamage(broken(step.next, 0));
      // A bracket that damage put here ends nothing: more may stand behind it.
      position = resync(window, { from: step.next, shape });
      attempts += 1;
      continue;
    }
    if (step.kind === "element") {
      const bytes = window.range(step.offset, step.length);
      const element = parseObjectBytes(bytes);
      if (element !== undefined) {
        if (!isUtf8(bytes)) {
          onDamage({ kind: "bad_utf8", offset: step.offset, length: step.length, recovered: 1 });
        }
        yield { offset: step.offset, length: step.length, element };
        position = step.offset + step.length;
        continue;
      }
    }
    const next = resync(window, { from: step.offset + 1, shape });
    const torn = step.kind === "cut" && next === undefined;
    onDamage({ ...broken(step.offset, 0), ...(torn ? { kind: "torn_tail" } : {}) });
    attempts += 1;
    position = next;
  }
}

/** Whether only the end of the object follows the list. */
function endsWell(window: ByteWindow, from: number): boolean {
  const size = window.end - from;
  if (size > limits.headBytesMax) return false;
  const rest = window.range(from, size).toString();
  return rest.trim() === "" || isObject(parseObject(`{"list":[]${rest}`));
}

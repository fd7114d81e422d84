import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ByteWindow } from "../../src/base/byte-window.ts";
import { nextElement } from "../../src/json/array-elements.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

/** What stands in an array, step by step, until something other than an element comes. */
function stepsOf(text: string): readonly string[] {
  const file = join(temporaryFolder(), "array.json");
  writeFileSync(file, text);
  const fd = openSync(file, "r");
  try {
    const window = new ByteWindow(fd, text.length);
    const found: string[] = [];
    let at = 1;
    while (found.length < 10) {
      const step = nextElement(window, at);
      found.push(step.kind);
      if (step.kind !== "element") return found;
      at = step.offset + step.length;
    }
    return found;
  } finally {
    closeSync(fd);
  }
}

test("elements are stepped over to the end of the array", () => {
  expect(stepsOf('[{"a":[1]}, "b]", 3]')).toEqual(["element", "element", "element", "closed"]);
});

test("a bracket that closes nothing is a cut, not an element without length", () => {
  expect(stepsOf('[{"a":1}\n} , {"b":2}]')).toEqual(["element", "cut"]);
});

import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cachePath, loadState, saveState } from "../../src/snapshot/state-cache.ts";
import { project } from "./project.ts";

test("what is kept of a folder comes back whole; a file that lost its end, or a piece, says nothing", () => {
  const here = project();
  here.write(".gitignore", "*.log\n");
  here.write("a.txt", "one\n");
  here.write("src/in\nner/b.txt", "two\n");
  symlinkSync("a.txt", here.path("link"));
  here.tree.capture();
  here.tree.close();
  const path = cachePath(here.tree.store.places, here.folder);
  const kept = loadState(path, here.folder);
  expect(kept?.state.folders.get("src")?.folders.get("in\nner")?.leaves.size).toBe(1);
  expect(loadState(path, join(here.folder, "src"))).toBeUndefined();

  const again = join(here.root, "again.json");
  saveState(again, here.folder, { kept, isSynced: true });
  expect(loadState(again, here.folder)).toEqual(kept);
  const whole = readFileSync(again);
  for (let bytes = whole.length - 1; bytes >= 0; bytes -= 29) {
    writeFileSync(again, whole.subarray(0, bytes));
    expect(loadState(again, here.folder), `cut after ${bytes} bytes`).toBeUndefined();
  }
  const lines = whole.toString().trimEnd().split("\n");
  for (const at of lines.keys()) {
    writeFileSync(again, `${lines.toSpliced(at, 1).join("\n")}\n`);
    expect(loadState(again, here.folder), `without line ${at}`).toBeUndefined();
  }
});

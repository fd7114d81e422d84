import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.mjs";

/* What the entries of the package share exists once in a process, however they are loaded. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const entries = Object.keys(
  (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { exports: object }).exports,
).filter((name) => name !== "./package.json");

/** Runs a child that loads the built package by its name. */
function child(name: string, ...args: readonly string[]): string {
  const file = join(import.meta.dirname, "children", name);
  return execFileSync(process.execPath, ["--no-warnings", file, ...args], { encoding: "utf8" });
}

test("an error that one entry throws is an error of the other's class, and a registry is one", () => {
  expect(JSON.parse(child("two-entries.mjs", temporaryFolder()))).toEqual({
    sameClass: true,
    oneRegistry: true,
    sameStore: true,
  });
});

test("`require` loads every entry, and the modules are those that `import` loads", () => {
  expect(JSON.parse(child("required.cjs", ...entries))).toEqual(
    Object.fromEntries(entries.map((name) => [name, "same"])),
  );
});

/** The files of the library that was built, and their text. */
const built = readdirSync(join(root, "dist", "shared"))
  .map((name) => join("shared", name))
  .concat(entries.map((name) => `${name === "." ? "index" : name}.js`))
  .map((name) => ({ name, text: readFileSync(join(root, "dist", name), "utf8") }));

test("every source lies in one file: leases, registries and caches cannot exist twice", () => {
  const places = new Map<string, string[]>();
  for (const { name, text } of built)
    for (const [, source] of text.matchAll(/^\/\/#region (src\/\S+)$/gm))
      places.set(source!, [...(places.get(source!) ?? []), name]);
  expect(places.get("src/base/held-lease.ts")).toEqual([expect.stringMatching(/^shared\/core-/)]);
  expect(places.size).toBeGreaterThan(400);
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});

test("the first entry is loaded from two files and loads no agent", () => {
  const first = built.find(({ name }) => name === "index.js")!;
  const [core, ...others] = [...first.text.matchAll(/"(\.\/[^"]+)"/g)].map(([, file]) => file!);
  expect([core, others]).toEqual([expect.stringMatching(/^\.\/shared\/core-/), []]);
  const { text } = built.find(({ name }) => `./${name}` === core)!;
  expect(text).not.toMatch(/^import .*"\.{1,2}\//m);
});

test("no file of the library waits at its top, so that `require` can load it", () => {
  const waiting = built.filter(({ text }) =>
    /^(?:export |(?:const|let) .*= )?\(?await\b/m.test(text),
  );
  expect(waiting.map(({ name }) => name)).toEqual([]);
});

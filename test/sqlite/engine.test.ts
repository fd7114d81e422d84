import { createRequire, isBuiltin } from "node:module";
import { expect, test } from "vitest";
import { isRepriseError } from "../../src/base/errors.ts";
import { hasCompleteEngine, loadEngine, sqliteEngine } from "../../src/sqlite/engine.ts";

const require = createRequire(import.meta.url);

test("an engine is found in this process, and always the same", () => {
  expect(typeof sqliteEngine().DatabaseSync).toBe("function");
  expect(sqliteEngine()).toBe(sqliteEngine());
});

test("Node's own engine is taken from the version on that has all we use", () => {
  const versions = ["20.19.0", "22.5.0", "22.13.0", "22.15.1", "22.16.0", "22.23.3", "24.0.0"];
  expect(versions.filter(hasCompleteEngine)).toEqual(["22.16.0", "22.23.3", "24.0.0"]);
  const isOwn = isBuiltin("node:sqlite") && sqliteEngine() === require("node:sqlite");
  expect(isOwn).toBe(hasCompleteEngine(process.versions.node));
});

test("loading an engine leaves the warnings of this process as they were", () => {
  const { emitWarning } = process;
  loadEngine(["node:sqlite", "@photostructure/sqlite"]);
  expect(process.emitWarning).toBe(emitWarning);
});

test("a name that is not there is passed over for the next one", () => {
  const engine = loadEngine(["node:no-such-module", "node:path", "@photostructure/sqlite"]);
  expect(typeof engine.DatabaseSync).toBe("function");
});

test("without any engine the error says what to install", () => {
  let caught: unknown;
  try {
    loadEngine(["node:no-such-module"]);
  } catch (error) {
    caught = error;
  }
  expect(isRepriseError(caught, "no_sqlite")).toBe(true);
  expect(isRepriseError(caught) && caught.hint).toMatch(/npm i/);
});

import { expect, test } from "vitest";
import { isRepriseError } from "../../src/base/errors.ts";
import { loadEngine, sqliteEngine } from "../../src/sqlite/engine.ts";

test("an engine is found in this process, and always the same", () => {
  expect(typeof sqliteEngine().DatabaseSync).toBe("function");
  expect(sqliteEngine()).toBe(sqliteEngine());
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

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { isRepriseError } from "../../src/base/errors.ts";
import { hasCompleteEngine, loadEngine, sqliteEngine } from "../../src/sqlite/engine.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

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

/** A program that loads the engine and gives a warning of its own, in its first thread and in another one. */
const warning = `
import { isMainThread, Worker } from "node:worker_threads";
import { loadEngine } from "./engine.mjs";
try { loadEngine(["node:sqlite"]); } catch {}
process.emitWarning(isMainThread ? "of the first" : "of the other", "ExperimentalWarning");
if (isMainThread) new Worker(new URL(import.meta.url));
`;

test("no thread of a program warns of SQLite, and each still gives its other warnings", async () => {
  const folder = temporaryFolder();
  const entry = resolve(import.meta.dirname, "../../src/sqlite/engine.ts");
  const outfile = join(folder, "engine.mjs");
  await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "node" });
  writeFileSync(join(folder, "warning.mjs"), warning);
  const { stderr } = spawnSync(process.execPath, [join(folder, "warning.mjs")], {
    encoding: "utf8",
  });
  expect(stderr).toContain("ExperimentalWarning: of the first");
  expect(stderr).toContain("ExperimentalWarning: of the other");
  expect(stderr).not.toContain("SQLite");
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

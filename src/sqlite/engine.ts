import { createRequire } from "node:module";
import { RepriseError } from "../base/errors.ts";

/** The part of a prepared statement this house uses, as `node:sqlite` has it. */
export interface EngineStatement {
  get(...parameters: readonly unknown[]): unknown;
  all(...parameters: readonly unknown[]): unknown[];
  iterate(...parameters: readonly unknown[]): IterableIterator<unknown>;
  run(...parameters: readonly unknown[]): { readonly changes: number | bigint };
  setReadBigInts(enabled: boolean): void;
}

/** The part of an open database this house uses, as `node:sqlite` has it. */
export interface EngineDatabase {
  prepare(sql: string): EngineStatement;
  exec(sql: string): void;
  close(): void;
}

/** An SQLite engine with the interface of `node:sqlite`; what engines do differently ends in `Connection`. */
export interface Engine {
  readonly DatabaseSync: new (
    location: string,
    options?: { readonly readOnly?: boolean },
  ) => EngineDatabase;
}

const ownName = "node:sqlite";
const packageName = "@photostructure/sqlite";
const require = createRequire(import.meta.url);
let loaded: Engine | undefined;

/** The engine of this process, loaded at the first call: Node's own where it is complete, else the package. */
export function sqliteEngine(): Engine {
  const isOwn = hasCompleteEngine(process.versions.node);
  loaded ??= loadEngine(isOwn ? [ownName, packageName] : [packageName]);
  return loaded;
}

/** Whether a Node of this version has an engine of its own with all we use: before 22.16 it has no FTS5. */
export function hasCompleteEngine(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 16);
}

/** The first of the named modules that is there; throws `no_sqlite` if none is. */
export function loadEngine(names: readonly string[]): Engine {
  let cause: unknown;
  for (const name of names) {
    try {
      const engine: unknown = name === ownName ? requireQuietly(name) : require(name);
      if (isEngine(engine)) return engine;
    } catch (error) {
      cause = error;
    }
  }
  throw new RepriseError("no_sqlite", "No SQLite engine is installed.", { cause });
}

/** Loads Node's own engine without the warning it gives of itself; every other warning passes. */
function requireQuietly(name: string): unknown {
  const { emitWarning } = process;
  const pass = (...given: readonly unknown[]): void => {
    const [warning, kind] = given;
    if (kind === "ExperimentalWarning" && String(warning).startsWith("SQLite is ")) return;
    Reflect.apply(emitWarning, process, given);
  };
  process.emitWarning = pass;
  try {
    return require(name);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function isEngine(value: unknown): value is Engine {
  return (
    typeof value === "object" &&
    value !== null &&
    "DatabaseSync" in value &&
    typeof value.DatabaseSync === "function"
  );
}

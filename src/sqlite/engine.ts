import { createRequire } from "node:module";
import { RepriseError } from "../base/errors.ts";

/** The part of a prepared statement this house uses; the same in every engine. */
export interface Statement {
  get(...parameters: readonly unknown[]): unknown;
  all(...parameters: readonly unknown[]): unknown[];
  iterate(...parameters: readonly unknown[]): IterableIterator<unknown>;
  run(...parameters: readonly unknown[]): { readonly changes: number | bigint };
  setReadBigInts(enabled: boolean): void;
}

/** The part of an open database this house uses; the same in every engine. */
export interface Connection {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

/** An SQLite engine with the interface of `node:sqlite`. */
export interface Engine {
  readonly DatabaseSync: new (
    location: string,
    options?: {
      readonly readOnly?: boolean;
      readonly timeout?: number;
      /** False lets a module's own tables be written. */
      readonly defensive?: boolean;
    },
  ) => Connection;
}

const candidates = ["node:sqlite", "@photostructure/sqlite"] as const;
let loaded: Engine | undefined;

/** The engine of this process, loaded at the first call: Node's own, else the package. */
export function sqliteEngine(): Engine {
  loaded ??= loadEngine(candidates);
  return loaded;
}

/** The first of the named modules that is there; throws `no_sqlite` where none is. */
export function loadEngine(names: readonly string[]): Engine {
  const require = createRequire(import.meta.url);
  let cause: unknown;
  for (const name of names) {
    try {
      const engine: unknown = require(name);
      if (isEngine(engine)) return engine;
    } catch (error) {
      cause = error;
    }
  }
  throw new RepriseError("no_sqlite", "No SQLite engine is installed.", { cause });
}

function isEngine(value: unknown): value is Engine {
  return (
    typeof value === "object" &&
    value !== null &&
    "DatabaseSync" in value &&
    typeof value.DatabaseSync === "function"
  );
}

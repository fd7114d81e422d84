import { existsSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join } from "node:path";
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
    options?: { readonly readOnly?: boolean; readonly timeout?: number },
  ) => Connection;
}

const packageName = "@photostructure/sqlite";
let loaded: Engine | undefined;

/** The engine of this process, loaded at the first call: Node's own, else the package. */
export function sqliteEngine(): Engine {
  loaded ??=
    (isBuiltin("node:sqlite") ? undefined : prebuiltEngine()) ??
    loadEngine(["node:sqlite", packageName]);
  return loaded;
}

/**
 * The library the package brings for this machine, loaded by itself: what the package does to find it takes
 * longer than a search. Undefined where anything about it is unusual; the package then finds its own way.
 */
function prebuiltEngine(): Engine | undefined {
  const { platform, arch } = process;
  const libc = platform === "linux" && existsSync("/etc/alpine-release") ? "musl" : "glibc";
  const file = join("prebuilds", `${platform}-${arch}`, `@photostructure+sqlite.${libc}.node`);
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const place = join(folder, "node_modules", packageName);
    if (existsSync(place)) {
      // One that was built here is preferred by the package.
      if (existsSync(join(place, "build"))) return undefined;
      return loadLibrary(join(place, file));
    }
    if (dirname(folder) === folder) return undefined;
  }
}

function loadLibrary(path: string): Engine | undefined {
  const library: { readonly exports: unknown } = { exports: {} };
  try {
    process.dlopen(library, path);
  } catch {
    return undefined;
  }
  return isEngine(library.exports) ? library.exports : undefined;
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

import { readFileSync } from "node:fs";
import * as modules from "node:module";
import { join } from "node:path";
import { constants, Script } from "node:vm";

/*
 * What `reprise` runs first. Compiling the program takes longer than most commands do, so the build puts
 * beside it what its own Node made of it. A Node of another version compiles the program itself, and where
 * it can keep the result it does.
 */

const file = join(import.meta.dirname, "program.js");
const require = modules.createRequire(file);
const script = prepared();
if (script === undefined) {
  const { enableCompileCache } = modules as { readonly enableCompileCache?: () => unknown };
  enableCompileCache?.();
  require(file);
} else {
  const run = script.runInThisContext() as (...given: readonly unknown[]) => void;
  run({}, require, { exports: {} }, file, import.meta.dirname);
}

/** The program with what was compiled for this very Node; undefined where there is nothing. */
function prepared(): Script | undefined {
  const cache = join(import.meta.dirname, `program-${process.version}-${process.arch}.cache`);
  let cachedData: Buffer;
  try {
    cachedData = readFileSync(cache);
  } catch {
    return undefined;
  }
  // The program is written in ASCII. Where the cache does not fit it after all, V8 compiles the text.
  return new Script(modules.Module.wrap(readFileSync(file, "latin1")), {
    filename: file,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

import { existsSync, readFileSync } from "node:fs";
import * as modules from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";

/*
 * What `reprise` runs first. Compiling the program takes longer than most commands do, so the build puts
 * beside it what its own Node made of it. A Node of another version compiles the program itself, and where
 * it can keep the result it does.
 */

const folder = join(import.meta.dirname, "program");
const compiled = join(folder, `${process.version}-${process.arch}`);
const entry = "./program.js";
const require = modules.createRequire(join(folder, entry));
const chunks = new Map<string, { readonly exports: object }>();

if (existsSync(compiled)) chunk(entry);
else {
  const { enableCompileCache } = modules as { readonly enableCompileCache?: () => unknown };
  enableCompileCache?.();
  require(entry);
}

/** What a chunk of the program exports; all of them lie in one folder. */
function chunk(name: string): object {
  const known = chunks.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  chunks.set(name, module);
  const file = join(folder, name);
  const run = scriptOf(name, file).runInThisContext() as (...given: readonly unknown[]) => void;
  run(module.exports, required, module, file, folder);
  return module.exports;
}

function required(name: string): unknown {
  return name.startsWith("./") ? chunk(name) : require(name);
}

/** A chunk and what was compiled of it. Where that does not fit after all, V8 compiles the text. */
function scriptOf(name: string, file: string): Script {
  // Chunks are written in ASCII. Their path is not that of the build, so stacks name them without it.
  const text = modules.Module.wrap(readFileSync(file, "latin1"));
  const filename = `reprise/${name.slice(2)}`;
  try {
    return new Script(text, { filename, cachedData: readFileSync(join(compiled, name)) });
  } catch {
    return new Script(text, { filename });
  }
}

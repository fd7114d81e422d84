import { fstatSync, openSync, readSync } from "node:fs";
import * as modules from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";

/*
 * What `reprise` runs first. Compiling the program takes longer than most commands do, so the build puts
 * beside it a pack of its chunks and of what its own Node made of them. A Node of another version compiles
 * the chunks itself, and where it can keep the result it does.
 */

/** A pack begins with a line of JSON: for each chunk where its text is, and its code behind it. */
interface Pack {
  readonly fd: number;
  readonly begin: number;
  readonly chunks: Readonly<Record<string, readonly [at: number, text: number, code: number]>>;
}

const folder = join(import.meta.dirname, "program");
const entry = "./program.js";
const require = modules.createRequire(join(folder, entry));
const loaded = new Map<string, { readonly exports: object }>();
const pack = openPack(`${folder}-${process.version}-${process.arch}.pack`);

if (pack === undefined) {
  const { enableCompileCache } = modules as { readonly enableCompileCache?: () => unknown };
  enableCompileCache?.();
  require(entry);
} else chunk(entry, pack);

function openPack(path: string): Pack | undefined {
  try {
    const fd = openSync(path, "r");
    const start = bytesAt(fd, 0, 16 * 1024);
    const begin = start.indexOf("\n") + 1;
    const chunks = JSON.parse(start.toString("latin1", 0, begin)) as Pack["chunks"];
    // A pack that was cut short is no pack.
    const ends = Object.values(chunks).map(([at, text, code]) => begin + at + text + code);
    return Math.max(...ends) === fstatSync(fd).size ? { fd, begin, chunks } : undefined;
  } catch {
    return undefined;
  }
}

/** What a chunk of the program exports; it is run the first time. */
function chunk(name: string, from: Pack): object {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const run = scriptOf(name, from).runInThisContext() as (...given: readonly unknown[]) => void;
  const required = (asked: string): unknown =>
    from.chunks[asked] === undefined ? require(asked) : chunk(asked, from);
  run(module.exports, required, module, join(folder, name), folder);
  return module.exports;
}

/** A chunk with its code. Where that does not fit after all, V8 compiles the text. */
function scriptOf(name: string, { fd, begin, chunks }: Pack): Script {
  const [at, text, code] = chunks[name]!;
  const bytes = bytesAt(fd, begin + at, text + code);
  // Chunks are written in ASCII. The code keeps the name it was compiled with, so it names no folder.
  return new Script(bytes.toString("latin1", 0, text), {
    filename: `reprise/${name.slice(2)}`,
    cachedData: bytes.subarray(text),
  });
}

function bytesAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position));
}

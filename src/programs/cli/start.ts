import { fstatSync, openSync, readSync } from "node:fs";
import * as modules from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";

/*
 * What `reprise` runs first. Compiling the program takes longer than most commands do, so the build puts
 * beside it a pack of its chunks and of what its own Node made of them. A Node of another version compiles
 * the chunks itself, and where it can keep the result it does.
 */

/** Where a text is, and how long; its code lies behind it. */
type Place = readonly [at: number, text: number, code: number];

/** A pack begins with a line of JSON: where the chunks are, and the sets of those that some commands load. */
interface Pack {
  readonly fd: number;
  readonly begin: number;
  readonly chunks: Readonly<Record<string, Place>>;
  readonly sets: Readonly<Record<string, Place>>;
}

type Run = (...given: readonly unknown[]) => void;

const folder = join(import.meta.dirname, "program");
const entry = "./program.js";
const require = modules.createRequire(join(folder, entry));
const loaded = new Map<string, { readonly exports: object }>();
const pack = openPack(`${folder}-${process.version}-${process.arch}.pack`);
const together = pack === undefined ? {} : setOf(pack);

if (pack === undefined) {
  const { enableCompileCache } = modules as { readonly enableCompileCache?: () => unknown };
  enableCompileCache?.();
  require(entry);
} else chunk(entry, pack);

/** What the chunks of this command's set run; no chunk of it is read by itself. */
function setOf({ fd, begin, sets }: Pack): Readonly<Record<string, Run>> {
  const word = process.argv[2] ?? "";
  if (!Object.hasOwn(sets, word)) return {};
  const script = scriptAt(sets[word]!, { fd, begin, name: word });
  return script.runInThisContext() as Readonly<Record<string, Run>>;
}

function openPack(path: string): Pack | undefined {
  try {
    const fd = openSync(path, "r");
    const start = bytesAt(fd, 0, 16 * 1024);
    const begin = start.indexOf("\n") + 1;
    const { chunks, sets } = JSON.parse(start.toString("latin1", 0, begin)) as Omit<
      Pack,
      "fd" | "begin"
    >;
    // A pack that was cut short is no pack.
    const places = [...Object.values(chunks), ...Object.values(sets)];
    const ends = places.map(([at, text, code]) => begin + at + text + code);
    return Math.max(...ends) === fstatSync(fd).size ? { fd, begin, chunks, sets } : undefined;
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
  const run = together[name] ?? runOf(name, from);
  const required = (asked: string): unknown =>
    from.chunks[asked] === undefined ? require(asked) : chunk(asked, from);
  run(module.exports, required, module, join(folder, name), folder);
  return module.exports;
}

function runOf(name: string, { fd, begin, chunks }: Pack): Run {
  return scriptAt(chunks[name]!, { fd, begin, name: name.slice(2) }).runInThisContext() as Run;
}

/** A text with its code. Where that does not fit after all, V8 compiles the text. */
function scriptAt(
  [at, text, code]: Place,
  from: { readonly fd: number; readonly begin: number; readonly name: string },
): Script {
  const bytes = bytesAt(from.fd, from.begin + at, text + code);
  // Texts are written in ASCII. The code keeps the name it was compiled with, so it names no folder.
  return new Script(bytes.toString("latin1", 0, text), {
    filename: `reprise/${from.name}`,
    cachedData: bytes.subarray(text),
  });
}

function bytesAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position));
}

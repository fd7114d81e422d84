import { fstatSync, openSync, readSync } from "node:fs";
import { Script } from "node:vm";

/*
 * What `reprise` runs first. Compiling the program takes longer than most commands do, so the build puts
 * beside it a pack of its chunks and of what its own Node made of them. A Node of another version compiles
 * the chunks itself, and where it can keep the result it does.
 */

type Chunk = (...given: readonly unknown[]) => void;

/** A pack begins with a line of JSON: where each group's text is with its code behind it, and which chunks it holds. */
interface Pack {
  readonly fd: number;
  readonly begin: number;
  readonly groups: readonly (readonly [at: number, text: number, code: number])[];
  readonly chunks: Readonly<Record<string, readonly [group: number, place: number]>>;
}

// Put together by hand: to make a path the usual way, once for each chunk, takes longer than to run most of them.
const folder = `${import.meta.dirname}/program`;
const entry = "./program.js";
const loaded = new Map<string, { readonly exports: object }>();
const compiled = new Map<number, readonly Chunk[]>();
const pack = openPack(`${folder}-${process.version}-${process.arch}.pack`);

if (pack === undefined) {
  const { enableCompileCache } = require("node:module");
  enableCompileCache?.();
  require(`${folder}/${entry}`);
} else chunk(entry, pack);

function openPack(path: string): Pack | undefined {
  try {
    const fd = openSync(path, "r");
    const start = bytesAt(fd, 0, 16 * 1024);
    const begin = start.indexOf("\n") + 1;
    const { groups, chunks } = JSON.parse(start.toString("latin1", 0, begin)) as Pack;
    // A pack that was cut short is no pack.
    const [at, text, code] = groups.at(-1)!;
    const size = begin + at + text + code;
    return size === fstatSync(fd).size ? { fd, begin, groups, chunks } : undefined;
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
  const [group, place] = from.chunks[name]!;
  const run = chunksOf(group, from)[place]!;
  const required = (asked: string): unknown =>
    from.chunks[asked] === undefined ? require(asked) : chunk(asked, from);
  run(module.exports, required, module, `${folder}/${name}`, folder);
  return module.exports;
}

/** The chunks that are always loaded together. Where their code does not fit after all, V8 compiles the text. */
function chunksOf(group: number, { fd, begin, groups }: Pack): readonly Chunk[] {
  const known = compiled.get(group);
  if (known !== undefined) return known;
  const [at, text, code] = groups[group]!;
  const bytes = bytesAt(fd, begin + at, text + code);
  // Chunks are written in ASCII. The code keeps the name it was compiled with, so it names no folder.
  const script = new Script(bytes.toString("latin1", 0, text), {
    filename: `reprise/${group}`,
    cachedData: bytes.subarray(text),
  });
  const chunks = script.runInThisContext() as readonly Chunk[];
  compiled.set(group, chunks);
  return chunks;
}

function bytesAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position));
}

#!/usr/bin/env node
import { closeSync, openSync, readSync } from "node:fs";
import { Script } from "node:vm";

/*
 * What `reprise-hook` runs first. Compiling the hook takes as long as all its work, so the build puts beside
 * each of its two files a pack with the text and what its own Node compiled of it. V8 runs such code
 * unchecked, and one wrong bit would kill the process: the pack holds everything twice, and where the halves
 * differ, as where there is none for this Node, the file itself is loaded.
 */
const late = "./reprise-hook-late.cjs";

const mostBytes = 1024 * 1024;
/** Where bytes are copied to quickly: see base/read-room.ts. */
const apart = 1024;

load("./reprise-hook-main.cjs");

function load(file: string): object {
  const script = compiled(file);
  if (script === undefined) return require(file);
  const module = { exports: {} };
  const run = script.runInThisContext() as (...given: readonly unknown[]) => void;
  run(module.exports, required, module, __filename, __dirname);
  return module.exports;
}

function required(asked: string): object {
  return asked === late ? load(late) : require(asked);
}

/** The length of the text, the text and its code, both times. */
function compiled(file: string): Script | undefined {
  try {
    const ending = `-${process.version}-${process.arch}.pack`;
    const pack = bytesOf(__dirname + file.slice(1, -".cjs".length) + ending);
    const half = pack.length / 2;
    const first = pack.subarray(0, half);
    if (!first.equals(pack.subarray(half))) return undefined;
    const codeAt = 4 + first.readUInt32LE(0);
    // Written in ASCII.
    return new Script(first.toString("latin1", 4, codeAt), {
      filename: file.slice(2),
      cachedData: first.subarray(codeAt),
    });
  } catch {
    return undefined;
  }
}

/** A file by calls the hook makes anyway: each of Node's takes a while to get ready. */
function bytesOf(path: string): Buffer {
  const fd = openSync(path, "r");
  const bytes = Buffer.allocUnsafeSlow(mostBytes);
  const taken = readSync(fd, bytes, apart, mostBytes - apart, null);
  closeSync(fd);
  return bytes.subarray(apart, apart + taken);
}

/*
 * Modules of Node that take longer to load than most of what is done without them: loaded when they are first
 * needed, not when this project is.
 */

let loadedCrypto: typeof import("node:crypto") | undefined;
let loadedOs: typeof import("node:os") | undefined;
let loadedTimers: typeof import("node:timers/promises") | undefined;
let loadedZlib: typeof import("node:zlib") | undefined;

/** `node:crypto`. */
export function nodeCrypto(): typeof import("node:crypto") {
  loadedCrypto ??= process.getBuiltinModule("node:crypto");
  return loadedCrypto;
}

/** `node:os`. */
export function nodeOs(): typeof import("node:os") {
  loadedOs ??= process.getBuiltinModule("node:os");
  return loadedOs;
}

/** `node:timers/promises`. */
export function nodeTimers(): typeof import("node:timers/promises") {
  loadedTimers ??= process.getBuiltinModule("node:timers/promises");
  return loadedTimers;
}

/** `node:zlib`. */
export function nodeZlib(): typeof import("node:zlib") {
  loadedZlib ??= process.getBuiltinModule("node:zlib");
  return loadedZlib;
}

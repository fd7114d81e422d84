// Runs the program on the sample sessions as people run it most, then keeps what V8 compiled meanwhile. What
// is not in it is compiled when it is called.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { dirname, join } from "node:path";
import { constants, Script } from "node:vm";

const bin = process.argv[2];
const file = join(bin, "program.js");
const cache = join(bin, `program-${process.version}-${process.arch}.cache`);
const native = "compiled-ahead";
const commandLines = [
  ["--help"],
  ["new", "--id", native, "--title", "First"],
  ["list"],
  ["show", native, "--last", "50"],
  ["list", "--sample"],
  ["list", "--sample", "--json"],
  ["show", "--sample", "rate limit", "--last", "5"],
  ["show", "--sample", "docker build", "--last", "5"],
  ["show", "--sample", "codex:", "--last", "5"],
];

const script = new Script(Module.wrap(readFileSync(file, "latin1")), {
  filename: file,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
const run = script.runInThisContext();
for (const line of commandLines) {
  process.argv = [process.execPath, join(bin, "reprise.js"), ...line];
  const module = { exports: {} };
  run(module.exports, createRequire(file), module, file, dirname(file));
  await module.exports.finished;
  if (process.exitCode) throw new Error(`reprise ${line.join(" ")} failed`);
}
writeFileSync(cache, script.createCachedData());

// Runs the program on the sample sessions as people run it most, then keeps what V8 compiled meanwhile. What
// is not in it is compiled when it is called.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";

const bin = process.argv[2];
const folder = join(bin, "program");
const compiled = join(folder, `${process.version}-${process.arch}`);
const require = createRequire(join(folder, "program.js"));
const native = "compiled-ahead";
const commandLines = [
  ["--help"],
  ["new", "--id", native, "--title", "First"],
  ["list"],
  ["show", native, "--last", "5"],
  ["list", "--sample"],
  ["list", "--sample", "--json"],
  ["show", "--sample", "rate limit", "--last", "5"],
  ["show", "--sample", "docker build", "--last", "5"],
  ["show", "--sample", "codex:", "--last", "5"],
];

const scripts = new Map();

function scriptOf(name) {
  // As src/programs/cli/start.ts does it: the text must be the same, and the name is kept with the code.
  const text = Module.wrap(readFileSync(join(folder, name), "latin1"));
  const script = new Script(text, { filename: `reprise/${name.slice(2)}` });
  scripts.set(name, script);
  return script;
}

/** A run of the program from its beginning: every chunk is evaluated anew, none is compiled anew. */
function runOf(entry) {
  const chunks = new Map();
  const chunk = (name) => {
    const known = chunks.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    chunks.set(name, module);
    const run = (scripts.get(name) ?? scriptOf(name)).runInThisContext();
    const required = (asked) => (asked.startsWith("./") ? chunk(asked) : require(asked));
    run(module.exports, required, module, join(folder, name), folder);
    return module.exports;
  };
  return chunk(entry);
}

for (const line of commandLines) {
  process.argv = [process.execPath, join(bin, "reprise.js"), ...line];
  await runOf("./program.js").finished;
  if (process.exitCode) throw new Error(`reprise ${line.join(" ")} failed`);
}
mkdirSync(compiled);
for (const [name, script] of scripts) {
  writeFileSync(join(compiled, name), script.createCachedData());
}

// Runs the program on the sample sessions as people run it most, then keeps what V8 compiled meanwhile. What
// is not in it is compiled when it is called.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";

const bin = process.argv[2];
const folder = join(bin, "program");
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
  ["search", "--sample", "docker"],
  ["search", "docker"],
  ["stats", "--sample"],
  ["stats", "--sample", "--json"],
  // The second one finds what the first one kept.
  ["stats"],
  ["stats", "--json"],
];

const chunks = readdirSync(folder).map((file) => {
  const name = `./${file}`;
  const text = Module.wrap(readFileSync(join(folder, file), "latin1"));
  return { name, text, script: new Script(text, { filename: `reprise/${file}` }) };
});
const scripts = new Map(chunks.map(({ name, script }) => [name, script]));

/** A run of the program from its beginning: every chunk is evaluated anew, none is compiled anew. */
function runOf(entry) {
  const loaded = new Map();
  const chunk = (name) => {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const run = scripts.get(name).runInThisContext();
    const required = (asked) => (scripts.has(asked) ? chunk(asked) : require(asked));
    run(module.exports, required, module, join(folder, name), folder);
    return module.exports;
  };
  return chunk(entry);
}

// Every run listens to the streams once more.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);
for (const line of commandLines) {
  process.argv = [process.execPath, join(bin, "reprise.js"), ...line];
  await runOf("./program.js").finished;
  if (process.exitCode) throw new Error(`reprise ${line.join(" ")} failed`);
}
// The pack that src/programs/cli/start.ts reads: an index on the first line, then texts and code.
const index = {};
const pieces = [];
let at = 0;
for (const { name, text, script } of chunks) {
  const code = script.createCachedData();
  index[name] = [at, text.length, code.length];
  pieces.push(Buffer.from(text, "latin1"), code);
  at += text.length + code.length;
}
const pack = `${folder}-${process.version}-${process.arch}.pack`;
writeFileSync(pack, Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...pieces]));

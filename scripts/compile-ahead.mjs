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
  ["search", "--sample", "--substring", "docker"],
  ["search", "docker"],
  ["stats", "--sample"],
];
/** Commands whose start is most of what they cost: all that they load is kept together, run as given. */
const commandSets = {
  search: [
    ["search", "docker"],
    ["search", "docker", "--json"],
  ],
};

const chunks = readdirSync(folder).map((file) => {
  const name = `./${file}`;
  const text = Module.wrap(readFileSync(join(folder, file), "latin1"));
  return { name, text, script: new Script(text, { filename: `reprise/${file}` }) };
});
const texts = new Map(chunks.map(({ name, text }) => [name, text]));
const scripts = new Map(chunks.map(({ name, script }) => [name, script]));

/**
 * A run of the program from its beginning: every chunk is evaluated anew, none is compiled anew. Tells the
 * chunks that were loaded.
 */
async function run(line, functions = {}) {
  process.argv = [process.execPath, join(bin, "reprise.js"), ...line];
  const loaded = new Map();
  const chunk = (name) => {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const evaluate = functions[name] ?? scripts.get(name).runInThisContext();
    const required = (asked) => (scripts.has(asked) ? chunk(asked) : require(asked));
    evaluate(module.exports, required, module, join(folder, name), folder);
    return module.exports;
  };
  await chunk("./program.js").finished;
  if (process.exitCode) throw new Error(`reprise ${line.join(" ")} failed`);
  return [...loaded.keys()];
}

for (const line of commandLines) await run(line);

// The sample becomes the home: so that its sessions are found as those of a machine are.
process.env.HOME = join(process.env.HOME, ".reprise", "sample", "home");
const sets = {};
for (const [word, lines] of Object.entries(commandSets)) {
  const names = new Set();
  for (const line of lines) for (const name of await run(line)) names.add(name);
  const parts = [...names].map((name) => `${JSON.stringify(name)}:${texts.get(name)}`);
  // One script: its value is a table of what the chunks would be each by itself.
  const text = `({${parts.map((part) => part.replace(/;$/, "")).join(",\n")}})`;
  const script = new Script(text, { filename: `reprise/${word}` });
  for (const line of lines) await run(line, script.runInThisContext());
  sets[word] = { text, script };
}

// The pack that src/programs/cli/start.ts reads: an index on the first line, then texts and code.
const pieces = [];
let at = 0;
function put({ text, script }) {
  const code = script.createCachedData();
  const place = [at, text.length, code.length];
  pieces.push(Buffer.from(text, "latin1"), code);
  at += text.length + code.length;
  return place;
}
const index = {
  chunks: Object.fromEntries(chunks.map((chunk) => [chunk.name, put(chunk)])),
  sets: Object.fromEntries(Object.entries(sets).map(([word, set]) => [word, put(set)])),
};
const pack = `${folder}-${process.version}-${process.arch}.pack`;
writeFileSync(pack, Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...pieces]));

// Runs the program on the sample sessions as people run it most, then keeps what V8 compiled meanwhile. What
// is not in it is compiled when it is called.
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
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
  // The first one makes the index, the second one keeps what it saw, the third one looks whether that is so.
  ["search", "docker"],
  ["search", "docker"],
  ["search", "First"],
  ["search", "First", "--json"],
  ["stats", "--sample"],
  ["stats", "--sample", "--json"],
  // The second one finds the rows the first one kept, the others its report.
  ["stats"],
  ["stats", "--json"],
  ["stats"],
  ["stats", "--json"],
];

const texts = new Map(
  readdirSync(folder).map((file) => {
    const text = readFileSync(join(folder, file), "latin1");
    return [
      `./${file}`,
      `(function (exports, require, module, __filename, __dirname) {${text}\n})`,
    ];
  }),
);

/** A run of the program from its beginning, with what gives a chunk's function: every chunk is evaluated anew. */
function runOf(entry, functionOf) {
  const loaded = new Map();
  const chunk = (name) => {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const required = (asked) => (texts.has(asked) ? chunk(asked) : require(asked));
    functionOf(name)(module.exports, required, module, join(folder, name), folder);
    return module.exports;
  };
  return chunk(entry).finished;
}

// The same each time: what has another time has changed.
const then = new Date(Date.now() - 3_600_000);

/** Makes a folder look as if nobody had touched it for long: what changed just now is not trusted. */
function age(folder) {
  for (const name of ["", ...readdirSync(folder, { recursive: true })]) {
    utimesSync(join(folder, name), then, then);
  }
}

/** Every command line, in a home that begins empty. */
async function runAll(functionOf, began = () => undefined) {
  rmSync(join(process.env.HOME, ".reprise"), { recursive: true, force: true });
  for (const line of commandLines) {
    began();
    age(process.env.HOME);
    age(folder);
    process.argv = [process.execPath, join(bin, "reprise.js"), ...line];
    await runOf("./program.js", functionOf);
    if (process.exitCode) throw new Error(`reprise ${line.join(" ")} failed`);
  }
}

/** Chunks that are always loaded together are compiled together: each piece of code costs its own start. */
async function groupedChunks() {
  const runs = new Map([...texts.keys()].map((name) => [name, ""]));
  let number = 0;
  await runAll(
    (name) => {
      runs.set(name, `${runs.get(name)} ${number}`);
      return new Script(texts.get(name)).runInThisContext();
    },
    () => {
      number += 1;
    },
  );
  const groups = new Map();
  for (const [name, key] of runs) {
    // What no run loads is loaded alone.
    const group = key === "" ? name : key;
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return [...groups.values()];
}

// Code that has not run for a while would be thrown away before it is kept.
setFlagsFromString("--no-flush-bytecode");
// Every run listens to the streams once more.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);
const groups = (await groupedChunks()).map((names, number) => {
  const text = `[${names.map((name) => texts.get(name)).join(",\n")}]`;
  return { names, text, script: new Script(text, { filename: `reprise/${number}` }) };
});
const groupOf = new Map(groups.flatMap((group) => group.names.map((name) => [name, group])));
await runAll((name) => {
  const { names, script } = groupOf.get(name);
  return script.runInThisContext()[names.indexOf(name)];
});
// Code is taken only by a V8 that is set as the one that made it.
setFlagsFromString("--flush-bytecode");

// The pack that src/programs/cli/start.ts reads: an index on the first line, then texts and code.
const index = { groups: [], chunks: {} };
const pieces = [];
let at = 0;
for (const { names, text, script } of groups) {
  const code = script.createCachedData();
  names.forEach((name, place) => {
    index.chunks[name] = [index.groups.length, place];
  });
  index.groups.push([at, text.length, code.length]);
  pieces.push(Buffer.from(text, "latin1"), code);
  at += text.length + code.length;
}
const pack = `${folder}-${process.version}-${process.arch}.pack`;
writeFileSync(pack, Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...pieces]));

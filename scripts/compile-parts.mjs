// Uses the library as programs use it most, then keeps what V8 compiled of its parts meanwhile: see scripts/parts.mjs.
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

const [, , folder] = process.argv;
const scripts = new Map();
const { Script } = vm;
vm.Script = class extends Script {
  constructor(text, options) {
    super(text, options);
    scripts.set(basename(options.filename), this);
  }
};

const { SessionManager } = await import(pathToFileURL(join(folder, "index.js")).href);
const cwd = process.env.HOME;
for (const sync of ["turn", "each"]) {
  const session = SessionManager.create(cwd, undefined, { sync });
  await session.appendUser("hello");
  await session.appendAssistant("Let me look.", { usage: { input: 12, output: 8 } });
  await session.appendToolUse("call", "bash", { command: "ls" });
  await session.appendToolResult("call", "a.ts");
  session.appendSync({ type: "assistant", content: "One file.", endTurn: true });
  await session.setTitle("A title");
  session.buildSessionContext();
  await session.fork().close();
  await session.close();
}
const recent = SessionManager.continueRecent(cwd);
await recent.compact({ keepTokens: 1 });
await recent.rewind(2);
recent.branches();
await recent.close();
const opened = SessionManager.open(recent.getSessionFile());
opened.buildSessionContext();
for await (const _event of opened.events());
await opened.close();
await SessionManager.list(cwd);
await SessionManager.inMemory().appendUser("hello");

for (const [name, script] of scripts) {
  const text = readFileSync(join(folder, name));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const half = Buffer.concat([length, text, script.createCachedData()]);
  const ending = `-${process.version}-${process.arch}.pack`;
  writeFileSync(join(folder, name.replace(/\.js$/, ending)), Buffer.concat([half, half]));
}

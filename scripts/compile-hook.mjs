// Runs the hook on the events agents send most, then keeps what V8 compiled meanwhile: see
// src/programs/hook/start.ts. The last event comes by standard input, as it does from the agents.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";

const [, , bin] = process.argv;
const main = "./reprise-hook-main.cjs";
const late = "./reprise-hook-late.cjs";
const require = createRequire(join(bin, main));
const scripts = new Map(
  [main, late].map((file) => {
    const text = Module.wrap(readFileSync(join(bin, file), "latin1"));
    return [file, { text, script: new Script(text, { filename: file.slice(2) }) }];
  }),
);

function load(file) {
  const module = { exports: {} };
  const required = (asked) => (scripts.has(asked) ? load(asked) : require(asked));
  const run = scripts.get(file).script.runInThisContext();
  run(module.exports, required, module, join(bin, file), bin);
  return module.exports;
}

const transcript = join(process.env.HOME, "transcript.jsonl");
const usage = { input_tokens: 1, cache_read_input_tokens: 40_000, output_tokens: 300 };
const message = { role: "assistant", model: "claude-opus-5-5", content: [], usage };
writeFileSync(transcript, `${JSON.stringify({ type: "assistant", message })}\n`);

const tool = { tool_name: "Edit", tool_input: { file_path: "/p/a.ts" }, tool_response: "done" };
const events = [
  ["claude-code", "SessionStart", { source: "startup" }],
  ["claude-code", "UserPromptSubmit", { prompt: "Always run the tests before you commit" }],
  ["claude-code", "PostToolUse", tool],
  ["claude-code", "PostToolUse", { ...tool, tool_name: "Bash", tool_input: { command: "ls" } }],
  ["claude-code", "Stop", {}],
  ["codex", "SessionStart", { source: "startup" }],
  ["codex", "UserPromptSubmit", { prompt: "Go on" }],
  ["codex", "PostToolUse", tool],
  ["codex", "Stop", {}],
  ["gemini-cli", "SessionStart", { source: "startup" }],
  ["gemini-cli", "BeforeAgent", { prompt: "Go on" }],
  ["gemini-cli", "AfterTool", tool],
  ["claude-code", "UserPromptSubmit", { prompt: "Go on" }],
];

process.exit = () => undefined;
for (const [agent, name, more] of events) {
  const payload = JSON.stringify({
    session_id: "compiled-ahead",
    transcript_path: transcript,
    cwd: process.env.HOME,
    hook_event_name: name,
    ...more,
  });
  process.argv = [process.execPath, join(bin, "reprise-hook.cjs"), agent, payload];
  load(main);
}
process.argv.pop();
load(main);

for (const [file, { text, script }] of scripts) {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const half = Buffer.concat([length, Buffer.from(text, "latin1"), script.createCachedData()]);
  const ending = `-${process.version}-${process.arch}.pack`;
  writeFileSync(join(bin, file.replace(/\.cjs$/, ending)), Buffer.concat([half, half]));
}

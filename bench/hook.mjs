// A whole hook on a transcript of 50 MB, started as agents start it, against starting Node alone; and how long our own
// work in it takes, by what it writes down.
import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launcherText } from "../dist/rooms/bridge/install/launcher.js";
import { atMost, factRow, interleave } from "./measure.mjs";
import { onEachNode } from "./nodes.mjs";

const hook = fileURLToPath(new URL("../dist/bin/reprise-hook.cjs", import.meta.url));
const reprise = fileURLToPath(new URL("../dist/bin/reprise.js", import.meta.url));
const transcriptBytes = 50 * 1024 * 1024;
/** What a hook may take of its own, in milliseconds. */
const deadlineMs = 100;
/** What agents call a hook for most. */
const events = [
  ["UserPromptSubmit", { prompt: "Go on with it" }],
  [
    "PostToolUse",
    { tool_name: "Edit", tool_input: { file_path: "/p/a.ts" }, tool_response: "x".repeat(4096) },
  ],
];

export async function rows({ folder, quick }) {
  const home = join(folder, "home");
  // What a hook costs that takes no checkpoint; one that does is measured apart.
  const settings = join(home, ".reprise", "bridge", "settings.json");
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, '{"checkpoints": false}');
  const cwd = join(folder, "project");
  mkdirSync(cwd);
  const transcript = writeTranscript(join(folder, "transcript.jsonl"));
  const env = { PATH: process.env["PATH"], HOME: home, REPRISE_NO_DRAIN: "1" };
  const options = { rounds: quick ? 21 : 201, warmups: 3 };
  const found = await onEachNode(async ({ program: node, barOf }) => {
    const rows = [];
    for (const [name, more] of events) {
      const payload = JSON.stringify({
        session_id: `bench-${name}`,
        transcript_path: transcript,
        cwd,
        hook_event_name: name,
        ...more,
      });
      const started = (program, argv) => () => run(program, argv, { payload, env });
      const sides = {
        ours: started(...called(folder, node)),
        floor: started(node, ["-e", "0"]),
      };
      const times = await interleave(sides, options);
      const what = `${name}, 50 MB transcript: / node -e 0`;
      // By the median, as promised: what other programs do meanwhile slows both.
      rows.push(atMost(what, medians(times), barOf({ 20: 1.6, 24: 1.4 })));
    }
    return rows;
  });
  writeFileSync(settings, "{}");
  found.push(...(await checkpointRows({ folder, cwd, env, transcript, options })));
  const own = ownTimes(join(home, ".reprise", "bridge", "claude-code"));
  const p99 = own.toSorted((a, b) => a - b)[Math.floor(own.length * 0.99)];
  found.push(
    factRow(
      `own work of ${own.length} hooks: p99 ${p99.toFixed(1)} ms, under ${deadlineMs} ms`,
      p99 < deadlineMs,
    ),
  );
  return found;
}

/** A prompt, and the moment before a command, in a folder of 5,000 files that was captured before. */
async function checkpointRows({ folder, cwd, env, transcript, options }) {
  for (let at = 0; at < 5_000; at += 1) {
    const inner = join(cwd, `folder-${at % 100}`);
    if (at < 100) mkdirSync(inner);
    writeFileSync(join(inner, `${at}.txt`), `file ${at}\n`.repeat(200));
  }
  const base = [reprise, "drain", "--base", cwd, "--base-only"];
  const { status } = spawnSync(process.execPath, base, { env });
  if (status !== 0) throw new Error("the folder was not captured");
  const made = [];
  for (const [name, more] of [
    ["UserPromptSubmit", { prompt: "Go on with it" }],
    ["PreToolUse", { tool_name: "Bash", tool_input: { command: "make" }, tool_use_id: "c" }],
    ["PreToolUse", { tool_name: "Edit", tool_input: { file_path: join(cwd, "folder-1/1.txt") } }],
  ]) {
    const payload = JSON.stringify({
      session_id: "bench-checkpoint",
      transcript_path: transcript,
      cwd,
      hook_event_name: name,
      ...more,
    });
    const started = (program, argv) => () => run(program, argv, { payload, env });
    const sides = {
      ours: started(...called(folder, process.execPath)),
      floor: started(process.execPath, ["-e", "0"]),
    };
    const times = await interleave(sides, { ...options, rounds: Math.min(options.rounds, 51) });
    const what = `${name} ${more.tool_name ?? ""} with a checkpoint, 5,000 files: / node -e 0`;
    made.push(atMost(what, medians(times), more.tool_name === "Edit" ? 4.5 : 8));
  }
  return made;
}

/** What agents call: the launcher, and where there is none, Node. */
function called(folder, node) {
  if (process.platform === "win32") return [node, [hook, "claude-code"]];
  const launcher = join(folder, "reprise-hook");
  writeFileSync(launcher, launcherText({ node, script: hook }), { mode: 0o700 });
  return [launcher, ["claude-code"]];
}

/** Each side by its median alone. */
function medians({ ours, floor }) {
  const middle = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
  return { ours: [middle(ours)], floor: [middle(floor)] };
}

/** Both sides are started alike and given the same input. */
function run(node, argv, { payload, env }) {
  const began = performance.now();
  const child = spawnSync(node, argv, { env, input: payload });
  const ms = performance.now() - began;
  if (child.status !== 0 || child.stderr.length > 0)
    throw new Error(`the hook failed: ${child.stderr}`);
  return ms;
}

function ownTimes(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line).ownMs);
}

function writeTranscript(path) {
  const fd = openSync(path, "w");
  const text =
    "A paragraph of what was said and done, long enough to be like the real thing. ".repeat(25);
  let parent = null;
  for (let written = 0, number = 0; written < transcriptBytes; number += 1) {
    const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    const usage = {
      input_tokens: 12,
      cache_read_input_tokens: 40_000 + number,
      output_tokens: 300,
    };
    const message =
      number % 2 === 0
        ? { role: "user", content: text }
        : { role: "assistant", model: "claude-opus-5-5", content: [{ type: "text", text }], usage };
    const record = {
      type: message.role,
      uuid,
      parentUuid: parent,
      timestamp: "2026-11-15T10:00:00.000Z",
      message,
    };
    written += writeSync(fd, `${JSON.stringify(record)}\n`);
    parent = uuid;
  }
  closeSync(fd);
  return path;
}

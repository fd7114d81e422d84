// Sessions to measure with, the same in every run: seeded, written below a given folder.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "reprise";

const words = [
  ..."const return await function import export class interface readonly string number undefined".split(
    " ",
  ),
  ..."session event append offset buffer length parent folder handler request response token".split(
    " ",
  ),
  ..."the a of to and in that it is for was on with as at by from or this an be not are".split(" "),
  ..."=> === { } ( ) [ ] ; // \"quoted\" 'single' `value` <T> && || ?? … é 日本語 0x1f 42 3.14".split(
    " ",
  ),
];
const poolChars = 1 << 20;

/** Numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

let pool;

/** Text that looks like prose and source, cut out of one pool. */
export function textFrom(random, chars) {
  if (pool === undefined) {
    const next = randomFrom(1);
    const parts = [];
    for (let length = 0; length < poolChars; ) {
      const word = words[Math.floor(next() * words.length)];
      const gap = next() < 0.1 ? "\n  " : " ";
      parts.push(word, gap);
      length += word.length + gap.length;
    }
    pool = parts.join("");
  }
  const at = Math.floor(random() * (poolChars - chars));
  return pool.slice(at, at + chars);
}

/**
 * A conversation as events: a prompt, a tool call, its result, the answer. `averageBytes` is what a line
 * takes; results are the long ones, as in real sessions.
 */
export function* conversation({ seed, events, averageBytes }) {
  const random = randomFrom(seed);
  const text = (share) =>
    textFrom(random, Math.floor(averageBytes * share * (0.5 + random()) * 0.82));
  const model = "model-1";
  for (let turn = 0; turn * 4 < events; turn += 1) {
    const call = `call_${seed}_${turn}`;
    const input = { command: text(0.3), description: text(0.1) };
    const usage = { input: 12_000 + turn, output: 300, cacheRead: 9_000, cacheWrite: 800 };
    yield { type: "user", content: text(0.1) };
    yield { type: "tool_use", call, name: "bash", input, message: `msg_${turn}a`, model };
    yield { type: "tool_result", call, content: text(3) };
    yield { type: "assistant", content: text(0.5), message: `msg_${turn}b`, model, usage };
  }
}

const keptEvents = 480;
const compactionSummary = "The request handler was split, its tests pass; the cache is next. ";

/**
 * Writes a native session and returns its file. With `compacted`, a compaction near the end keeps the
 * last events.
 */
export function nativeSession(dir, { seed = 7, events, averageBytes, compacted = false, title }) {
  const session = SessionManager.create(dir, dir, { sync: "none", ...(title && { title }) });
  let told = 0;
  for (const body of conversation({ seed, events, averageBytes })) {
    session.appendSync(body);
    told += 1;
    if (compacted && told === events - keptEvents / 2) {
      const keepFrom = session.getLeafId() - keptEvents / 2 + 1;
      session.appendSync({ type: "compaction", summary: compactionSummary.repeat(40), keepFrom });
    }
  }
  return closed(session);
}

/** Gives the session free at once, and returns its file. */
async function closed(session) {
  const file = session.getSessionFile();
  await session.close();
  return file;
}

/** Writes the same conversation as pi does, an entry for each of our events. */
export function piSession(dir, { seed = 7, events, averageBytes, compacted = false }) {
  const file = join(dir, "2026-01-02T03-04-05-678Z_01900000-0000-7000-8000-000000000001.jsonl");
  const write = lineWriter(file);
  const timestamp = "2026-01-02T03:04:05.678Z";
  write({
    type: "session",
    version: 3,
    id: "01900000-0000-7000-8000-000000000001",
    timestamp,
    cwd: dir,
  });
  let parentId = null;
  let count = 0;
  // Fields in pi's own order.
  const add = ({ type, ...fields }) => {
    count += 1;
    const id = count.toString(16).padStart(8, "0");
    write({ type, id, parentId, timestamp, ...fields });
    parentId = id;
  };
  let told = 0;
  for (const body of conversation({ seed, events, averageBytes })) {
    told += 1;
    add({ type: "message", message: piMessage(body) });
    if (compacted && told === events - keptEvents / 2) {
      const firstKeptEntryId = (count - keptEvents / 2 + 1).toString(16).padStart(8, "0");
      const summary = compactionSummary.repeat(40);
      add({ type: "compaction", summary, firstKeptEntryId, tokensBefore: 150_000 });
    }
  }
  write.close();
  return file;
}

const timestampMs = 1_767_323_045_678;

function piMessage(body) {
  const text = [{ type: "text", text: body.content }];
  if (body.type === "user") return { role: "user", content: text, timestamp: timestampMs };
  if (body.type === "tool_result") {
    const { call: toolCallId } = body;
    const rest = { toolName: "bash", content: text, isError: false, timestamp: timestampMs };
    return { role: "toolResult", toolCallId, ...rest };
  }
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const call = { type: "toolCall", id: body.call, name: "bash", arguments: body.input };
  return {
    role: "assistant",
    content: body.type === "tool_use" ? [call] : text,
    api: "api-1",
    provider: "provider-1",
    model: "model-1",
    usage: {
      input: 12_000,
      output: 300,
      cacheRead: 9_000,
      cacheWrite: 800,
      totalTokens: 22_100,
      cost,
    },
    stopReason: body.type === "tool_use" ? "toolUse" : "stop",
    timestamp: timestampMs,
  };
}

/** Writes values as JSON lines, a megabyte at a time. */
export function lineWriter(file) {
  const fd = openSync(file, "wx", 0o600);
  let lines = [];
  let held = 0;
  const flush = () => {
    writeSync(fd, lines.join(""));
    lines = [];
    held = 0;
  };
  const write = (value) => {
    const line = `${typeof value === "string" ? value : JSON.stringify(value)}\n`;
    lines.push(line);
    held += line.length;
    if (held > 1 << 20) flush();
  };
  write.close = () => {
    flush();
    closeSync(fd);
  };
  return write;
}

/** The environment of a user whose home is the given folder. */
export function environmentOf(home) {
  return { variables: { HOME: home, USER: "dev" }, platform: process.platform, home, cwd: home };
}

/** Many native sessions in a user's home, in twenty projects; sizes differ, their sum is given. */
export async function nativeHome(home, { sessions, totalBytes }) {
  const random = randomFrom(11);
  const env = environmentOf(home);
  for (let number = 0; number < sessions; number += 1) {
    const cwd = join(home, "work", `project-${number % 20}`);
    mkdirSync(cwd, { recursive: true });
    const options = { sync: "none", env, ...(number % 3 === 0 && { title: `Session ${number}` }) };
    const session = SessionManager.create(cwd, undefined, options);
    const averageBytes = 2000;
    const events = Math.ceil(((0.2 + 1.6 * random()) * totalBytes) / sessions / averageBytes);
    const bodies = [...conversation({ seed: number, events, averageBytes })];
    for (let at = 0; at < bodies.length; at += 64)
      await session.appendAll(bodies.slice(at, at + 64));
    await session.close();
  }
  return env;
}

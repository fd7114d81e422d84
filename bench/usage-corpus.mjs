// Sessions of three agents with the usage each of them records, the same in every run: seeded, every
// message with its own id, tool results the long part, as in real sessions.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { randomFrom, textFrom } from "./corpora.mjs";

const firstMs = Date.UTC(2026, 5, 1, 8);
const dayMs = 24 * 3600_000;
const resultChars = 9_000;
const projects = 20;

/**
 * Writes `sessions` sessions of about `totalBytes` in all below `home`: six of ten as Claude Code, two as
 * Codex, two as pi.
 */
export function usageHome(home, { sessions, totalBytes }) {
  const bytes = totalBytes / sessions;
  for (let number = 0; number < sessions; number += 1) {
    const write = [claude, claude, claude, codex, pi][number % 5];
    const random = randomFrom(number + 1);
    // Few sessions are long and most are short.
    const size = bytes * (0.25 + 1.5 * random());
    write(home, {
      number,
      random,
      size,
      startMs: firstMs + (number % 150) * dayMs + number * 1061,
    });
  }
}

function claude(home, { number, random, size, startMs }) {
  const session = uuidOf(number);
  const cwd = `/home/dev/project-${number % projects}`;
  const dir = join(home, ".claude/projects", cwd.replaceAll("/", "-"));
  const write = writer(join(dir, `${session}.jsonl`));
  const common = { userType: "external", entrypoint: "cli", cwd, sessionId: session };
  const about = { ...common, version: "2.1.325", gitBranch: "main" };
  let parentUuid = null;
  for (let turn = 0; write.bytes < size; turn += 1) {
    const message = `msg_${number}_${turn}`;
    const requestId = `req_${number}_${turn}`;
    const at = (ms) => new Date(startMs + turn * 20_000 + ms).toISOString();
    const put = (record, ms) => {
      const uuid = uuidOf(number * 1e6 + turn * 10 + ms);
      write({ parentUuid, isSidechain: false, ...record, uuid, timestamp: at(ms), ...about });
      parentUuid = uuid;
    };
    const usage = {
      input_tokens: 3 + Math.floor(random() * 900),
      cache_creation_input_tokens: Math.floor(random() * 3000),
      cache_read_input_tokens: 12_000 + turn * 40,
      output_tokens: 20 + Math.floor(random() * 800),
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      service_tier: "standard",
      cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
    };
    usage.cache_creation.ephemeral_5m_input_tokens = usage.cache_creation_input_tokens;
    const model = turn % 7 === 0 ? "claude-haiku-4-5-20251001" : "claude-sonnet-4-5-20250929";
    const reply = (block) => ({
      message: {
        id: message,
        type: "message",
        role: "assistant",
        model,
        content: [block],
        stop_reason: "tool_use",
        stop_sequence: null,
        usage,
      },
      requestId,
      type: "assistant",
    });
    const said = textFrom(random, 100 + Math.floor(random() * 600));
    const input = { command: textFrom(random, 60 + Math.floor(random() * 500)) };
    put(reply({ type: "text", text: said }), 1);
    put(reply({ type: "tool_use", id: `toolu_${number}_${turn}`, name: "Bash", input }), 2);
    const content = textFrom(random, Math.floor(resultChars * (0.2 + 1.6 * random())));
    const result = { type: "tool_result", tool_use_id: `toolu_${number}_${turn}`, content };
    put({ type: "user", message: { role: "user", content: [result] } }, 3);
  }
  write.close();
}

function codex(home, { number, random, size, startMs }) {
  const thread = uuidOf(number);
  const day = new Date(startMs).toISOString();
  const dir = join(home, ".codex/sessions", day.slice(0, 10).replaceAll("-", "/"));
  const stamp = day.slice(0, 19).replaceAll(":", "-");
  const write = writer(join(dir, `rollout-${stamp}-${thread}.jsonl`));
  const cwd = `/home/dev/project-${number % projects}`;
  let ms = startMs;
  const put = (type, payload) => {
    ms += 1000;
    write({ timestamp: new Date(ms).toISOString(), type, payload });
  };
  const instructions = { text: textFrom(random, 20_000) };
  const meta = { id: thread, timestamp: day, cwd, originator: "codex_cli_rs", source: "cli" };
  put("session_meta", { ...meta, cli_version: "0.166.0", base_instructions: instructions });
  put("turn_context", { cwd, model: "gpt-5.1-codex", approval_policy: "never", summary: "auto" });
  const total = zeroTokens();
  for (let turn = 0; write.bytes < size; turn += 1) {
    const call = `call_${number}_${turn}`;
    const input = JSON.stringify({ cmd: textFrom(random, 60 + Math.floor(random() * 400)) });
    put("response_item", { type: "function_call", name: "shell", arguments: input, call_id: call });
    const output = textFrom(random, Math.floor(resultChars * (0.2 + 1.6 * random())));
    put("response_item", { type: "function_call_output", call_id: call, output });
    const last = zeroTokens();
    last.input_tokens = 9_000 + turn * 30;
    last.cached_input_tokens = 8_000;
    last.output_tokens = 20 + Math.floor(random() * 900);
    last.reasoning_output_tokens = Math.floor(last.output_tokens / 3);
    last.total_tokens = last.input_tokens + last.output_tokens;
    for (const key of Object.keys(total)) total[key] += last[key];
    const info = { total_token_usage: { ...total }, last_token_usage: last };
    put("event_msg", { type: "token_count", info, rate_limits: null });
  }
  write.close();
}

function zeroTokens() {
  return {
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_output_tokens: 0,
    total_tokens: 0,
  };
}

function pi(home, { number, random, size, startMs }) {
  const session = uuidOf(number);
  const cwd = `/home/dev/project-${number % projects}`;
  const dir = join(home, ".pi/agent/sessions", `-${cwd.replaceAll("/", "-")}--`);
  const begun = new Date(startMs).toISOString();
  const write = writer(join(dir, `${begun.replaceAll(/[:.]/g, "-")}_${session}.jsonl`));
  write({ type: "session", version: 3, id: session, timestamp: begun, cwd });
  let parentId = null;
  const put = (turn, part, message) => {
    const id = Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
    const timestamp = new Date(startMs + turn * 2000 + part).toISOString();
    write({ type: "message", id, parentId, timestamp, message });
    parentId = id;
  };
  for (let turn = 0; write.bytes < size; turn += 1) {
    const call = `call_${number}_${turn}`;
    const input = 500 + Math.floor(random() * 4000);
    const output = 20 + Math.floor(random() * 800);
    const cost = { input: input * 3e-6, output: output * 15e-6, cacheRead: 0, cacheWrite: 0 };
    const usage = { input, output, cacheRead: 0, cacheWrite: 0, totalTokens: input + output };
    put(turn, 0, {
      role: "assistant",
      content: [{ type: "toolCall", id: call, name: "bash", arguments: { command: "ls" } }],
      provider: "anthropic",
      model: "claude-sonnet-4-5",
      usage: { ...usage, cost: { ...cost, total: cost.input + cost.output } },
      stopReason: "toolUse",
      timestamp: startMs + turn * 2000,
    });
    const text = textFrom(random, Math.floor(resultChars * (0.2 + 1.6 * random())));
    const content = [{ type: "text", text }];
    put(turn, 1, { role: "toolResult", toolCallId: call, toolName: "bash", content });
  }
  write.close();
}

/** Appends records to a new file through one buffer. */
function writer(file) {
  mkdirSync(join(file, ".."), { recursive: true });
  const fd = openSync(file, "w");
  const write = (record) => {
    const line = `${JSON.stringify(record)}\n`;
    write.bytes += Buffer.byteLength(line);
    held.push(line);
    if (held.length === 256) flush();
  };
  const held = [];
  const flush = () => {
    writeSync(fd, held.splice(0).join(""));
  };
  write.bytes = 0;
  write.close = () => {
    flush();
    closeSync(fd);
  };
  return write;
}

function uuidOf(number) {
  return `01900000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
}

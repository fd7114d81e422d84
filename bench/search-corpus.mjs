// Sessions of three agents to search in: what they say is real source and prose, and the records are as
// long-winded as those the programs write.
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { lineWriter, randomFrom } from "./corpora.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const poolChars = 12 << 20;
// Their versions are fixed, so that what is measured changes with the code that is measured alone.
const packages = ["@types/node", "fast-check", "vite", "vitest", "commander", "typescript", "knip"];

let pool;

/** What people and tools talk about: the sources and pages of some packages. */
function textPool() {
  if (pool !== undefined) return pool;
  const parts = [];
  let length = 0;
  for (const folder of packages.map((name) => join(root, "node_modules", name))) {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
    for (const name of names) {
      if (!/\.(ts|js|mjs|md)$/.test(name) || length > poolChars) continue;
      const text = readFileSync(join(folder, name), "utf8");
      // Not what a machine has put on one line.
      if (text.length / (text.split("\n").length + 1) > 200) continue;
      parts.push(text);
      length += text.length;
    }
  }
  pool = parts.join("\n");
  return pool;
}

function text(random, chars) {
  const from = textPool();
  const at = Math.floor(random() * (from.length - chars));
  return from.slice(at, at + chars);
}

/** Lengths as real outputs have them: most are short, a few very long; a line has 4 KB on average. */
function outputChars(random) {
  const share = random();
  if (share < 0.5) return 200 + Math.floor(random() * 1500);
  if (share < 0.85) return 1500 + Math.floor(random() * 8_000);
  if (share < 0.98) return 8_000 + Math.floor(random() * 40_000);
  return 48_000 + Math.floor(random() * 150_000);
}

const base64 = Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 7919) & 255)).toString(
  "base64",
);

/** What a model thought, with the provider's proof of it. */
function thought(random) {
  const chars = 600 + Math.floor(random() * 2400);
  const from = Math.floor(random() * (base64.length - chars));
  return { text: text(random, 100 + random() * 500), signature: base64.slice(from, from + chars) };
}

const usage = {
  input_tokens: 10,
  cache_creation_input_tokens: 1200,
  cache_read_input_tokens: 24_000,
  cache_creation: { ephemeral_5m_input_tokens: 1200, ephemeral_1h_input_tokens: 0 },
  output_tokens: 310,
  service_tier: "standard",
};

const began = Date.parse("2026-05-01T08:00:00Z");

/** The turns of one session; every event has an instant and a word of its own. */
function* turns(random, number) {
  let ms = began + number * 15_000_000;
  let event = 0;
  const at = () => {
    ms += 1000 + Math.floor(random() * 60_000);
    return new Date(ms).toISOString();
  };
  const tag = () => {
    event += 1;
    return `ev${number}x${event}`;
  };
  for (let turn = 0; ; turn += 1) {
    yield { role: "user", at: at(), text: `${text(random, 60 + random() * 400)} ${tag()}` };
    for (let call = 0; call < 3; call += 1) {
      if (call === 0) yield { role: "thinking", at: at(), ...thought(random) };
      const id = `call_${number}_${turn}_${call}`;
      const path = `/home/dev/project-${number % 20}/src/${text(random, 12).replace(/\W/g, "")}.ts`;
      const input = { command: `${text(random, 40 + random() * 500)} ${tag()}`, path };
      yield { role: "call", at: at(), id, input };
      yield { role: "result", at: at(), id, text: `${text(random, outputChars(random))} ${tag()}` };
    }
    yield { role: "thinking", at: at(), ...thought(random) };
    yield { role: "assistant", at: at(), text: `${text(random, 200 + random() * 1500)} ${tag()}` };
  }
}

const uuid = (number, line = 0) =>
  `01900000-${String(line % 10_000).padStart(4, "0")}-7000-8000-${(number * 100_000 + Math.floor(line / 10_000)).toString(16).padStart(12, "0")}`;

const formats = [
  {
    place: (number) => `.claude/projects/-home-dev-project-${number % 20}/${uuid(number)}.jsonl`,
    start: () => [],
    line: (turn, { number, line }) => {
      const message =
        turn.role === "user"
          ? { role: "user", content: turn.text }
          : turn.role === "result"
            ? {
                role: "user",
                content: [{ type: "tool_result", tool_use_id: turn.id, content: turn.text }],
              }
            : {
                id: `msg_${number}_${line}`,
                type: "message",
                role: "assistant",
                model: "model-1",
                content: [
                  turn.role === "call"
                    ? { type: "tool_use", id: turn.id, name: "Bash", input: turn.input }
                    : turn.role === "thinking"
                      ? { type: "thinking", thinking: turn.text, signature: turn.signature }
                      : { type: "text", text: turn.text },
                ],
                stop_reason: turn.role === "call" ? "tool_use" : "end_turn",
                usage,
              };
      return {
        parentUuid: line === 1 ? null : uuid(number, line - 1),
        isSidechain: false,
        userType: "external",
        cwd: `/home/dev/project-${number % 20}`,
        sessionId: uuid(number),
        version: "2.1.325",
        gitBranch: "main",
        type: message.role,
        message,
        uuid: uuid(number, line),
        timestamp: turn.at,
        ...(turn.role === "result" && {
          toolUseResult: { stdout: turn.text, stderr: "", interrupted: false, isImage: false },
        }),
      };
    },
  },
  {
    place: (number) =>
      `.codex/sessions/2026/${String(5 + (number % 6)).padStart(2, "0")}/15/rollout-2026-11-15T18-50-19-${uuid(number)}.jsonl`,
    start: (number) => [
      {
        timestamp: new Date(began + number * 15_000_000).toISOString(),
        type: "session_meta",
        payload: {
          id: uuid(number),
          timestamp: new Date(began + number * 15_000_000).toISOString(),
          cwd: `/home/dev/project-${number % 20}`,
          originator: "codex_exec",
          cli_version: "0.105.0",
        },
      },
    ],
    line: (turn) => {
      const payload =
        turn.role === "call"
          ? {
              type: "function_call",
              name: "shell",
              arguments: JSON.stringify(turn.input),
              call_id: turn.id,
            }
          : turn.role === "result"
            ? { type: "function_call_output", call_id: turn.id, output: turn.text }
            : turn.role === "thinking"
              ? {
                  type: "reasoning",
                  summary: [{ type: "summary_text", text: turn.text }],
                  content: null,
                  encrypted_content: turn.signature,
                }
              : {
                  type: "message",
                  role: turn.role,
                  content: [
                    { type: turn.role === "user" ? "input_text" : "output_text", text: turn.text },
                  ],
                };
      return { timestamp: turn.at, type: "response_item", payload };
    },
    also: ({ role, at, text: message }) => {
      if (role !== "user" && role !== "assistant") return [];
      const type = role === "user" ? "user_message" : "agent_message";
      return [{ timestamp: at, type: "event_msg", payload: { type, message } }];
    },
  },
  {
    place: (number) =>
      `.pi/agent/sessions/--home-dev-project-${number % 20}--/2026-11-15T18-19-48-767Z_${uuid(number)}.jsonl`,
    start: (number) => [
      {
        type: "session",
        version: 3,
        id: uuid(number),
        timestamp: new Date(began + number * 15_000_000).toISOString(),
        cwd: `/home/dev/project-${number % 20}`,
      },
    ],
    line: (turn, { line }) => {
      const timestamp = Date.parse(turn.at);
      const content = [{ type: "text", text: turn.text }];
      const message =
        turn.role === "user"
          ? { role: "user", content, timestamp }
          : turn.role === "result"
            ? {
                role: "toolResult",
                toolCallId: turn.id,
                toolName: "bash",
                content,
                isError: false,
                timestamp,
              }
            : {
                role: "assistant",
                content:
                  turn.role === "call"
                    ? [{ type: "toolCall", id: turn.id, name: "bash", arguments: turn.input }]
                    : turn.role === "thinking"
                      ? [
                          {
                            type: "thinking",
                            thinking: turn.text,
                            thinkingSignature: turn.signature,
                          },
                        ]
                      : content,
                model: "model-1",
                usage: {
                  input: 10,
                  output: 310,
                  cacheRead: 24_000,
                  cacheWrite: 1200,
                  totalTokens: 25_520,
                },
                stopReason: turn.role === "call" ? "toolUse" : "stop",
                timestamp,
              };
      const id = line.toString(16).padStart(8, "0");
      const parentId = line === 1 ? null : (line - 1).toString(16).padStart(8, "0");
      return { type: "message", id, parentId, timestamp: turn.at, message };
    },
  },
];

/** Writes the sessions below a home and returns what they are. */
export function searchCorpus(home, { sessions, totalBytes }) {
  const random = randomFrom(17);
  const files = [];
  let bytes = 0;
  for (let number = 0; number < sessions; number += 1) {
    const format = formats[number % formats.length];
    const wanted = ((0.2 + 1.6 * random()) * totalBytes) / sessions;
    const file = join(home, format.place(number));
    mkdirSync(dirname(file), { recursive: true });
    const write = lineWriter(file);
    let line = 0;
    let written = 0;
    for (const record of format.start(number)) write(record);
    for (const turn of turns(randomFrom(1000 + number), number)) {
      line += 1;
      const json = JSON.stringify(format.line(turn, { number, line }));
      written += json.length;
      write(json);
      for (const record of format.also?.(turn) ?? []) write(record);
      if (written >= wanted && turn.role === "assistant") break;
    }
    write.close();
    const seconds = (began + number * 15_000_000) / 1000 + 3600;
    utimesSync(file, seconds, seconds);
    bytes += statSync(file).size;
    files.push(file);
  }
  return { files, bytes, env: { PATH: process.env.PATH, HOME: home } };
}

/** One more line for a session of the first format, with a word nothing else has. */
export function appendedLine(number, line, word) {
  const turn = { role: "user", at: new Date().toISOString(), text: `please look at ${word}` };
  return `${JSON.stringify(formats[0].line(turn, { number, line }))}\n`;
}

// Proves the harness itself: a minimal session written by hand for each program must be resumed, and the
// stub must tell what the program sent. No code of the library takes part.
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const at = (second) => new Date(Date.now() - 600_000 + second * 1000).toISOString();
const lines = (values) => `${values.map((value) => JSON.stringify(value)).join("\n")}\n`;

/** What each of the sessions says. */
export const said = [
  { kind: "user", text: "Which words are in a.txt?" },
  { kind: "call", id: "call_1", name: "look", input: { path: "a.txt" } },
  { kind: "result", id: "call_1", text: "three small words" },
  { kind: "assistant", text: "Three small words." },
];

/** By agent: writes the session into a program's home and returns its id. */
export const byHand = {
  "claude-code"({ home, cwd }) {
    const session = randomUUID();
    const folder = cwd.replaceAll(/[^A-Za-z0-9]/g, "-");
    const contents = [
      ["user", "Which words are in a.txt?"],
      ["assistant", [{ type: "tool_use", id: "call_1", name: "look", input: { path: "a.txt" } }]],
      ["user", [{ type: "tool_result", tool_use_id: "call_1", content: "three small words" }]],
      ["assistant", [{ type: "text", text: "Three small words." }]],
    ];
    const ids = contents.map(() => randomUUID());
    const records = contents.map(([role, content], index) => ({
      type: role,
      uuid: ids[index],
      parentUuid: ids[index - 1] ?? null,
      timestamp: at(index),
      message: { role, content },
    }));
    write(join(home, ".claude", "projects", folder, `${session}.jsonl`), lines(records));
    return session;
  },

  codex({ home, cwd }) {
    const session = randomUUID();
    const item = (payload) => ({ timestamp: at(1), type: "response_item", payload });
    const shown = (type, message) => ({
      timestamp: at(1),
      type: "event_msg",
      payload: { type, message },
    });
    const question = [{ type: "input_text", text: said[0].text }];
    const answer = [{ type: "output_text", text: said[3].text }];
    const meta = {
      id: session,
      timestamp: at(0),
      cwd,
      originator: "x",
      cli_version: "0.0.0",
      source: "cli",
    };
    const call = { call_id: "call_1", name: "look", arguments: JSON.stringify({ path: "a.txt" }) };
    const records = [
      { timestamp: at(0), type: "session_meta", payload: meta },
      item({ type: "message", role: "user", content: question }),
      shown("user_message", said[0].text),
      item({ type: "function_call", ...call }),
      item({ type: "function_call_output", call_id: "call_1", output: "three small words" }),
      item({ type: "message", role: "assistant", content: answer }),
      shown("agent_message", said[3].text),
    ];
    const day = at(0).slice(0, 10).split("-");
    const name = `rollout-${at(0).slice(0, 19).replaceAll(":", "-")}-${session}.jsonl`;
    write(join(home, ".codex", "sessions", ...day, name), lines(records));
    return session;
  },

  "gemini-cli"({ home, cwd }) {
    const session = randomUUID();
    const folder = join(home, ".gemini", "tmp", "by-hand");
    const call = { id: "call_1", name: "look", args: { path: "a.txt" } };
    const response = { id: "call_1", name: "look", response: { output: "three small words" } };
    const records = [
      {
        sessionId: session,
        projectHash: "0".repeat(64),
        startTime: at(0),
        lastUpdated: at(4),
        kind: "main",
      },
      { id: "u1", timestamp: at(1), type: "user", content: [{ text: said[0].text }] },
      { id: "g1", timestamp: at(2), type: "gemini", content: [{ functionCall: call }] },
      { id: "r1", timestamp: at(3), type: "user", content: [{ functionResponse: response }] },
      { id: "g2", timestamp: at(4), type: "gemini", content: said[3].text },
    ];
    write(join(folder, ".project_root"), cwd);
    // Not named after its own id: resuming leaves an empty file of that name behind, and the next start
    // deletes all files of the same name as an empty one.
    const name = `session-${at(0).slice(0, 16).replace(":", "-")}-${randomUUID().slice(0, 8)}.jsonl`;
    write(join(folder, "chats", name), lines(records));
    return session;
  },

  async opencode({ home, cwd, start }) {
    const session = "ses_byhand";
    const model = { providerID: "stub", modelID: "stub-1" };
    const message = (id, info, part) => ({
      info: { id: `msg_${id}`, sessionID: session, ...info },
      parts: [{ id: `prt_${id}`, sessionID: session, messageID: `msg_${id}`, ...part }],
    });
    const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
    const time = (second) => Date.parse(at(second));
    const answered = (second) => ({
      role: "assistant",
      parentID: "msg_1",
      time: { created: time(second), completed: time(second) },
      ...{ ...model, mode: "build", agent: "build", path: { cwd, root: cwd }, cost: 0, tokens },
    });
    const state = {
      status: "completed",
      input: { path: "a.txt" },
      output: "three small words",
      ...{ title: "", metadata: {}, time: { start: time(2), end: time(2) } },
    };
    const asked = { role: "user", time: { created: time(1) }, agent: "build", model };
    const info = {
      id: session,
      slug: "by-hand",
      projectID: "global",
      directory: cwd,
      title: "By hand",
    };
    const whole = {
      info: { ...info, version: "0.0.0", time: { created: time(0), updated: time(4) } },
      messages: [
        message(1, asked, { type: "text", text: said[0].text }),
        message(2, answered(2), { type: "tool", callID: "call_1", tool: "look", state }),
        message(3, answered(3), { type: "text", text: said[3].text }),
      ],
    };
    const file = join(home, "by-hand.json");
    write(file, JSON.stringify(whole));
    const ended = await start(["import", file]);
    if (ended.code !== 0) throw new Error(`The import failed. ${ended.said()}`);
    return session;
  },

  pi({ home, cwd }) {
    const session = randomUUID();
    const call = { type: "toolCall", id: "call_1", name: "look", arguments: { path: "a.txt" } };
    const text = (words) => [{ type: "text", text: words }];
    // Its screen adds up what everything cost.
    const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const usage = { ...none, totalTokens: 0, cost: { ...none, total: 0 } };
    const model = { api: "imported", provider: "imported", model: "imported", usage };
    const answer = { toolCallId: "call_1", toolName: "look", isError: false };
    const messages = [
      { role: "user", content: said[0].text },
      { role: "assistant", content: [call], ...model, stopReason: "toolUse" },
      { role: "toolResult", content: text("three small words"), ...answer },
      { role: "assistant", content: text(said[3].text), ...model, stopReason: "stop" },
    ];
    const records = messages.map((message, index) => ({
      type: "message",
      id: `0000000${index + 1}`,
      parentId: index === 0 ? null : `0000000${index}`,
      timestamp: at(index),
      message: { ...message, timestamp: Date.parse(at(index)) },
    }));
    const folder = `--${cwd.slice(1).replaceAll(/[/\\:]/g, "-")}--`;
    const name = `${at(0).replaceAll(/[:.]/g, "-")}_${session}.jsonl`;
    const header = { type: "session", version: 3, id: session, timestamp: at(0), cwd };
    write(join(home, ".pi", "agent", "sessions", folder, name), lines([header, ...records]));
    return session;
  },

  "copilot-cli"({ home, cwd }) {
    const session = randomUUID();
    const start = {
      ...{ sessionId: session, version: 1, producer: "x", copilotVersion: "0.0.0" },
      ...{ startTime: at(0), context: { cwd } },
    };
    const call = { toolCallId: "call_1", name: "look", arguments: { path: "a.txt" } };
    const result = { content: "three small words" };
    const contents = [
      ["session.start", start],
      ["user.message", { content: said[0].text }],
      ["assistant.message", { messageId: "m1", content: "", toolRequests: [call] }],
      ["tool.execution_complete", { toolCallId: "call_1", success: true, result }],
      ["assistant.message", { messageId: "m2", content: said[3].text }],
    ];
    const ids = contents.map(() => randomUUID());
    const records = contents.map(([type, data], index) => ({
      ...{ type, data, id: ids[index], timestamp: at(index), parentId: ids[index - 1] ?? null },
    }));
    const folder = join(home, ".copilot", "session-state", session);
    write(join(folder, "events.jsonl"), lines(records));
    return session;
  },

  "qwen-code"({ home, cwd }) {
    const session = randomUUID();
    const call = { id: "call_1", name: "look", args: { path: "a.txt" } };
    const response = { id: "call_1", name: "look", response: { output: "three small words" } };
    const contents = [
      ["user", "user", [{ text: said[0].text }]],
      ["assistant", "model", [{ functionCall: call }]],
      ["tool_result", "user", [{ functionResponse: response }]],
      ["assistant", "model", [{ text: said[3].text }]],
    ];
    const ids = contents.map(() => randomUUID());
    const records = contents.map(([type, role, parts], index) => ({
      ...{ uuid: ids[index], parentUuid: ids[index - 1] ?? null, sessionId: session },
      ...{ timestamp: at(index), type, cwd, version: "0.0.0", message: { role, parts } },
    }));
    const folder = cwd.replaceAll(/[^A-Za-z0-9]/g, "-");
    write(join(home, ".qwen", "projects", folder, "chats", `${session}.jsonl`), lines(records));
    return session;
  },

  amp({ home, cwd }) {
    const session = `T-${randomUUID()}`;
    const state = { type: "complete", stopReason: "end_turn" };
    const call = { type: "tool_use", id: "call_1", name: "look", input: { path: "a.txt" } };
    const run = { status: "done", result: "three small words" };
    const messages = [
      { role: "user", content: [{ type: "text", text: said[0].text }] },
      { role: "assistant", content: [call], state: { ...state, stopReason: "tool_use" } },
      { role: "user", content: [{ type: "tool_result", toolUseID: "call_1", run }] },
      { role: "assistant", content: [{ type: "text", text: said[3].text }], state },
    ];
    const trees = [{ displayName: "project", uri: `file://${cwd}` }];
    const thread = { v: 1, id: session, created: Date.parse(at(0)), messages };
    const data = join(home, ".local", "share", "amp");
    write(
      join(data, "threads", `${session}.json`),
      JSON.stringify({ ...thread, env: { initial: { trees } } }),
    );
    return session;
  },
};

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

// Sessions of every agent in shapes that make careless readers slow, of any number of records.
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { opencodeShapes, writeOpencode } from "./opencode-shapes.mjs";

const at = "2026-11-15T18:24:50.461Z";
const session = "0a0b0c0d-1111-4222-8333-444455556666";

/** Which record each of `n` names as its parent, by the name of the shape; undefined for a parent nobody has. */
const parents = {
  "a chain": (index) => index - 1,
  "a star": (index) => (index === 0 ? -1 : 0),
  "their own parents": (index) => index,
  "cycles of two": (index) => index ^ 1,
  "one large cycle": (index, n) => (index + n - 1) % n,
  "a chain towards the end": (index, n) => (index + 1 === n ? -1 : index + 1),
  "parents nobody has": () => undefined,
  "many roots": () => -1,
  "a comb": (index) => (index % 2 === 0 ? index - 2 : index - 1),
};

const parentText = (number) => (number === undefined ? "nobody" : `i${number}`);

/** Lines of any line file that hold no record a reader knows. */
const strangeLines = {
  "empty objects": () => "{}",
  "broken lines": () => '{"type":"us',
  "lines that are no objects": () => "[]",
  "blank lines": () => " ",
  "objects of unknown types": (index) =>
    `{"type":"unknown${index}","id":"i${index}","timestamp":"${at}"}`,
};

/** One line that is all of the file. */
const oneLine = {
  "one deeply nested line": (n) => `{"type":"x","a":${"[".repeat(n * 50)}${"]".repeat(n * 50)}}`,
  "one line of nested objects": (n) => `${'{"a":'.repeat(n * 20)}1${"}".repeat(n * 20)}`,
  "one line that never closes": (n) => `{"type":"x","a":${"[".repeat(n * 100)}`,
  "one line of open objects": (n) => '{"a":'.repeat(n * 20),
  "one line of many keys": (n) =>
    `{"type":"x",${Array.from({ length: n * 5 }, (_, index) => `"key${index}":1`).join(",")}}`,
  "one line of a long list": (n) => `{"type":"x","a":[${"{},".repeat(n * 30)}1]}`,
  "one line of quotes": (n) => '"'.repeat(n * 100),
  "one line of NULs": (n) => "\0".repeat(n * 100),
  "one line of braces": (n) => "{".repeat(n * 100),
};

/** Shapes of any line file. */
const lineShapes = {
  ...strangeLinesShapes(),
  ...Object.fromEntries(Object.entries(oneLine).map(([name, make]) => [name, (n) => [make(n)]])),
};

function claudeRecord(index, fields) {
  return JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    type: "user",
    message: { role: "user", content: `prompt ${index}` },
    uuid: `i${index}`,
    timestamp: at,
    cwd: "/home/dev/acme",
    sessionId: session,
    version: "2.1.325",
    gitBranch: "main",
    ...fields,
  });
}

const claudeCall = (index, id, message = `m${index}`) => ({
  type: "assistant",
  message: {
    id: message,
    role: "assistant",
    content: [{ type: "tool_use", id, name: "Bash", input: { command: "ls" } }],
    usage: { input_tokens: 1, output_tokens: 1 },
  },
});
const claudeResult = (id) => ({
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "r" }] },
});

const chained = (index) => (index === 0 ? null : `i${index - 1}`);

const claude = {
  ...treeShapes((index, parent) => claudeRecord(index, { parentUuid: parent ?? null })),
  "one id for all": (n) =>
    lines(n, (index) => claudeRecord(index, { uuid: "i", parentUuid: index === 0 ? null : "i" })),
  "two ids in turn": (n) =>
    lines(n, (index) =>
      claudeRecord(index, { uuid: `i${index & 1}`, parentUuid: `i${(index + 1) & 1}` }),
    ),
  "one message for all": (n) =>
    lines(n, (index) =>
      claudeRecord(index, { parentUuid: chained(index), ...claudeCall(index, `c${index}`, "m") }),
    ),
  "calls without results": (n) =>
    lines(n, (index) =>
      claudeRecord(index, { parentUuid: chained(index), ...claudeCall(index, `c${index}`) }),
    ),
  "calls of one message without results": (n) =>
    lines(n, (index) =>
      claudeRecord(index, {
        parentUuid: index === 0 ? null : "i0",
        ...claudeCall(index, `c${index}`, "m"),
      }),
    ),
  "results without calls": (n) =>
    lines(n, (index) =>
      claudeRecord(index, { parentUuid: chained(index), ...claudeResult(`c${index}`) }),
    ),
  "a call, then results of others": (n) =>
    lines(n, (index) =>
      claudeRecord(index, {
        parentUuid: chained(index),
        ...(index < n / 2 ? claudeCall(index, `c${index}`, "m") : claudeResult(`d${index}`)),
      }),
    ),
  "calls and notes": (n) =>
    lines(n, (index) =>
      claudeRecord(index, {
        parentUuid: chained(index),
        ...(index % 2 === 0 ? claudeCall(index, `c${index}`, "m") : { isMeta: true }),
      }),
    ),
  "thinking at the end": (n) =>
    lines(n, (index) =>
      claudeRecord(index, {
        parentUuid: chained(index),
        type: "assistant",
        message: { id: "m", role: "assistant", content: [{ type: "thinking", thinking: "t" }] },
      }),
    ),
  "compactions all along": (n) =>
    lines(n, (index) =>
      claudeRecord(index, {
        parentUuid: null,
        ...(index % 2 === 0 && {
          type: "system",
          subtype: "compact_boundary",
          compactMetadata: {
            preservedSegment: { headUuid: "i1", tailUuid: `i${index - 1}`, anchorUuid: "i0" },
          },
        }),
        ...(index % 2 === 1 && { parentUuid: index === 1 ? null : `i${index - 2}` }),
      }),
    ),
  "a compaction that keeps all": (n) => [
    ...lines(n, (index) => claudeRecord(index, { parentUuid: chained(index) })),
    claudeRecord(n, {
      parentUuid: null,
      type: "system",
      subtype: "compact_boundary",
      compactMetadata: {
        preservedSegment: { headUuid: "i0", tailUuid: `i${n - 1}`, anchorUuid: `i${n + 1}` },
      },
    }),
    claudeRecord(n + 1, { parentUuid: `i${n}` }),
  ],
  "a compaction that names all": (n) => [
    ...lines(n, (index) => claudeRecord(index, { parentUuid: chained(index) })),
    claudeRecord(n, {
      parentUuid: null,
      type: "system",
      subtype: "compact_boundary",
      compactMetadata: {
        preservedMessages: {
          anchorUuid: `i${n + 1}`,
          uuids: Array.from({ length: n }, (_, index) => `i${index}`),
        },
      },
    }),
    claudeRecord(n + 1, { parentUuid: `i${n}` }),
  ],
  sidechains: (n) =>
    lines(n, (index) =>
      claudeRecord(index, { parentUuid: chained(index), isSidechain: index > 0 }),
    ),
  "leaves that are named": (n) =>
    lines(n, (index) =>
      index % 2 === 0
        ? claudeRecord(index, { parentUuid: index === 0 ? null : `i${index - 2}` })
        : JSON.stringify({ type: "last-prompt", leafUuid: "i0", sessionId: session }),
    ),
  "folders that change": (n) =>
    lines(n, (index) => claudeRecord(index, { parentUuid: null, cwd: `/home/${index}` })),
  "no folder until late": (n) =>
    lines(n, (index) =>
      claudeRecord(index, { parentUuid: null, cwd: index < n / 2 ? undefined : "/home/x" }),
    ),
};

function piRecord(index, fields) {
  return JSON.stringify({
    type: "message",
    id: `i${index}`,
    parentId: null,
    timestamp: at,
    message: { role: "user", content: [{ type: "text", text: `prompt ${index}` }] },
    ...fields,
  });
}
const piHeader = JSON.stringify({
  type: "session",
  version: 3,
  id: session,
  timestamp: at,
  cwd: "/home/dev/acme",
});
const piCall = (index) => ({
  message: {
    role: "assistant",
    content: [{ type: "toolCall", id: `c${index}`, name: "bash", arguments: { command: "ls" } }],
  },
});

const pi = withFirst(piHeader, {
  ...treeShapes((index, parent) => piRecord(index, { parentId: parent ?? null })),
  "one id for all": (n) =>
    lines(n, (index) => piRecord(index, { id: "i", parentId: index === 0 ? null : "i" })),
  "calls without results": (n) =>
    lines(n, (index) => piRecord(index, { parentId: chained(index), ...piCall(index) })),
  "compactions all along": (n) =>
    lines(n, (index) =>
      piRecord(index, {
        parentId: chained(index),
        ...(index % 2 === 1 && {
          type: "compaction",
          message: undefined,
          summary: "s",
          firstKeptEntryId: "i0",
          tokensBefore: 1,
        }),
      }),
    ),
  "compactions that keep nobody": (n) =>
    lines(n, (index) =>
      piRecord(index, {
        parentId: chained(index),
        ...(index % 2 === 1 && {
          type: "compaction",
          message: undefined,
          summary: "s",
          firstKeptEntryId: "nobody",
          tokensBefore: 1,
        }),
      }),
    ),
  labels: (n) =>
    lines(n, (index) =>
      piRecord(index, {
        parentId: chained(index),
        type: "label",
        message: undefined,
        targetId: "i0",
        label: `${index}`,
      }),
    ),
  headers: (n) => lines(n, () => piHeader),
});

function codexRecord(type, payload) {
  return JSON.stringify({ timestamp: at, type, payload });
}
const codexMessage = (role, text, more = {}) =>
  codexRecord("response_item", {
    type: "message",
    role,
    content: [{ type: role === "user" ? "input_text" : "output_text", text }],
    ...more,
  });
const codexHeader = codexRecord("session_meta", {
  id: session,
  timestamp: at,
  cwd: "/home/dev/acme",
  originator: "codex_cli",
  cli_version: "0.166.0",
  source: "cli",
});
const codexItem = (text) => ({
  type: "message",
  role: "user",
  content: [{ type: "input_text", text }],
});

const codex = withFirst(codexHeader, {
  ...lineShapes,
  "a chain": (n) =>
    lines(n, (index) => codexMessage(index % 2 === 0 ? "user" : "assistant", `said ${index}`)),
  "prompts alone": (n) => lines(n, (index) => codexMessage("user", `said ${index}`)),
  "answers alone": (n) =>
    lines(n, (index) => codexMessage("assistant", `said ${index}`, { id: `m${index}` })),
  "one id for all": (n) =>
    lines(n, (index) => codexMessage("assistant", `said ${index}`, { id: "m" })),
  "roll-backs of one": (n) =>
    lines(n, (index) =>
      index % 2 === 0
        ? codexMessage("user", `said ${index}`)
        : codexRecord("event_msg", { type: "thread_rolled_back", num_turns: 1 }),
    ),
  "roll-backs of nothing": (n) =>
    lines(n, (index) =>
      index < n / 2
        ? codexMessage("user", `said ${index}`)
        : codexRecord("event_msg", { type: "thread_rolled_back", num_turns: 0 }),
    ),
  "compactions all along": (n) =>
    lines(n, (index) =>
      index % 2 === 0
        ? codexMessage("user", `said ${index}`)
        : codexRecord("compacted", { message: "s" }),
    ),
  "compactions with replacements": (n) =>
    lines(n, (index) =>
      index % 2 === 0
        ? codexMessage("user", "same")
        : codexRecord("compacted", {
            message: "s",
            replacement_history: [codexItem("same"), codexItem(`q${index}`), codexItem("s")],
          }),
    ),
  "one large replacement": (n) => [
    ...lines(n, (index) => codexMessage("user", `said ${index % 7}`)),
    codexRecord("compacted", {
      message: "s",
      replacement_history: lines(n, (index) => codexItem(`said ${index % 7}`)),
    }),
    codexMessage("user", "last"),
  ],
  "calls without results": (n) =>
    lines(n, (index) =>
      codexRecord("response_item", {
        type: "function_call",
        name: "shell",
        arguments: "{}",
        call_id: `c${index}`,
      }),
    ),
  "results without calls": (n) =>
    lines(n, (index) =>
      codexRecord("response_item", {
        type: "function_call_output",
        output: "r",
        call_id: `c${index}`,
      }),
    ),
  "tokens and settings": (n) =>
    lines(n, (index) =>
      index % 2 === 0
        ? codexRecord("turn_context", { cwd: `/home/${index}`, model: `m${index}` })
        : codexRecord("event_msg", {
            type: "token_count",
            info: {
              total_token_usage: {
                input_tokens: index,
                output_tokens: index,
                total_tokens: 2 * index,
              },
            },
          }),
    ),
  headers: (n) => lines(n, () => codexHeader),
  "ordinals that repeat": (n) =>
    lines(n, (index) =>
      JSON.stringify({ ...JSON.parse(codexMessage("user", `said ${index}`)), ordinal: 1 }),
    ),
});

function geminiRecord(index, fields) {
  return JSON.stringify({
    id: `i${index}`,
    timestamp: at,
    type: "user",
    content: [{ text: `prompt ${index}` }],
    ...fields,
  });
}
const geminiHeader = JSON.stringify({
  sessionId: session,
  projectHash: "p",
  startTime: at,
  lastUpdated: at,
  kind: "main",
});
const geminiCall = (index) => ({
  type: "gemini",
  content: "",
  toolCalls: [
    {
      id: `c${index}`,
      name: "run",
      args: {},
      status: "success",
      timestamp: at,
      result: [{ functionResponse: { id: `c${index}`, name: "run", response: { output: "r" } } }],
    },
  ],
});

const gemini = withFirst(geminiHeader, {
  ...lineShapes,
  "a chain": (n) => lines(n, (index) => geminiRecord(index, {})),
  "one id for all": (n) =>
    lines(n, (index) => geminiRecord(0, { content: [{ text: `again ${index}` }] })),
  "two ids in turn": (n) =>
    lines(n, (index) => geminiRecord(index & 1, { content: [{ text: `again ${index}` }] })),
  "the same again": (n) => lines(n, (index) => geminiRecord(index % (n / 2), {})),
  "rewinds to the start": (n) =>
    lines(n, (index) =>
      index % 2 === 0 ? geminiRecord(index, {}) : JSON.stringify({ $rewindTo: "i0" }),
    ),
  "rewinds to nobody": (n) =>
    lines(n, (index) =>
      index < n / 2 ? geminiRecord(index, {}) : JSON.stringify({ $rewindTo: "nobody" }),
    ),
  "rewinds to the last": (n) =>
    lines(n, (index) =>
      index < n / 2
        ? geminiRecord(index, {})
        : JSON.stringify({ $rewindTo: `i${n / 2 - 1 - (index - n / 2)}` }),
    ),
  "small rewrites": (n) =>
    lines(n, (index) =>
      index % 2 === 0
        ? geminiRecord(index, {})
        : JSON.stringify({ $set: { messages: [JSON.parse(geminiRecord(index, {}))] } }),
    ),
  settings: (n) => lines(n, (index) => JSON.stringify({ $set: { summary: `s${index}` } })),
  calls: (n) => lines(n, (index) => geminiRecord(index, geminiCall(index))),
  "calls of one id": (n) => lines(n, (index) => geminiRecord(index, geminiCall(0))),
  "calls that grow": (n) => lines(n, (index) => geminiRecord(index % 8, geminiCall(index))),
  headers: (n) => lines(n, () => geminiHeader),
});

const geminiJson = {
  "one file": (n) => jsonFile(n, (index) => geminiRecord(index, {})),
  "one file, broken elements": (n) =>
    jsonFile(n, (index) => (index % 2 === 0 ? geminiRecord(index, {}) : '{"id":"x')),
  "one file of braces": (n) => ["{".repeat(n * 100)],
  "one file, a list of open lists": (n) => [
    `{"sessionId":"${session}","messages":[${"[".repeat(n * 100)}`,
  ],
  "one file of empty messages": (n) => jsonFile(n, () => "{}"),
  "one file, cut": (n) => jsonFile(n, (index) => geminiRecord(index, {})).slice(0, -1),
};

const started = "# aider chat started at 2026-11-15 18:24:50\n";
const aider = {
  prompts: (n) => [started, ...lines(n, (index) => `#### prompt ${index}`)],
  "prompts and answers": (n) => [
    started,
    ...lines(n, (index) => (index % 2 === 0 ? `#### prompt ${index}\n` : `answer ${index}\n`)),
  ],
  "one long answer": (n) => [started, "#### prompt\n", ...lines(n, (index) => `answer ${index}`)],
  quotes: (n) => [started, ...lines(n, (index) => `> quote ${index}`)],
  "blank lines": (n) => [started, ...lines(n, () => "")],
  runs: (n) => lines(n, () => started),
  "runs with a prompt": (n) =>
    lines(n, (index) => (index % 2 === 0 ? started : `#### prompt ${index}\n`)),
  "no run at all": (n) => lines(n, (index) => `answer ${index}`),
  fences: (n) => [started, "#### prompt\n", ...lines(n, () => "```")],
  "one long line": (n) => [started, "#### prompt\n", "a".repeat(n * 100)],
  "one line of signs": (n) => [started, "#".repeat(n * 100)],
};

/** Native lines with sums that hold; parents, rewinds and compactions as the shape says. */
function nativeLines(n, fields) {
  let previous = "";
  const start = { type: "session_start", format: 1, session, cwd: "/home/dev/acme" };
  return lines(n, (index) => {
    const id = index + 1;
    const { parent, ...body } =
      index === 0 ? start : { type: "user", content: `prompt ${index}`, ...fields(id, n) };
    const front = {
      id,
      ...((parent ?? (index > 0 ? index : undefined)) !== undefined && { parent: parent ?? index }),
      at,
      ...body,
    };
    const covered = JSON.stringify(front).slice(0, -1);
    const sum = createHash("sha256")
      .update(previous + covered)
      .digest("hex")
      .slice(0, 16);
    previous = sum;
    return `${covered},"sum":"${sum}"}`;
  });
}

const reprise = {
  ...Object.fromEntries(
    Object.entries(parents).map(([name, parentOf]) => [
      name,
      (n) => nativeLines(n, (id) => ({ parent: Math.max(1, (parentOf(id - 1, n) ?? 8e9) + 1) })),
    ]),
  ),
  "rewinds of one": (n) =>
    nativeLines(n, (id) =>
      id % 3 === 0 ? { type: "rewind", parent: id - 2, content: undefined } : {},
    ),
  "rewinds all along": (n) =>
    nativeLines(n, (id) =>
      id % 2 === 0 ? { type: "rewind", parent: Math.max(1, id - 2), content: undefined } : {},
    ),
  "rewinds to the start": (n) =>
    nativeLines(n, (id) => (id % 2 === 0 ? { type: "rewind", parent: 1, content: undefined } : {})),
  "rewinds forward": (n) =>
    nativeLines(n, (id) =>
      id % 2 === 0 ? { type: "rewind", parent: id + 1, content: undefined } : {},
    ),
  "compactions all along": (n) =>
    nativeLines(n, (id) =>
      id % 2 === 0 ? { type: "compaction", summary: "s", keepFrom: 2, content: undefined } : {},
    ),
  "calls without results": (n) =>
    nativeLines(n, (id) => ({
      type: "tool_use",
      call: `c${id}`,
      name: "bash",
      input: {},
      content: undefined,
    })),
  "results without calls": (n) =>
    nativeLines(n, (id) => ({ type: "tool_result", call: `c${id}`, content: "r" })),
  ...Object.fromEntries(
    Object.entries(lineShapes).map(([name, make]) => [
      name,
      (n) => [...nativeLines(2, () => ({})), ...make(n)],
    ]),
  ),
};

/** Every shape of every agent: what the file holds, in pieces, each a line; of OpenCode, the rows. */
export const shapes = {
  "claude-code": claude,
  codex,
  "gemini-cli": gemini,
  "gemini-cli json": geminiJson,
  pi,
  aider,
  reprise,
  opencode: opencodeShapes,
};

const places = {
  "claude-code": `.claude/projects/-home-dev-acme/${session}.jsonl`,
  codex: `.codex/sessions/2026/11/15/rollout-2026-11-15T18-50-19-${session}.jsonl`,
  "gemini-cli": ".gemini/tmp/acme/chats/session-2026-11-15T18-18-00000001.jsonl",
  "gemini-cli json": ".gemini/tmp/acme/chats/session-2026-11-15T18-18-00000001.json",
  pi: `.pi/agent/sessions/--home-dev-acme--/2026-11-15T18-19-48-767Z_${session}.jsonl`,
  aider: "project/.aider.chat.history.md",
  reprise: `.reprise/sessions/acme-00000000/${session}.jsonl`,
  opencode: ".local/share/opencode/opencode.db",
};

/** Writes a session of `n` records in a shape below a home, where the agent keeps it; returns its file. */
export function writeShape(home, { agent, shape, n }) {
  const path = join(home, places[agent]);
  mkdirSync(dirname(path), { recursive: true });
  if (agent === "opencode") {
    writeOpencode(path, opencodeShapes[shape](n));
    return path;
  }
  const fd = openSync(path, "w");
  let held = [];
  let size = 0;
  const flush = () => {
    const bytes = Buffer.from(held.join(""));
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    held = [];
    size = 0;
  };
  for (const line of shapes[agent][shape](n)) {
    held.push(line, "\n");
    size += line.length;
    if (size > 1 << 20) flush();
  }
  flush();
  closeSync(fd);
  return path;
}

function lines(n, make) {
  return Array.from({ length: n }, (_, index) => make(index));
}

function jsonFile(n, make) {
  return [
    `{"sessionId":"${session}","projectHash":"p","startTime":"${at}","lastUpdated":"${at}","messages":[`,
    lines(n, make).join(",\n"),
    "]}",
  ];
}

function strangeLinesShapes() {
  return Object.fromEntries(
    Object.entries(strangeLines).map(([name, make]) => [name, (n) => lines(n, make)]),
  );
}

function treeShapes(record) {
  const trees = Object.entries(parents).map(([name, parentOf]) => [
    name,
    (n) =>
      lines(n, (index) => {
        const parent = parentOf(index, n);
        return record(index, parent === undefined || parent >= 0 ? parentText(parent) : undefined);
      }),
  ]);
  return {
    ...Object.fromEntries(trees),
    ...lineShapes,
    "records on one line": (n) => [
      lines(n, (index) => record(index, index === 0 ? undefined : `i${index - 1}`)).join(""),
    ],
  };
}

function withFirst(first, made) {
  return Object.fromEntries(
    Object.entries(made).map(([name, make]) => [name, (n) => [first, ...make(n)]]),
  );
}

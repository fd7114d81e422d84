// A home with every agent's store, for the kill tests of additions: what is in it, and what is wrong with it.
import { createHash } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionManager, verifyLog } from "reprise";
import { journalEntries } from "../../dist/rooms/log/read-journal.js";
import { Connection } from "../../dist/rooms/sqlite/connection.js";
import { registerUndo, undoableEntries } from "../../dist/rooms/store/undo.js";
import { temporaryFolder } from "../temporary-folder.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = join(root, "dist", "bin", "reprise.js");
const database = join(root, "test/fixtures/opencode/1.18.33/plain/.local/share/opencode");
const id = "5e550000-0000-4000-8000-000000000001";

// Only the program undoes; here it is enough that these kinds can be undone.
for (const kind of ["convert", "settings", "slash-commands", "rewind"])
  registerUndo(kind, () => Promise.reject(new Error("not here")));

/** Makes a home with a long session of Claude Code to convert, stores of all agents, and sessions of our own. */
export function makeMachine() {
  const home = temporaryFolder();
  const cwd = join(home, "work");
  const store = join(home, ".reprise");
  mkdirSync(cwd);
  writeFileSync(
    join(cwd, ".aider.chat.history.md"),
    "\n# aider chat started at 2026-01-01 00:00:00\n\n#### hello  \n\nWelcome.",
  );
  putClaude(home, cwd);
  putOthers(home);
  putOwn(home, cwd);
  const journal = join(store, "journal.jsonl");
  return {
    home,
    cwd,
    store,
    program,
    ref: `claude-code:${id}`,
    // What Node compiled and keeps is not an addition.
    env: { PATH: "", HOME: home, TZ: "UTC", NODE_DISABLE_COMPILE_CACHE: "1" },
    entries: () => undoableEntries({ journal }).filter(({ kind }) => kind !== "mark"),
    openIntentions: () => openIntentions(journal),
    journalProblems: () => journalProblems(journal),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

function putClaude(home, cwd) {
  const folder = join(home, ".claude", "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${id}.jsonl`);
  let parentUuid = null;
  for (let turn = 0; turn < 120; turn += 1) {
    // One text is long enough to become a blob in our own store.
    const long = turn === 60 ? "x".repeat(100_000) : `${turn} and more of it. `.repeat(300);
    const records = [
      { type: "user", message: { role: "user", content: `Question ${turn}` } },
      {
        type: "assistant",
        message: {
          id: `msg_${turn}`,
          type: "message",
          role: "assistant",
          model: "a-model",
          content: [{ type: "text", text: `Answer ${long}` }],
          stop_reason: "end_turn",
          usage: { input_tokens: 10, output_tokens: 5 },
        },
      },
    ];
    for (const [index, record] of records.entries()) {
      const uuid = `${id.slice(0, 24)}${String(turn * 2 + index).padStart(12, "0")}`;
      const timestamp = new Date(Date.UTC(2026, 10, 1) + (turn * 2 + index) * 1000).toISOString();
      const common = { parentUuid, isSidechain: false, userType: "external", cwd, sessionId: id };
      appendFileSync(
        file,
        `${JSON.stringify({ ...common, version: "2.1.325", gitBranch: "main", uuid, timestamp, ...record })}\n`,
      );
      parentUuid = uuid;
    }
  }
  appendFileSync(
    file,
    `${JSON.stringify({ type: "custom-title", customTitle: "A long one", sessionId: id })}\n`,
  );
  writeFileSync(join(home, ".claude", "settings.json"), '{\n  // theirs\n  "model": "x"\n}\n', {
    mode: 0o644,
  });
}

function putOthers(home) {
  for (const folder of [".codex", ".gemini", ".pi/agent"])
    mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(
    join(home, ".codex", "session_index.jsonl"),
    '{"id":"theirs","thread_name":"Theirs"}',
  );
  writeFileSync(join(home, ".codex", "config.toml"), 'model = "x"\n');
  const data = join(home, ".local/share/opencode");
  mkdirSync(data, { recursive: true });
  for (const name of readdirSync(database).filter((file) => file.startsWith("opencode.db")))
    copyFileSync(join(database, name), join(data, name));
}

/** Sessions of our own, one of them forked: a prune has something to hide. */
function putOwn(home, cwd) {
  const env = { variables: {}, platform: "linux", home, cwd };
  for (let number = 0; number < 5; number += 1) {
    const session = SessionManager.create(cwd, undefined, { env });
    session.appendSync({ type: "user", content: `Own ${number} ${"y".repeat(20_000)}` });
    if (number === 2) void session.fork().close();
    void session.close();
  }
}

/** All that others own below a home, and our own sessions: contents and rights; of a database its rows. */
export function snapshot({ home, store }) {
  const found = new Map();
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isOurs = path === store || path.startsWith(`${store}/`);
    if (isOurs && !path.startsWith(join(store, "sessions/"))) continue;
    if (/opencode\.db(-shm|-wal)$/.test(path) || /\/out\.(md|jsonl)$/.test(path)) continue;
    // An empty folder of ours says nothing.
    if (isOurs && entry.isDirectory()) continue;
    const mode = (statSync(path).mode & 0o777).toString(8);
    const content = entry.isDirectory() ? "folder" : contentOf(path);
    found.set(path.slice(home.length + 1), `${mode} ${content}`);
  }
  return found;
}

function contentOf(path) {
  const bytes = path.endsWith("opencode.db") ? rowsOf(path) : readFileSync(path);
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

/** The rows of all tables, read from a copy: a reader would leave files beside the database. */
function rowsOf(path) {
  const copy = join(temporaryFolder(), "copy.db");
  for (const end of ["", "-wal"]) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
  const connection = new Connection(copy);
  try {
    const tables = connection
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all();
    return JSON.stringify(
      tables.map(({ name }) => [name, connection.prepare(`SELECT * FROM "${name}"`).all()]),
    );
  } finally {
    connection.close();
  }
}

function openIntentions(journal) {
  const open = new Set();
  for (const { id: entry, kind, data } of journalEntries(journal)) {
    if (kind === "intention") open.add(entry);
    else open.delete(data.intention);
  }
  return [...open];
}

function journalProblems(journal) {
  if (!existsSync(journal)) return [];
  const fd = openSync(journal, "r");
  try {
    const { problems, unfinishedBytes } = verifyLog(fd, { firstId: 1, firstSum: "" });
    return [
      ...problems.map((problem) => `the journal: ${JSON.stringify(problem)}`),
      ...(unfinishedBytes > 0 ? ["the journal ends in the middle of a line"] : []),
    ];
  } finally {
    closeSync(fd);
  }
}

/** The names in a folder; none where it is missing. */
export function folderEntries(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}

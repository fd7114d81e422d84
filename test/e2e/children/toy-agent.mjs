// A whole agent in one file that imports nothing: a line says where a chat was had and what it is called, each
// line after it what somebody said.
const fs = process.getBuiltinModule("node:fs");
const { join } = process.getBuiltinModule("node:path");

const name = "toy";
const rootOf = ({ home, variables }) => variables.TOY_HOME || join(home, ".toy");

function* locate(env) {
  const root = rootOf(env);
  if (!fs.existsSync(root)) return;
  for (const file of fs.readdirSync(root)) {
    if (!file.endsWith(".jsonl")) continue;
    const path = join(root, file);
    const { size: sizeBytes, mtimeMs: modifiedMs } = fs.statSync(path);
    yield { agent: name, session: file.slice(0, -".jsonl".length), path, sizeBytes, modifiedMs };
  }
}

const parsed = (line) => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

function head({ session, path, sizeBytes, modifiedMs }) {
  const { cwd, title } = parsed(fs.readFileSync(path, "utf8").split("\n", 1)[0]) ?? {};
  const updatedAt = new Date(modifiedMs).toISOString();
  return {
    agent: name,
    session,
    path,
    sizeBytes,
    updatedAt,
    cwd,
    title,
    titled: true,
    state: "waiting",
  };
}

async function* read({ path }, { from = "0 0" } = {}) {
  const [begun, before] = from.split(" ").map(Number);
  const text = fs.readFileSync(path).toString("utf8", begun);
  // A last line without its end is still being written.
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const lines = whole.split("\n").slice(0, -1);
  const events = [];
  const damage = [];
  for (const [index, line] of lines.entries()) {
    const number = before + index + 1;
    const record = parsed(line);
    if (record === undefined) damage.push({ kind: "bad_json", offset: begun, recovered: 0 });
    if (record?.who === undefined) continue;
    const { who, text: content, at, model, tokens } = record;
    const usage = tokens && { input: tokens.in, output: tokens.out };
    const body =
      who === "me"
        ? { type: "user", content }
        : { type: "assistant", content, message: `m${number}`, model, usage };
    const parent = events.at(-1)?.number;
    events.push({ number: String(number), parent, at, live: true, body, native: record });
  }
  yield { events, damage, cursor: `${begun + Buffer.byteLength(whole)} ${before + lines.length}` };
}

const textOf = (content) => content.map(({ text = "" }) => text).join("");

const writer = {
  holds: { thinking: "never", images: [], resultImages: false, files: false, tools: false },
  async write(messages, { env, about, follower }) {
    const root = rootOf(env);
    fs.mkdirSync(root, { recursive: true });
    const session = `chat-${fs.readdirSync(root).length + 1}`;
    const path = join(root, `${session}.jsonl`);
    const staged = `${path}.new`;
    const put = (record) => {
      fs.appendFileSync(staged, `${JSON.stringify(record)}\n`);
      follower?.grew(staged, fs.statSync(staged).size);
    };
    put({ cwd: about.cwd, title: about.title ?? `from ${about.from.agent}` });
    for await (const { role, content = [], text, at, model } of messages) {
      put({ who: role === "assistant" ? "it" : "me", text: text ?? textOf(content), at, model });
    }
    const sha256 = (await follower?.whole()) ?? "";
    fs.linkSync(staged, path);
    fs.rmSync(staged);
    const { size: sizeBytes, mtimeMs: modifiedMs } = fs.statSync(path);
    const ref = { agent: name, session, path, sizeBytes, modifiedMs };
    return { ref, files: [{ path, sizeBytes, sha256 }], losses: [] };
  },
  async takeBack({ files }) {
    for (const { path } of files) fs.rmSync(path);
  },
};

/** Takes rows out of lines: quicker than reading events, and goes on where a file has grown. */
function lines(table) {
  const decoder = new TextDecoder();
  return {
    facts: {},
    damaged: 0,
    absurd: 0,
    sealed: 0,
    take(buffer) {
      for (const line of decoder.decode(buffer).split("\n")) {
        const { tokens, at, model, cwd } = (line === "" ? undefined : parsed(line)) ?? {};
        if (cwd !== undefined) this.facts = { cwd };
        if (tokens === undefined) continue;
        const none = { cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0, reasoning: 0 };
        table.add({
          key: 0,
          atMs: Date.parse(at),
          model,
          tokens: { input: tokens.in, output: tokens.out, ...none },
          costUsd: Number.NaN,
          side: false,
        });
      }
    },
  };
}

// Who loads this file, for a test about threads.
if (process.env.TOY_LOADED) {
  const { threadId } = process.getBuiltinModule("node:worker_threads");
  fs.appendFileSync(process.env.TOY_LOADED, `${threadId === 0 ? "program" : "thread"}\n`);
}

export const agent = {
  name,
  title: "Toy",
  program: "toy",
  revision: 1,
  roots: (env) => [rootOf(env)],
  locate,
  head,
  read,
  text: { of: ({ path }) => [path] },
  resume: ({ session }, { cwd }) => ({ argv: ["toy", session], cwd }),
  losses: ["noThinking", "imageKind", "resultImage", "attachedFile", "spokenImage", "foreignBlock"],
  writer: async () => writer,
  usage: async () => ({ version: 1, lines }),
};

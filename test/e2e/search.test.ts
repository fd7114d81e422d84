import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.mjs";
import { putClaudeSession } from "./agents-home.ts";
import { machine, program, root } from "./program.ts";

const first = "5a3e1c0f-7b64-4d0e-9c55-000000000001";
const second = "6b3e1c0f-7b64-4d0e-9c55-000000000002";

function searchable() {
  const here = machine();
  putClaudeSession(here, { id: first, ageMinutes: 60 }, [
    { user: "Add a rate limit to the todo endpoint", says: "The limiter counts requests." },
    { user: "Does it survive a restart?", says: "No: the counts live in memory." },
  ]);
  putClaudeSession(here, { id: second, branch: "feat/login" }, [
    { user: "The login page flickers", says: "The limiter is not to blame." },
  ]);
  return here;
}

interface Answer {
  readonly total: number;
  readonly sessions: readonly {
    readonly ref: string;
    readonly events: readonly {
      readonly ref: string;
      readonly kind: string;
      readonly snippet?: string;
    }[];
  }[];
  readonly notes: readonly string[];
  readonly freshness: { readonly indexed: number; readonly streamed: number };
}

test("search finds words in every session, and what it names can be opened", () => {
  const here = searchable();
  const found = here.json("search", "limiter") as unknown as Answer;
  expect(found.sessions.map(({ ref }) => ref).sort()).toEqual([
    `claude-code:${first}`,
    `claude-code:${second}`,
  ]);
  const [event] = found.sessions[0]!.events;
  expect(event?.snippet).toContain("rate limit");
  const shown = here.run("show", event!.ref);
  expect(shown.status).toBe(0);
  expect(shown.stdout).toContain("limiter");
  expect(here.run("search", "rate", "limit").stdout).toContain("@1");
});

test("a session says how often a person asked in it, and how many more places it has", () => {
  const { stdout } = searchable().run("search", "limit", "restart", "memory", "--events", "1");
  expect(stdout).toContain(`claude-code:${first}  2 prompts in this session\n`);
  expect(stdout).toMatch(/\n {2}\d more places?\n/);
});

test("a few words in the shell's quotes are words, and a note says how to ask for the phrase", () => {
  const here = searchable();
  const note = `For exactly this phrase: reprise search '"rate limit"'\n`;
  const words = here.run("search", "rate limit");
  expect([words.status, words.stderr]).toEqual([0, expect.stringContaining(note)]);
  expect(here.run("search", "rate", "limit").stderr).not.toContain("phrase");
  expect(here.run("search", '"rate limit"').stderr).not.toContain("phrase");
  expect(here.run("search", "rate agent:codex").stderr).not.toContain("phrase");
});

test("a search of one session takes its id, the beginning of it, or its agent with it", () => {
  const here = searchable();
  for (const wanted of [first, "5a3e1c0f", "claude-code:5a3e"]) {
    for (const asked of [["--session", wanted], [`session:${wanted}`]]) {
      const found = here.json("search", "limiter", ...asked) as unknown as Answer;
      expect(found.sessions.map(({ ref }) => ref)).toEqual([`claude-code:${first}`]);
    }
  }
  expect(here.run("search", "limiter", "-session:5a3e").stdout).not.toContain(first);
});

test("a misspelt filter is searched as a word, and a note names the one that was meant", () => {
  const here = searchable();
  expect(here.run("search", "sesion:5a3e", "limiter").stderr).toContain(
    "sesion: was searched as a word. Did you mean session:?",
  );
  for (const words of [
    "https://example.org/limiter",
    "node:fs limiter",
    "std::limiter",
    "role:user limiter",
  ])
    expect(here.run("search", ...words.split(" ")).stderr).not.toContain("was searched as a word");
});

test("a search for a text says in how many sessions and places it is", () => {
  const { stdout } = searchable().run("search", "--substring", "limiter");
  expect(stdout).toContain("\n2 sessions, 2 places.\n");
});

test("a search of words that shows all it found says so", () => {
  const here = searchable();
  expect(here.run("search", "limiter").stdout).toContain("\n2 sessions, 3 places.\n");
  expect(here.run("search", "flickers").stdout).toContain("\n1 session, 1 place.\n");
});

test("a search that shows the best says how many sessions have all the words, and how many some", () => {
  const here = searchable();
  expect(here.run("search", "login", "limiter", "-n", "1").stdout).toContain(
    "\n1 session has all the words, 1 more session some of them. See all with -n 0.\n",
  );
  expect(here.run("search", "limiter", "-n", "1").stdout).toContain(
    "\n1 more session. See all with -n 0.\n",
  );
});

test("--sort puts first what was said first or last, and shows on which day", () => {
  const here = searchable();
  for (const [order, expected] of [
    ["oldest", [first, second]],
    ["newest", [second, first]],
  ] as const) {
    const found = here.json("search", "limiter", "--sort", order);
    expect(found).toMatchObject({ sort: order, total: 2 });
    const { sessions } = found as unknown as Answer;
    expect(sessions.map(({ ref }) => ref)).toEqual(expected.map((id) => `claude-code:${id}`));
  }
  const { stdout } = here.run("search", "limiter", "--sort", "oldest");
  expect(stdout).toMatch(/^Add a rate limit .* \d{4}-\d\d-\d\d\n/);
  expect(here.run("search", "limiter", "--sort", "largest").status).toBe(2);
});

test("a search that ends before all sessions are read says that there are more", () => {
  const here = searchable();
  const found = here.json("search", "--substring", "limiter", "-n", "1");
  expect(found).toMatchObject({ total: 2, more: true, newestFirst: true });
  const some = here.run("search", "--substring", "limiter", "-n", "1").stdout;
  expect(some).toContain("At least 1 older session. See all with -n 0.");
  const { more, total } = here.json("search", "--substring", "limiter", "-n", "0");
  expect({ more, total }).toEqual({ more: false, total: 2 });
});

test("what a subagent said in its parent's progress records is found, and can be opened", () => {
  const here = machine();
  const told = (message: object): { record: object } => ({
    record: {
      type: "progress",
      parentToolUseID: "toolu_1",
      toolUseID: "agent_msg_1",
      data: { type: "agent_progress", agentId: "acc4a637457989019", message },
    },
  });
  const task = { type: "tool_use", id: "toolu_1", name: "Task", input: { prompt: "look" } };
  const says = [{ type: "text", text: "The quokka lives in the parser." }];
  putClaudeSession(here, { id: first }, [
    { user: "Find the animal" },
    { record: { type: "assistant", message: { id: "m1", role: "assistant", content: [task] } } },
    told({ type: "user", uuid: "h1", message: { role: "user", content: "Look for a wombat" } }),
    told({
      type: "assistant",
      uuid: "h2",
      message: { id: "m2", role: "assistant", model: "claude-haiku-4-5", content: says },
    }),
  ]);
  putClaudeSession(here, { id: second }, [{ user: "Something else" }]);
  for (const [word, number, kind] of [
    ["quokka", "4", "assistant"],
    ["wombat", "3", "delegated"],
  ] as const) {
    const { sessions } = here.json("search", word) as unknown as Answer;
    expect(sessions.map(({ ref }) => ref)).toEqual([`claude-code:${first}`]);
    const [event] = sessions[0]!.events;
    expect(event).toMatchObject({ ref: `claude-code:${first}@${number}`, kind });
    expect(event?.snippet).toContain(word);
    expect(here.run("show", event!.ref).stdout).toContain(word);
  }
});

test("exclusions, phrases and filters work as typed, without quoting for the shell", () => {
  const here = searchable();
  const refs = (...args: readonly string[]) =>
    (JSON.parse(here.run("search", ...args, "--json").stdout) as Answer).sessions.map(
      ({ ref }) => ref,
    );
  expect(refs("limiter", "-blame")).toEqual([`claude-code:${first}`]);
  expect(refs('"login page"')).toEqual([`claude-code:${second}`]);
  expect(refs("limiter", "branch:feat/login")).toEqual([`claude-code:${second}`]);
  expect(refs("token", "--role", "user")).toEqual([]);
  expect(refs("--substring", "in memory.")).toEqual([`claude-code:${first}`]);
  expect(refs("--regex", "flick(er|le)s")).toEqual([`claude-code:${second}`]);
  expect(refs("--substring", "--case", "LOGIN")).toEqual([]);
  expect(refs("agent:codex", "limiter")).toEqual([]);
  // As grep tells it.
  expect(here.run("search", "agent:codex", "limiter").status).toBe(1);
  expect(here.run("search", "limiter").status).toBe(0);
});

test("a misspelt word is looked for as the near one, and it says so", () => {
  const here = searchable();
  const { stdout } = here.run("search", "limitre");
  expect(stdout).toContain("No results for “limitre”. Showing “limiter”.");
  expect(stdout).toContain(first);
});

test("the second search reads nothing, and an appended line is found at once", () => {
  const here = searchable();
  here.run("search", "limiter");
  expect(here.json("search", "limiter")["freshness"]).toMatchObject({ indexed: 0, streamed: 0 });
  const file = putClaudeSession(here, { id: second, branch: "feat/login" }, [
    { user: "The login page flickers", says: "The limiter is not to blame." },
  ]);
  appendFileSync(file, `${JSON.stringify({ type: "summary", summary: "x", leafUuid: "y" })}\n`);
  const found = here.json("search", "flickers") as unknown as Answer;
  expect(found.freshness.indexed).toBe(1);
  expect(found.total).toBe(1);
});

test("a malformed query says where, and is a mistake of usage", () => {
  const here = searchable();
  const { status, stderr } = here.run("search", 'limiter "page');
  expect(status).toBe(2);
  expect(stderr).toContain("at character 9: the quote is not closed");
  expect(here.run("search", "--regex", "(").status).toBe(2);
  expect(here.run("search").status).toBe(2);
  expect(here.run("search", "x", "since:whenever").status).toBe(2);
  expect(here.run("search", "--limit", "many", "x").status).toBe(2);
});

test("a value that a query may not ask for is refused as a flag too", () => {
  const here = searchable();
  for (const [flag, value, why] of [
    ["role", "human", "is one of user, assistant"],
    ["since", "2026-02-31", "needs a time such as"],
    ["until", "zzz", "needs a time such as"],
    ["tool", "--", "needs a name"],
  ] as const) {
    const { status, stderr } = here.run("search", "limiter", `--${flag}=${value}`);
    expect(status, flag).toBe(2);
    expect(stderr).toContain(`--${flag} ${why}`);
  }
});

test("an agent that is none is a mistake of usage, the beginning of a name is not", () => {
  const here = searchable();
  for (const args of [
    ["limiter", "agent:nobody"],
    ["limiter", "--agent", "nobody"],
  ]) {
    const { status, stderr } = here.run("search", ...args);
    expect(status).toBe(2);
    expect(stderr).toContain('There is no agent "nobody".');
    expect(stderr).toContain("claude-code, codex");
  }
  expect((here.json("search", "limiter", "agent:claude") as unknown as Answer).total).toBe(2);
});

test("an answer for a model keeps within its tokens", () => {
  const here = searchable();
  const { stdout } = here.run("search", "limiter", "--json", "--tokens", "220");
  expect(stdout.length / 4).toBeLessThanOrEqual(220);
  expect((JSON.parse(stdout) as Answer).sessions.length).toBeGreaterThan(0);
});

test("without an SQLite engine the same search works by reading", () => {
  const here = searchable();
  const alone = temporaryFolder();
  cpSync(join(root, "dist"), join(alone, "dist"), { recursive: true });
  writeFileSync(join(alone, "package.json"), '{"type":"module"}');
  const args = [join(alone, "dist", "bin", "reprise.js"), "search", "limiter", "--json"];
  const { stdout } = spawnSync(process.execPath, args, {
    env: here.env,
    cwd: here.cwd,
    encoding: "utf8",
  });
  const found = JSON.parse(stdout) as Answer;
  // Newer versions of Node bring an engine of their own.
  const hasEngine = Number(process.versions.node.split(".")[0]) >= 22;
  if (!hasEngine) expect(found.notes.join()).toContain("No SQLite engine");
  expect(found.sessions.map(({ ref }) => ref).sort()).toEqual([
    `claude-code:${first}`,
    `claude-code:${second}`,
  ]);
});

test("where nothing can be written the same search works by reading", () => {
  const here = searchable();
  here.env["REPRISE_HOME"] = join(here.home, "store");
  here.run("new");
  writeFileSync(join(here.home, "store", "derived"), "in the way");
  const found = here.json("search", "limiter") as unknown as Answer;
  expect(found.notes.join()).toContain("cannot be written");
  expect(found.sessions).toHaveLength(2);
});

test("the index can be looked at, made anew and kept warm", async () => {
  const here = searchable();
  expect(here.json("index", "--status")).toMatchObject({ sessions: 0, pending: 2 });
  expect(here.json("index")).toMatchObject({ sessions: 2, pending: 0, indexed: 2 });
  expect(here.json("index", "--rebuild")).toMatchObject({ sessions: 2, indexed: 2 });
  const watching = spawn(process.execPath, [program, "index", "--watch"], {
    env: here.env,
    cwd: here.cwd,
  });
  onTestFinished(() => void watching.kill("SIGKILL"));
  let said = "";
  const says = (words: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (chunk: Buffer): void => {
        said += chunk.toString();
        if (said.includes(words)) resolve();
      };
      watching.stdout.on("data", look);
      watching.stderr.on("data", look);
    });
  await says("Watching");
  putClaudeSession(here, { id: "7c3e1c0f-7b64-4d0e-9c55-000000000003" }, [{ user: "a third one" }]);
  await says("3 sessions");
  const ended = new Promise((resolve) => watching.on("close", resolve));
  watching.kill("SIGINT");
  expect(await ended).toBe(0);
});

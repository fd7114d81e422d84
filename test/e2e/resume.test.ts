import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { engineModule } from "../sqlite/folder.ts";
import {
  agentPrograms,
  called,
  machineWith,
  putClaudeSession,
  putFixture,
  said,
  shownEvents,
  textOf,
} from "./agents-home.ts";
import { type Machine, program } from "./program.ts";
import { openTerminal } from "./terminal.ts";

const id = "7c0ffee0-1111-4222-8333-444444444444";
const turns = [
  { user: "Please add a health endpoint", says: "Added GET /health." },
  { user: "Which port does it use?", says: "Port 3000." },
  { user: "Make it configurable", says: "It reads PORT now." },
];
const everything = turns.flatMap(({ user, says }) => [user, says]);
const files = ["claude-code", "codex", "gemini-cli", "pi", "reprise"];

/** A machine with all agents and one session of Claude Code; OpenCode has the database it would have. */
function equipped(programs: readonly string[] = agentPrograms): Machine {
  const here = machineWith(programs);
  putClaudeSession(here, { id }, turns);
  putFixture(here, "opencode/1.18.33/plain/.local", ".local");
  return here;
}

interface Resumed {
  readonly agent: string;
  readonly installed: boolean;
  readonly command: { readonly argv: readonly string[]; readonly cwd?: string };
  readonly converted?: {
    readonly ref: string;
    readonly path: string;
    readonly entry: number;
    readonly losses: readonly { readonly field: string; readonly effect: string }[];
    readonly damage?: string;
    readonly messages: number;
  };
}

function resumed(here: Machine, ...args: readonly string[]): Resumed {
  return here.json("resume", ...args) as unknown as Resumed;
}

function refs(here: Machine): readonly string[] {
  const { sessions } = here.json("list", "--all") as {
    readonly sessions: readonly { readonly ref: string }[];
  };
  return sessions.map(({ ref }) => ref);
}

/** Every file below a folder, with its text. */
function filesIn(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!existsSync(folder)) return found;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    // What Node compiled of the program is no one's session.
    if (entry.parentPath.includes(join(".cache", "reprise"))) continue;
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found.set(path, readFileSync(path, "latin1"));
  }
  return found;
}

describe("in its own agent", () => {
  let here: Machine;
  beforeAll(() => {
    here = equipped();
  });

  test("without a terminal the command is printed, not started", () => {
    const { status, stdout } = here.run("resume", "7c0f");
    expect(status).toBe(0);
    expect(stdout).toBe(`cd ${here.cwd} && claude --resume ${id}\n`);
    expect(existsSync(join(here.home, "claude.called"))).toBe(false);
  });

  test("on a terminal the agent is started in the session's folder", async () => {
    const screen = openTerminal(["resume", "7c0f"], { columns: 80, rows: 24, machine: here });
    expect(await screen.end()).toBe(0);
    expect(called(here, "claude")).toEqual([here.cwd, "--resume", id]);
  });

  test("--launch starts it wherever the output goes, and tells whether it failed", () => {
    expect(here.run("resume", "7c0f", "--launch").status).toBe(0);
    expect(called(here, "claude")).toEqual([here.cwd, "--resume", id]);
    writeFileSync(join(here.home, "bin", "claude"), "#!/bin/sh\nexit 7\n");
    expect(here.run("resume", "7c0f", "--launch").status).toBe(7);
  });

  test("the habits of the field lead to the same command", () => {
    const expected = `cd ${here.cwd} && claude --resume ${id}\n`;
    expect(here.run("--resume", "7c0f").stdout).toBe(expected);
    expect(here.run("--continue").stdout).toBe(expected);
    expect(here.run("continue").stdout).toBe(expected);
    expect(here.run("resume").stdout).toBe(expected);
  });

  test("where no session is named, it is said which one is taken, and what it is a copy of", () => {
    const { stderr } = here.run("continue");
    expect(stderr).toContain(`The newest session: claude-code:${id}, “`);
    const copy = here.run("fork", id).stdout.trim();
    const again = here.run("continue", "--print");
    expect(again.stderr).toContain(`The newest session: ${copy}, “`);
    expect(again.stderr).toContain("” (copy of claude-code:7c0f");
    expect(here.run("continue", id).stderr).not.toContain("The newest session");
  });

  test("a dry run says that nothing would be written, and starts nothing", () => {
    const { status, stderr } = here.run("resume", "7c0f", "--dry-run");
    expect(status).toBe(0);
    expect(stderr).toContain("Nothing would be written");
  });
});

describe("in another agent", () => {
  test("it is listed there, said in full, journalled, and undone to the byte", () => {
    const here = equipped();
    for (const target of [...files, "opencode"].filter((name) => name !== "claude-code")) {
      const before = refs(here);
      const { converted } = resumed(here, "7c0f", "--in", target);
      expect(converted, target).toBeDefined();
      const { ref, path, entry, losses } = converted!;
      expect(losses, target).toEqual([]);
      expect(refs(here).filter((one) => !before.includes(one))).toEqual([ref]);
      expect(said(here, ref), target).toEqual(everything);
      const { entries } = here.json("undo", "--list") as {
        readonly entries: readonly { readonly id: number; readonly says: string }[];
      };
      expect(entries[0]).toMatchObject({ id: entry });
      expect(entries[0]!.says).toContain(`${ref}, written from claude-code:${id}`);
      expect(here.run("undo").status).toBe(0);
      expect(refs(here), target).toEqual(before);
      if (target !== "opencode") expect(existsSync(path), target).toBe(false);
    }
    expect(said(here, id)).toEqual(everything);
  });

  test("an undone copy cannot be redone, and the command that makes it again is named", () => {
    const here = equipped();
    here.run("resume", "7c0f", "--in", "codex");
    here.run("undo");
    const { status, stderr } = here.run("redo");
    expect(status).not.toBe(0);
    expect(stderr).toContain("This cannot be redone: codex:");
    expect(stderr).toContain(`To do it again: \`reprise resume claude-code:${id} --in codex\`.`);
    here.run("fork", "7c0f");
    here.run("undo");
    expect(here.run("redo").stderr).toContain(`\`reprise fork claude-code:${id}\``);
  });

  test("what was touched since is not undone", () => {
    const here = equipped();
    for (const target of ["codex", "gemini-cli", "pi"]) {
      const { path } = resumed(here, "7c0f", "--in", target).converted!;
      appendFileSync(path, "{}\n");
      const touched = readFileSync(path, "utf8");
      const { status, stderr } = here.run("undo");
      expect(status, target).toBe(4);
      expect(stderr, target).toMatch(/changed|touched/);
      expect(readFileSync(path, "utf8"), target).toBe(touched);
    }
  });

  test("the agent is started on what was written", () => {
    const here = equipped();
    expect(here.run("resume", "7c0f", "--in", "codex", "--launch").status).toBe(0);
    const [folder, word, session] = called(here, "codex");
    expect([folder, word]).toEqual([here.cwd, "resume"]);
    expect(refs(here)).toContain(`codex:${session}`);
  });

  test("an agent that is not installed is told, with the command and those that are", () => {
    const here = equipped(["pi", "codex"]);
    const { status, stdout, stderr } = here.run("resume", "7c0f");
    expect(status).toBe(0);
    expect(stdout).toContain(`claude --resume ${id}`);
    expect(stderr).toContain("Claude Code is not installed");
    expect(stderr).toContain(`Installed are: codex, pi`);
    expect(stderr).toContain(`reprise resume claude-code:${id} --in codex`);
    expect(resumed(here, "7c0f").installed).toBe(false);
    expect(equippedWithNothing().run("resume", "7c0f").stderr).toContain("Install it, then type");
  });
});

function equippedWithNothing(): Machine {
  return equipped([]);
}

test("OpenCode's database is written while the program has it open", async () => {
  const here = equipped();
  const database = join(here.home, ".local", "share", "opencode", "opencode.db");
  const script = `const { DatabaseSync } = require(process.argv[1]);
    const database = new DatabaseSync(process.argv[2]);
    database.exec("PRAGMA journal_mode = wal; UPDATE session SET time_updated = time_updated + 1");
    process.stdout.write("open");
    setInterval(() => database, 1000);`;
  const holder = spawn(process.execPath, ["--no-warnings", "-e", script, engineModule, database], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(holder.stdout, "data");
    expect(existsSync(`${database}-shm`)).toBe(true);
    const before = refs(here);
    const { converted } = resumed(here, "7c0f", "--in", "opencode");
    expect(said(here, converted!.ref)).toEqual(everything);
    const fork = here.run("fork", before.find((ref) => ref.startsWith("opencode:"))!);
    expect(fork.status, fork.stderr).toBe(0);
    expect(here.run("undo").status).toBe(0);
    expect(here.run("undo").status).toBe(0);
    expect(refs(here)).toEqual(before);
  } finally {
    holder.kill("SIGKILL");
  }
});

describe("from an event", () => {
  test("only what was said up to it is carried over, whichever way it is named", () => {
    const here = equipped();
    const events = shownEvents(here, "7c0f");
    const second = events.find((event) => textOf(event) === "Port 3000.")!;
    for (const args of [[`7c0f@${second.number}`], ["7c0f", "--at", second.number]]) {
      const { converted } = resumed(here, ...args, "--in", "codex");
      expect(said(here, converted!.ref)).toEqual(everything.slice(0, 4));
    }
    // In its own agent too: then a new session is written beside the old one.
    const { converted } = resumed(here, `7c0f@${second.number}`);
    expect(converted!.ref).toMatch(/^claude-code:/);
    expect(said(here, converted!.ref)).toEqual(everything.slice(0, 4));
  });

  test("an event that is not there is told", () => {
    const here = equipped();
    const { status, stderr } = here.run("resume", "7c0f@999", "--in", "pi");
    expect(status).toBe(3);
    expect(stderr).toContain("There is no event 999");
    expect(stderr).toContain("--all-branches");
  });

  test("an abandoned branch can be taken up again", () => {
    const here = machineWith(agentPrograms);
    putFixture(here, "claude-code/2.1.325/tui-rewind-interrupt");
    const dead = shownEvents(here, "a463e22f", "--all-branches").findLast(
      (event) => !event.live && event.body.type === "user" && textOf(event) !== "",
    )!;
    const { converted } = resumed(here, `a463e22f@${dead.number}`, "--in", "pi");
    expect(said(here, converted!.ref).at(-1)).toBe(textOf(dead));
  });

  test("what lies before a compaction can be taken up again", () => {
    const here = machineWith(agentPrograms);
    putFixture(here, "claude-code/2.1.325/compacted-print");
    const events = shownEvents(here, "33a2e1d8", "--all-branches");
    const compaction = events.findLastIndex(({ body }) => body.type === "compaction");
    const before = events
      .slice(0, compaction)
      .findLast(({ body, live }) => body.type === "assistant" && !live)!;
    const { converted } = resumed(here, `33a2e1d8@${before.number}`, "--in", "codex");
    const kept = shownEvents(here, converted!.ref);
    expect(kept.some(({ body }) => body.type === "compaction")).toBe(false);
    expect(said(here, converted!.ref).at(-1)).toBe(textOf(before));
  });

  test("every agent's session forks at an event, in its own store and in another's", () => {
    const here = equipped();
    putFixture(here, "codex/0.166.0/plain/.codex", ".codex");
    putFixture(here, "gemini-cli/0.61.0/plain/.gemini", ".gemini");
    putFixture(here, "pi/0.73.1/plain", join(".pi", "agent", "sessions", "--home-dev-acme-api--"));
    const { session } = here.json("new") as { readonly session: string };
    const input = everything.map((content, index) =>
      JSON.stringify({ role: index % 2 === 0 ? "user" : "assistant", content }),
    );
    here.runWith({ input: input.join("\n") }, "append", session);
    for (const agent of ["claude-code", "codex", "gemini-cli", "opencode", "pi", "reprise"]) {
      const ref = refs(here).find((one) => one.startsWith(`${agent}:`))!;
      const first = shownEvents(here, ref).find(
        (event) => event.body.type === "assistant" && textOf(event) !== "",
      )!;
      const own = here.run("fork", `${ref}@${first.number}`);
      expect(own.status, `${agent}: ${own.stderr}`).toBe(0);
      expect(own.stdout.trim(), agent).not.toBe(ref);
      expect(said(here, own.stdout.trim()).at(-1), agent).toBe(textOf(first));
      const other = agent === "pi" ? "codex" : "pi";
      const { ref: forked } = here.json("fork", `${ref}@${first.number}`, "--in", other) as {
        readonly ref: string;
      };
      expect(said(here, forked).at(-1), agent).toBe(textOf(first));
    }
  });
});

describe("what is asked for", () => {
  let here: Machine;
  beforeAll(() => {
    here = equipped();
  });

  test("an agent named without --in is a hint to --in", () => {
    const { status, stderr } = here.run("resume", "7c0f", "codex");
    expect(status).toBe(3);
    expect(stderr).toContain("`reprise resume 7c0f --in codex`");
  });

  test("a dry run reports and writes nothing", () => {
    const before = filesIn(here.home);
    const { status, stdout } = here.run("resume", "7c0f", "--in", "codex", "--dry-run");
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^6 messages would be carried over, nothing would be lost\.\nThe copy would take about [\d,]+ tokens; [\d,]+ fit\.\n$/,
    );
    expect(filesIn(here.home)).toEqual(before);
  });

  test("--strict refuses what would lose something, and says what helps", () => {
    putFixture(here, "claude-code/2.1.325/thinking");
    const before = filesIn(join(here.home, ".codex"));
    const { status, stderr } = here.run("resume", "66103248", "--in", "codex", "--strict");
    expect(status).toBe(4);
    expect(stderr).toContain("--dry-run");
    expect(filesIn(join(here.home, ".codex"))).toEqual(before);
    expect(here.run("resume", "66103248", "--in", "codex", "--dry-run").stdout).toContain(
      "Would be changed or left out:\n  1 thinking block left out: Codex CLI accepts only its own model's thinking\n",
    );
  });

  test("a session whose folder is gone continues where its agent can, or in the present folder", () => {
    const here = equipped();
    const lost = "99999999-1111-4222-8333-444444444444";
    putClaudeSession(here, { id: lost, cwd: "/old/place/api" }, turns);
    const own = here.run("resume", "9999");
    expect(own.stdout).toBe(`claude --resume ${lost}\n`);
    expect(own.stderr).toContain("The session's folder /old/place/api is gone.");
    expect(here.json("resume", "9999")).toMatchObject({ goneFolder: "/old/place/api" });
    const other = here.run("resume", "9999", "--in", "pi");
    expect(other.stderr).toContain(
      `The session's folder /old/place/api is gone; it continues in ${here.cwd}. Another folder: --cwd <folder>`,
    );
    expect(other.stdout).toContain(`cd ${here.cwd} && `);
  });

  test("an agent that needs a session's folder says so if it is gone, and what works instead", () => {
    const here = equipped();
    const folder = join(here.home, "soon-gone");
    mkdirSync(folder);
    const { converted } = resumed(here, "7c0f", "--in", "gemini-cli", "--cwd", folder);
    rmSync(folder, { recursive: true });
    const { ref } = converted!;
    const refused = here.run("resume", ref);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("The session's folder ~/soon-gone is gone.");
    const [, offered] = /`reprise (resume [^`]*)`/.exec(refused.stderr)!;
    const works = here.run(...offered!.split(" "));
    expect(works.stdout).toContain(`cd ${here.cwd} && `);
  });

  test("--cwd and --map move it to another folder", () => {
    const moved = join(here.home, "moved");
    mkdirSync(join(moved, "api"), { recursive: true });
    const gone = "99999999-1111-4222-8333-444444444444";
    putClaudeSession(here, { id: gone, cwd: "/old/place/api" }, turns);
    expect(here.run("resume", "9999", "--in", "codex").stderr).toContain("--map old=new");
    const mapped = resumed(here, "9999", "--in", "codex", "--map", `/old/place=${moved}`);
    expect(mapped.command.cwd).toBe(join(moved, "api"));
    // A folder is named as the shell names it, from where the user is.
    const named = resumed(here, "9999", "--in", "pi", "--cwd", "../moved");
    expect(named.command.cwd).toBe(moved);
    // In its own agent a new session is needed for that.
    expect(resumed(here, "9999", "--cwd", moved).converted!.ref).toMatch(/^claude-code:/);
    expect(here.run("resume", "9999", "--in", "pi", "--cwd", "nowhere").status).toBe(2);
    expect(here.run("resume", "9999", "--in", "pi", "--map", "nowhere").status).toBe(2);
  });

  test("--budget keeps the newest turns whole and says that the rest is a summary", () => {
    const long = "abcd1234-1111-4222-8333-444444444444";
    const many = Array.from({ length: 12 }, (_, index) => ({
      user: `Question ${index}: ${"why so? ".repeat(60)}`,
      says: `Answer ${index}: ${"because. ".repeat(60)}`,
    }));
    putClaudeSession(here, { id: long }, many);
    const { status, stderr } = here.run("resume", "abcd1234", "--in", "pi", "--budget", "1000");
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /\d+ earlier messages summarised: all [\d,]+ tokens do not fit the budget of 1,000$/m,
    );
    expect(stderr).toMatch(/^The copy takes about [\d,]+ tokens: [\d,]+ of newest turns/m);
    const { converted } = resumed(here, "abcd1234", "--in", "codex", "--budget", "1000");
    expect(converted!.losses).toMatchObject([{ field: "earlier turns", effect: "summarised" }]);
    const { size } = converted as unknown as { size: Readonly<Record<string, number>> };
    expect(size["budgetTokens"]).toBe(1_000);
    expect(size["tokens"]! - size["summaryTokens"]!).toBeLessThanOrEqual(1_000);
    const fitting = here.run("fork", "abcd1234", "--budget", "30000").stderr;
    expect(fitting).toContain("24 messages carried over, nothing lost.\n");
    expect(fitting).toMatch(
      /^The session fits the budget of 30,000 tokens \(about [\d,]+\): nothing was left out for it\.$/m,
    );
    expect(fitting).toContain("`reprise undo` removes the copy.");
    expect(here.run("undo").stderr).toMatch(
      /^Undone: removed claude-code:\S+, written from claude-code:abcd1234-1111-4222-8333-444444444444\.$/m,
    );
    expect(said(here, converted!.ref).at(-1)).toContain("Answer 11");
    expect(said(here, converted!.ref).length).toBeLessThan(12);
  });

  test("a session is found by its branch and by its pull request", () => {
    const branch = "b0000000-1111-4222-8333-444444444444";
    const request = "c0000000-1111-4222-8333-444444444444";
    putClaudeSession(here, { id: branch, branch: "feat/login", ageMinutes: 300 }, turns);
    putClaudeSession(here, { id: request, ageMinutes: 400 }, [
      { user: "Open a pull request", says: "It is https://github.com/acme/api/pull/123." },
    ]);
    expect(here.run("resume", "--branch", "feat/login").stdout).toContain(branch);
    expect(here.run("resume", "--pr", "123").stdout).toContain(request);
    const none = here.run("resume", "--pr", "12");
    expect(none.status).toBe(3);
    expect(none.stderr).toContain("pull request 12");
    expect(here.run("resume", "--branch", "feat/none").status).toBe(3);
  });
});

describe("what goes wrong is told, and nothing is left", () => {
  test("an unknown target", () => {
    const { status, stderr } = equipped().run("resume", "7c0f", "--in", "nobody");
    expect(status).toBe(2);
    expect(stderr).toContain("Agents: reprise, claude-code, codex");
  });

  test("OpenCode without a database", () => {
    const here = machineWith([]);
    putClaudeSession(here, { id }, turns);
    const { status, stderr } = here.run("resume", "7c0f", "--in", "opencode");
    expect(status).not.toBe(0);
    expect(stderr).toContain("OpenCode has no database here yet");
    expect(filesIn(join(here.home, ".local"))).toEqual(new Map());
  });

  test("a store that cannot be written", () => {
    const here = equipped();
    mkdirSync(join(here.home, ".codex"));
    writeFileSync(join(here.home, ".codex", "sessions"), "not a folder");
    const before = filesIn(join(here.home, ".codex"));
    const { status, stderr } = here.run("resume", "7c0f", "--in", "codex");
    expect(status).toBe(1);
    expect(stderr).toContain(join(here.home, ".codex", "sessions"));
    expect(stderr).not.toContain("REPRISE_DEBUG");
    expect(filesIn(join(here.home, ".codex"))).toEqual(before);
    expect(here.run("undo", "--list").stdout).toBe("Nothing can be undone.\n");
  });

  test.each(["codex", "pi"])("a disk that is full midway into %s", (target) => {
    const here = machineWith(agentPrograms);
    const long = "much was said here. ".repeat(20_000);
    putClaudeSession(here, { id }, [...turns, { user: "Tell me all", says: long }]);
    const before = filesIn(here.home);
    // A bound on the size of any file stands in for a full disk: the write fails midway in the same way.
    const command = `ulimit -f 200; exec "$0" "$@" 2>&1`;
    const argv = [process.execPath, program, "resume", "7c0f", "--in", target];
    const full = spawnSync("/bin/sh", ["-c", command, ...argv], { cwd: here.cwd, env: here.env });
    expect(full.stdout.toString("utf8")).toMatch(/EFBIG.*nothing was left behind/s);
    expect(full.status).toBe(1);
    const left = [...filesIn(here.home).keys()].filter((path) => !before.has(path));
    expect(left.filter((path) => !path.startsWith(join(here.home, ".reprise")))).toEqual([]);
  });

  test("a damaged source: what is readable is carried over, the damage is told", () => {
    const here = equipped();
    const file = putClaudeSession(here, { id }, turns);
    const lines = readFileSync(file, "utf8").split("\n");
    lines.splice(4, 0, '{"type":"user","mess');
    writeFileSync(file, lines.join("\n"));
    const { converted } = resumed(here, "7c0f", "--in", "codex");
    expect(converted!.damage).toContain("1 damaged record");
    expect(said(here, converted!.ref)).toEqual(everything);
    expect(here.run("resume", "7c0f", "--in", "pi").stderr).toContain("1 damaged record");
  });

  test("a source that is being written: what is there is carried over", async () => {
    const here = equipped();
    const file = putClaudeSession(here, { id }, turns);
    const script = `const fs = require("node:fs");
      const line = JSON.stringify({ type: "queue-operation", operation: "enqueue", sessionId: "${id}" }) + "\\n";
      const fd = fs.openSync(process.argv[1], "a");
      for (;;) { fs.writeSync(fd, line.slice(0, 20)); fs.writeSync(fd, line.slice(20)); }`;
    const writer = spawn(process.execPath, ["-e", script, file], { stdio: "ignore" });
    try {
      const size = readFileSync(file).length;
      while (readFileSync(file).length === size) await new Promise(setImmediate);
      const { converted } = resumed(here, "7c0f", "--in", "codex");
      expect(said(here, converted!.ref)).toEqual(everything);
    } finally {
      writer.kill("SIGKILL");
    }
  });

  test("a session in which nobody said anything", () => {
    const here = equipped();
    const { session } = here.json("new") as { readonly session: string };
    const input = JSON.stringify({ role: "system", content: "You are careful." });
    here.runWith({ input }, "append", session);
    for (const target of ["claude-code", "codex", "gemini-cli", "opencode", "pi"]) {
      const before = refs(here);
      const { status, stderr } = here.run("resume", session, "--in", target);
      expect(status, target).toBe(1);
      expect(stderr, target).toContain("holds no conversation");
      expect(refs(here), target).toEqual(before);
    }
    for (const folder of [".codex", ".gemini", ".pi"])
      expect(filesIn(join(here.home, folder)), folder).toEqual(new Map());
    expect(here.run("handoff", session).status).toBe(1);
  });

  test("an id of one's own for another agent", () => {
    const { status, stderr } = equipped().run("fork", "7c0f", "--id", "mine");
    expect(status).toBe(2);
    expect(stderr).toContain("--id");
  });
});

describe("handing over", () => {
  let here: Machine;
  const secret = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4"}`;
  beforeAll(() => {
    here = equipped();
    putClaudeSession(here, { id }, [
      ...turns,
      { user: `Push with GITHUB_TOKEN=${secret}`, says: "Pushed. Next: write the tests." },
    ]);
  });

  test("the page has goal, state and the last exchange, and no secret", () => {
    const { status, stdout } = here.run("handoff", "7c0f");
    expect(status).toBe(0);
    for (const heading of ["# Handoff", "## Goal", "## State"]) {
      expect(stdout).toContain(heading);
    }
    expect(stdout).toContain("Please add a health endpoint");
    expect(stdout).toContain("Pushed. Next: write the tests.");
    expect(stdout).not.toContain(secret);
    expect(stdout).toContain("[secret:github-token:");
  });

  test("the page keeps to its budget and can stop at an event", () => {
    const short = here.run("handoff", "7c0f", "--budget", "120").stdout;
    expect(short.length).toBeLessThan(120 * 5);
    const port = shownEvents(here, "7c0f").find((event) => textOf(event) === "Port 3000.")!;
    const early = here.run("handoff", `7c0f@${port.number}`).stdout;
    expect(early).toContain("Port 3000.");
    expect(early).not.toContain("It reads PORT now.");
  });

  test("a program gets the text and what was masked", () => {
    const { ref, text, masked } = here.json("handoff", "7c0f");
    expect(ref).toBe(`claude-code:${id}`);
    expect(text).toContain("## Goal");
    expect(masked).toEqual([{ rule: "github-token", count: 1 }]);
  });
});

test.each(["reprise", "claude-code", "codex", "pi", "gemini-cli"])(
  "half a character in a text, an argument or a result does not keep a session from %s",
  (target) => {
    const here = machineWith([]);
    const half = "\ud83d";
    const input = { command: `echo ${half}`, [`k${half}`]: `${half}${"x".repeat(5000)}` };
    const call = { type: "tool_use", id: "toolu_1", name: "Bash", input };
    const result = { type: "tool_result", tool_use_id: "toolu_1", content: `${half} out` };
    const model = "claude-opus-5-5";
    const message = { id: "m1", type: "message", role: "assistant", model, content: [call] };
    const id = "5eed0000-0000-4000-8000-000000000077";
    putClaudeSession(here, { id }, [
      { user: `${half} ${"y".repeat(5000)}` },
      { record: { type: "assistant", message } },
      { record: { type: "user", message: { role: "user", content: [result] } } },
      { user: "Go on", says: `done ${half}` },
    ]);
    const { status, stderr } = here.run("fork", id, "--in", target);
    expect([status, stderr]).toEqual([0, expect.stringContaining("nothing lost")]);
    if (target !== "reprise") return;
    // Our own log holds whole characters only.
    const { sessions } = JSON.parse(here.run("list", "--agent", "reprise", "--json").stdout) as {
      readonly sessions: readonly [{ readonly path: string }];
    };
    const log = readFileSync(sessions[0].path, "utf8");
    expect(log).toContain("echo \ufffd");
    expect(log).not.toContain("\\ud83d");
  },
);

test("writing for an agent that uploads what it opens needs a yes", () => {
  const here = equipped();
  const threads = join(here.home, ".local", "share", "amp", "threads");
  const asked = here.run("resume", id, "--in", "amp");
  expect(asked.status).toBe(2);
  expect(asked.stdout).toContain("uploads every thread");
  expect(existsSync(threads)).toBe(false);
  expect(here.run("resume", id, "--in", "amp", "--yes").status).toBe(0);
  expect(readdirSync(threads)).toHaveLength(1);
});

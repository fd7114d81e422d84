// The peak of memory of commands on sessions of 2.9 GB: a few thousand large lines among very many small ones.
import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { memoryRow, missingRow } from "./measure.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const reprise = join(root, "dist", "bin", "reprise.js");
const session = "0a0b0c0d-1111-4222-8333-444455556666";
const at = "2026-11-15T18:24:50.461Z";
const barMb = 200;
/** A large line, and how many small ones come before the next. */
const large = "lorem ipsum dolor ".repeat(58_254);
const smallBetween = 100;

const kinds = {
  reprise: {
    path: `.reprise/sessions/acme-00000000/${session}.jsonl`,
    lines: nativeLine,
    // Of another agent's session this names the agent's command and reads nothing.
    commands: {
      "continue --json --budget 10000": ["continue", session, "--json", "--budget", "10000"],
    },
  },
  "claude-code": {
    path: `.claude/projects/-home-dev-acme/${session}.jsonl`,
    lines: claudeLine,
  },
};

const commands = {
  "resume --dry-run --in codex": ["resume", session, "--dry-run", "--in", "codex"],
  handoff: ["handoff", session],
};

export async function rows({ folder, quick }) {
  const found = [];
  for (const [agent, { path, lines, commands: own }] of Object.entries(kinds)) {
    const home = join(folder, agent);
    const gb = writeSession(join(home, path), lines, quick ? 0.1e9 : 2.9e9) / 1e9;
    for (const [what, argv] of Object.entries({ ...own, ...commands })) {
      const name = `${agent}, ${gb.toFixed(1)} GB: ${what}, memory`;
      const { peakMb, problem } = peakOf(argv, home);
      found.push(problem === "" ? memoryRow(name, [peakMb], barMb) : missingRow(name, problem));
    }
    rmSync(home, { recursive: true, force: true });
  }
  return found;
}

/** Runs the program; the peak of its memory is what it says itself at its end. */
function peakOf(argv, home) {
  const teller = join(root, "bench", "tell-peak.mjs");
  const child = spawnSync(process.execPath, ["--import", teller, reprise, ...argv], {
    env: { PATH: process.env.PATH, HOME: home, REPRISE_HOME: join(home, ".reprise") },
    cwd: home,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  const peak = /^peak (\d+)$/m.exec(child.stderr)?.[1];
  const isDone = child.status === 0 && peak !== undefined;
  return {
    peakMb: Number(peak) / 1024,
    problem: isDone ? "" : `exit ${child.status}: ${child.stderr.slice(0, 300)}`,
  };
}

/** Writes lines until the session has the size; never more than a few of them are in memory. */
function writeSession(path, lineOf, bytes) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fd = openSync(path, "w", 0o600);
  let size = 0;
  let held = "";
  for (let index = 0; size < bytes; index += 1) {
    const said = index % (smallBetween + 1) === smallBetween ? large : `prompt ${index}`;
    held += `${lineOf(index, said)}\n`;
    if (held.length < 1 << 20) continue;
    size += writeSync(fd, held);
    held = "";
  }
  closeSync(fd);
  return size;
}

let sum = "";

/** A line of a native session, with a sum that holds. */
function nativeLine(index, content) {
  const id = index + 1;
  const front =
    index === 0
      ? { id, at, type: "session_start", format: 1, session, cwd: "/home/dev/acme" }
      : { id, parent: index, at, type: index % 2 === 1 ? "user" : "assistant", content };
  if (index === 0) sum = "";
  const covered = JSON.stringify(front).slice(0, -1);
  sum = createHash("sha256")
    .update(sum + covered)
    .digest("hex")
    .slice(0, 16);
  return `${covered},"sum":"${sum}"}`;
}

let uuid = "";

/** A line as Claude Code writes it. */
function claudeLine(index, text) {
  const parentUuid = index === 0 ? null : uuid;
  uuid = randomUUID();
  const isUser = index % 2 === 0;
  return JSON.stringify({
    parentUuid,
    isSidechain: false,
    type: isUser ? "user" : "assistant",
    message: isUser
      ? { role: "user", content: text }
      : { id: `m${index}`, role: "assistant", content: [{ type: "text", text }] },
    uuid,
    timestamp: at,
    cwd: "/home/dev/acme",
    sessionId: session,
    version: "2.1.325",
    gitBranch: "main",
  });
}

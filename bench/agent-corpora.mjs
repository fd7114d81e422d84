// Sessions of other agents, in the places those agents keep them below a home folder.
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  lineWriter,
  nativeHome,
  nativeSession,
  piSession,
  randomFrom,
  textFrom,
} from "./corpora.mjs";

const fixtures = fileURLToPath(new URL("../test/fixtures/", import.meta.url));

/** Which real sessions are multiplied, where they go, and how many of a thousand they are. */
const shares = [
  {
    share: 0.4,
    from: "claude-code/2.1.325",
    files: /\.claude\/projects\/[^/]+\/[^/]+\.jsonl$/,
    place: (number, id) => `.claude/projects/-home-dev-project-${number % 20}/${id}.jsonl`,
  },
  {
    share: 0.25,
    from: "codex/0.166.0",
    files: /\.codex\/sessions\/.*\/rollout-[^/]+\.jsonl$/,
    place: (number, id) =>
      `.codex/sessions/2026/11/${10 + (number % 20)}/rollout-2026-11-15T18-50-19-${id}.jsonl`,
  },
  {
    share: 0.15,
    from: "gemini-cli/0.61.0",
    files: /\.gemini\/tmp\/[^/]+\/chats\/session-[^/]+\.jsonl$/,
    place: (number, id) =>
      `.gemini/tmp/project-${number % 20}/chats/session-2026-11-15T18-18-${id.slice(-8)}.jsonl`,
  },
  {
    share: 0.1,
    from: "pi/0.73.1",
    files: /\/[^/]+Z_[^/]+\.jsonl$/,
    place: (number, id) =>
      `.pi/agent/sessions/--home-dev-project-${number % 20}--/2026-11-15T18-19-48-767Z_${id}.jsonl`,
  },
];

/**
 * A home with many sessions of all agents that keep a file for each. Their beginnings and ends are those
 * of real sessions, the middle is repeated until they are as long as wanted.
 */
export async function mixedHome(home, { sessions, totalBytes }) {
  const random = randomFrom(17);
  let written = 0;
  for (const { share, from, files, place } of shares) {
    const models = realSessions(join(fixtures, from), files);
    for (let number = 0; number < sessions * share; number += 1) {
      const id = uuidOf(written);
      const bytes = ((0.2 + 1.6 * random()) * totalBytes) / sessions;
      const file = join(home, place(number, id));
      mkdirSync(dirname(file), { recursive: true });
      const text = lengthened(models[number % models.length], { id, bytes });
      writeFileSync(file, text);
      // A session's file is as old as what was written into it last.
      const lastAt = new Date(
        text
          .match(/\d{4}-\d\d-\d\dT[\d:]{8}\.\d+Z/g)
          .sort()
          .at(-1),
      );
      utimesSync(file, lastAt, lastAt);
      written += 1;
    }
  }
  const rest = sessions - written;
  return nativeHome(home, { sessions: rest, totalBytes: (totalBytes / sessions) * rest });
}

function realSessions(folder, files) {
  const found = readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => files.test(path))
    .sort()
    .map((path) => withLongTexts(readFileSync(path, "utf8").trimEnd()).split("\n"))
    .filter((lines) => lines.length > 6 && lines.every(isRecord));
  if (found.length === 0) throw new Error(`no sessions in ${folder}`);
  return found;
}

function isRecord(line) {
  try {
    return JSON.parse(line) !== null;
  } catch {
    return false;
  }
}

/** Texts the fixtures only name are put back at their length: heads are as long as real ones. */
function withLongTexts(text) {
  return text.replace(/\[vendor text removed, (\d+) chars\]/g, (_, chars) =>
    "instructions ".repeat(Math.ceil(chars / 13)).slice(0, Number(chars)),
  );
}

function lengthened(lines, { id, bytes }) {
  const known = /"(?:sessionId|session_id|id)":"([0-9a-f]{8}-[0-9a-f-]{27})"/.exec(
    lines.join("\n"),
  )?.[1];
  const own = known === undefined ? lines : lines.map((line) => line.replaceAll(known, id));
  const middle = own.slice(own.length >> 1, -2);
  const middleText = `${middle.join("\n")}\n`;
  const times = Math.ceil(bytes / Math.max(1, middleText.length));
  const start = `${own.slice(0, -2).join("\n")}\n`;
  return `${start}${middleText.repeat(times)}${own.slice(-2).join("\n")}\n`;
}

/** A UUID that sorts by its number. */
function uuidOf(number) {
  return `01900000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
}

const averageBytes = 16 * 1024;
const at = "2026-11-15T18:24:50.461Z";
const session = uuidOf(1);

/** Agents whose one very long session can be made. */
export const longAgents = ["reprise", "claude-code", "codex", "pi"];

/** One session of the given size in the agent's own format; returns its file. */
export async function longSession(agent, home, bytes) {
  const lines = Math.ceil(bytes / averageBytes);
  if (agent === "reprise") {
    const dir = join(home, ".reprise", "sessions", "project-00000000");
    mkdirSync(dir, { recursive: true });
    return nativeSession(dir, { events: lines, averageBytes });
  }
  const folder = {
    "claude-code": ".claude/projects/-home-dev-project",
    codex: ".codex/sessions/2026/11/15",
    pi: ".pi/agent/sessions/--home-dev-project--",
  }[agent];
  const dir = join(home, folder);
  mkdirSync(dir, { recursive: true });
  if (agent === "pi") return piSession(dir, { events: lines, averageBytes });
  return agent === "codex" ? codexSession(dir, lines) : claudeSession(dir, lines);
}

/** Some texts as JSON, long enough for the lines to have their average size. */
function texts() {
  const random = randomFrom(23);
  return Array.from({ length: 61 }, () => JSON.stringify(textFrom(random, averageBytes * 0.82)));
}

function claudeSession(dir, lines) {
  const file = join(dir, `${session}.jsonl`);
  const write = lineWriter(file);
  const pool = texts();
  const rest = `"timestamp":"${at}","userType":"external","cwd":"/home/dev/project","sessionId":"${session}","version":"2.1.325","gitBranch":"main"}`;
  for (let number = 1; number <= lines; number += 1) {
    const parent = number === 1 ? "null" : `"${uuidOf(number - 1)}"`;
    const text = pool[number % pool.length];
    const said =
      number % 2 === 1
        ? `"type":"user","message":{"role":"user","content":${text}}`
        : `"type":"assistant","message":{"id":"msg_${number}","type":"message","role":"assistant","model":"model-1","content":[{"type":"text","text":${text}}],"stop_reason":"end_turn","usage":{"input_tokens":10,"output_tokens":10}}`;
    write(`{"parentUuid":${parent},"isSidechain":false,${said},"uuid":"${uuidOf(number)}",${rest}`);
  }
  write.close();
  return file;
}

function codexSession(dir, lines) {
  const file = join(dir, `rollout-2026-11-15T18-50-19-${session}.jsonl`);
  const write = lineWriter(file);
  const pool = texts();
  const cwd = "/home/dev/project";
  const meta = {
    id: session,
    timestamp: at,
    cwd,
    originator: "codex_exec",
    cli_version: "0.105.0",
  };
  write({ timestamp: at, type: "session_meta", payload: meta });
  for (let number = 1; number <= lines; number += 1) {
    const isPrompt = number % 2 === 1;
    const role = isPrompt ? "user" : "assistant";
    const kind = isPrompt ? "input_text" : "output_text";
    const text = pool[number % pool.length];
    write(
      `{"timestamp":"${at}","type":"response_item","payload":{"type":"message","role":"${role}","content":[{"type":"${kind}","text":${text}}]}}`,
    );
  }
  write.close();
  return file;
}

// Finding who wrote a file among many sessions, against looking for its name in all of their bytes and
// parsing those that hold it; and again, with what was kept, against reading anew.
import { closeSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadAgents } from "../dist/rooms/agents/registry.js";
import { blame } from "../dist/rooms/catalog/blame/blame.js";
import { keptActs } from "../dist/rooms/catalog/blame/kept-acts.js";
import { targetAt } from "../dist/rooms/catalog/blame/places.js";
import { environmentOf, randomFrom, textFrom } from "./corpora.mjs";
import { atLeast, atMost, factRow, inChild, interleave, memoryRow, timed } from "./measure.mjs";

const agents = await loadAgents();

const edits = 40;

export async function rows({ folder, quick }) {
  const sessions = quick ? 100 : 500;
  const bytes = 400_000;
  makeProject(folder, { sessions, bytes, editing: 5 });
  const found = candidates(folder);
  const target = targetAt(join(folder, "work/src/asked-about.ts"));
  const told = await blame(target, { sessions: found, agents });
  const buffer = Buffer.allocUnsafe(64 * 1024);
  const times = await interleave(
    {
      ours: () => timed(() => blame(target, { sessions: found, agents })),
      floor: () => timed(() => searchAll(found, buffer)),
    },
    { rounds: quick ? 7 : 15, warmups: 2 },
  );
  const peaks = [0, 1, 2].map(() => inChild("blame", "once", folder).peakMb);
  const what = `blame a file that 5 of ${sessions} sessions edited (${(sessions * bytes) / 1e6} MB)`;
  const isWhole = told.lines.every(({ writer }) => writer?.confidence === "exact");
  return [
    atMost(`${what}: / look for its name, parse what holds it`, times, 2),
    memoryRow(`${what}: memory`, peaks, 200),
    factRow(`${what}: every line exact`, isWhole && told.sessionsRead === 5),
    await againRow(join(folder, "again"), { quick }),
  ];
}

/** The same question twice, in a project whose file many sessions edited. */
async function againRow(folder, { quick }) {
  const [sessions, editing, bytes] = [quick ? 20 : 100, quick ? 10 : 50, 400_000];
  makeProject(folder, { sessions, bytes, editing });
  const found = candidates(folder);
  const target = targetAt(join(folder, "work/src/asked-about.ts"));
  // As a new process has it: nothing is remembered but in files.
  const kept = () => keptActs(join(folder, "kept"), { program: "bench", agents });
  await blame(target, { sessions: found, agents, kept: kept() });
  const times = await interleave(
    {
      ours: () => timed(() => blame(target, { sessions: found, agents, kept: kept() })),
      floor: () => timed(() => blame(target, { sessions: found, agents })),
    },
    { rounds: quick ? 5 : 15, warmups: 1 },
  );
  const what = `blame again a file that ${editing} of ${sessions} sessions edited`;
  return atLeast(`${what}: read anew / with what was kept`, times, 1.5);
}

/** What is measured in processes of their own. */
export const tasks = {
  once: async (folder) => {
    const target = targetAt(join(folder, "work/src/asked-about.ts"));
    return (await blame(target, { sessions: candidates(folder), agents })).lines.length;
  },
};

function candidates(folder) {
  const env = environmentOf(folder);
  const agent = agents.find(({ name }) => name === "claude-code");
  return [...agent.locate(env)].map((ref) => ({ agent, ref, head: agent.head(ref, env) }));
}

/** The least that finds the edits without an index: look for the name in every byte, parse what holds it. */
function searchAll(found, buffer) {
  const name = Buffer.from("asked-about.ts");
  let records = 0;
  for (const { ref } of found) {
    const fd = openSync(ref.path, "r");
    let taken = readSync(fd, buffer, 0, buffer.length, null);
    while (taken > 0 && !buffer.subarray(0, taken).includes(name)) {
      taken = readSync(fd, buffer, 0, buffer.length, null);
    }
    closeSync(fd);
    if (taken === 0) continue;
    const lines = readFileSync(ref.path, "utf8").trimEnd().split("\n");
    records += lines.map((line) => JSON.parse(line)).length;
  }
  return records;
}

/** Sessions of one project, some of which made and edited the file; the rest talk and read other files. */
function makeProject(home, { sessions, bytes, editing }) {
  const random = randomFrom(23);
  const cwd = join(home, "work");
  const file_path = join(cwd, "src/asked-about.ts");
  mkdirSync(join(cwd, "src"), { recursive: true });
  const store = join(home, ".claude/projects", cwd.replace(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(store, { recursive: true });
  const lines = Array.from({ length: 200 }, (_, at) => `export const value${at} = ${at};`);
  const clock = { ms: Date.parse("2026-11-01T00:00:00Z") };
  for (let number = 0; number < sessions; number += 1) {
    const isEditing = number % (sessions / editing) === 0;
    const calls = isEditing ? editsOf(lines, { file_path, number }) : [];
    const text = sessionText({ number, cwd, bytes, random, calls, clock });
    writeFileSync(join(store, `${idOf(number)}.jsonl`), text);
  }
  writeFileSync(file_path, `${lines.join("\n")}\n`);
}

function editsOf(lines, { file_path, number }) {
  const content = `${lines.join("\n")}\n`;
  const calls = number === 0 ? [{ name: "Write", input: { file_path, content } }] : [];
  for (let count = 0; count < edits; count += 1) {
    const at = (count * 37 + number) % lines.length;
    const old_string = lines[at];
    const new_string = `${old_string.replace(/;.*/, ";")} // again ${number}.${count}`;
    lines[at] = new_string;
    calls.push({ name: "Edit", input: { file_path, old_string, new_string } });
  }
  return calls;
}

function sessionText({ number, cwd, bytes, random, calls, clock }) {
  const out = [];
  let size = 0;
  let parentUuid = null;
  const add = (record) => {
    const uuid = `${idOf(number).slice(0, 24)}${String(out.length).padStart(12, "0")}`;
    clock.ms += 1000;
    const timestamp = new Date(clock.ms).toISOString();
    const common = {
      parentUuid,
      isSidechain: false,
      cwd,
      sessionId: idOf(number),
      version: "2.1.325",
    };
    out.push(JSON.stringify({ ...common, uuid, timestamp, ...record }));
    size += out.at(-1).length + 1;
    parentUuid = uuid;
  };
  const say = (role, content) => add({ type: role, message: { role, content } });
  say("user", "please go on");
  for (const [index, call] of calls.entries()) {
    const id = `toolu_${number}_${index}`;
    say("assistant", [{ type: "tool_use", id, ...call }]);
    say("user", [{ type: "tool_result", tool_use_id: id, content: "done" }]);
  }
  while (size < bytes) {
    say("user", textFrom(random, 400));
    say("assistant", [{ type: "text", text: textFrom(random, 3000) }]);
  }
  return `${out.join("\n")}\n`;
}

function idOf(number) {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

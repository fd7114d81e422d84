// The sets that relevance and recall are measured on: dialogues with questions, coding sessions with commits.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** Every set of a folder, by file. */
export function* setsIn(folder) {
  for (const name of readdirSync(folder).sort()) {
    if (!/\.json(\.gz)?$/.test(name)) continue;
    const bytes = readFileSync(join(folder, name));
    const sets = JSON.parse((name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8"));
    yield { name, sets, isDialogue: sets.some(({ conversation }) => conversation !== undefined) };
  }
}

export function idsIn(evidence) {
  return evidence.flatMap((one) => one.match(/D\d+:\d+/g) ?? []);
}

export function turnsOf(conversation) {
  return Object.entries(conversation).flatMap(([key, turns]) => {
    const session = /^session_(\d+)$/.exec(key)?.[1];
    if (session === undefined) return [];
    const said = conversation[`${key}_date_time`];
    return turns.map(({ dia_id, speaker, text, blip_caption }, order) => ({
      id: dia_id,
      session,
      speaker: speaker === conversation.speaker_a ? "user" : "assistant",
      date: new Date(timeOf(said) + order * 30_000).toISOString(),
      text: `${speaker}: ${text}${blip_caption === undefined ? "" : ` [${blip_caption}]`}`,
      order,
    }));
  });
}

/** The instant of "1:56 pm on 8 May, 2023". */
function timeOf(said) {
  const ms = Date.parse(said.replace(/^(.*) on (.*)$/, "$2 $1").replace(/ ([ap]m)$/, " $1"));
  return Number.isNaN(ms) ? 0 : ms;
}

export function share(ids, evidence) {
  return ids.filter((id) => evidence.has(id)).length / evidence.size;
}

export function gainOf(ids, evidence) {
  const gain = (at) => 1 / Math.log2(at + 2);
  let best = 0;
  for (let at = 0; at < Math.min(10, evidence.size); at += 1) best += gain(at);
  return ids.reduce((sum, id, at) => sum + (evidence.has(id) ? gain(at) : 0), 0) / best;
}

export function firstTokens(ids, textOf, most) {
  let tokens = 0;
  return ids.filter((id) => {
    tokens += textOf.get(id).length / 4;
    return tokens <= most;
  });
}

export function placesOf(ranks) {
  const shareOf = (of) =>
    percent(
      ranks.reduce((sum, rank) => sum + of(rank), 0),
      ranks.length,
    );
  const reciprocal = ranks.reduce((sum, rank) => sum + (rank < 0 ? 0 : 1 / (rank + 1)), 0);
  return [
    ["h1", shareOf((rank) => (rank === 0 ? 1 : 0))],
    ["h5", shareOf((rank) => (rank >= 0 && rank < 5 ? 1 : 0))],
    ["MRR", (reciprocal / ranks.length).toFixed(3)],
  ];
}

export function percent(sum, of) {
  return ((100 * sum) / of).toFixed(1);
}

export function print(what, figures) {
  process.stdout.write(`${what}\n`);
  process.stdout.write(`  ${figures.map(([name, value]) => `${name} ${value}`).join("  ")}\n`);
}

/** Writes every session of the units; tells for each id it was given whose it is, and which unit a line holds. */
export function writeSessions(home, units) {
  const cwd = join(home, "work");
  const project = join(home, ".claude", "projects", "-work");
  mkdirSync(project, { recursive: true });
  mkdirSync(cwd);
  const places = new Map();
  const bySession = Map.groupBy?.(units, ({ session }) => session) ?? grouped(units);
  for (const [session, some] of bySession) {
    const id = `00000000-0000-4000-8000-${String(places.size).padStart(12, "0")}`;
    const ordered = some.toSorted((a, b) => a.order - b.order);
    const lines = ordered.map((unit, at) => lineOf(unit, { at, id, cwd }));
    writeFileSync(join(project, `${id}.jsonl`), `${lines.join("\n")}\n`);
    places.set(id, { session, lines: ordered.map((unit) => unit.id) });
  }
  return places;
}

function grouped(units) {
  const groups = new Map();
  for (const unit of units) groups.set(unit.session, [...(groups.get(unit.session) ?? []), unit]);
  return groups;
}

function lineOf({ speaker, date, text }, { at, id, cwd }) {
  const uuid = (number) => `${id.slice(0, 24)}${String(number).padStart(12, "a")}`;
  const type = speaker === "user" ? "user" : "assistant";
  return JSON.stringify({
    parentUuid: at === 0 ? null : uuid(at - 1),
    isSidechain: false,
    userType: "external",
    cwd,
    sessionId: id,
    version: "2.1.325",
    type,
    message: { role: type, content: contentOf(speaker, text, at) },
    uuid: uuid(at),
    timestamp: date,
  });
}

function contentOf(speaker, text, at) {
  if (speaker === "user") return text;
  if (speaker !== "tool") return [{ type: "text", text }];
  const [, name, rest] = /^(\S*)\s*(.*)$/s.exec(text);
  return [{ type: "tool_use", id: `toolu_${at}`, name: name || "tool", input: { text: rest } }];
}

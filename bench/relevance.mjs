// node bench/relevance.mjs <folder>: how well a search finds what was meant, on data given by path. Every set becomes
// sessions of a home of its own, which is indexed and searched as `reprise search` does. See docs/bench.md.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { loadAgent, loadAgents } from "../dist/rooms/agents/registry.js";
import { Finder } from "../dist/rooms/catalog/query/finder.js";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("usage: node bench/relevance.mjs <folder with sets, *.json or *.json.gz>\n");
  process.exit(2);
}

for (const name of readdirSync(folder).sort()) {
  if (!/\.json(\.gz)?$/.test(name)) continue;
  const bytes = readFileSync(join(folder, name));
  const sets = JSON.parse((name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8"));
  const isDialogue = sets.some(({ conversation }) => conversation !== undefined);
  if (isDialogue) await tellDialogues(name, sets);
  else for (const set of sets) await tellCoding(set);
}

/** Commits and the sessions that made them: which place the right session has. */
async function tellCoding({ id, units, queries }) {
  const kept = units.filter(({ leak }) => leak !== true);
  const found = await inHome(kept, async (search) => {
    const ranks = [];
    for (const { q, sessions } of queries) {
      const answer = await search(asTyped(q), { sessions: 10_000, events: 0 });
      ranks.push(answer.findIndex(({ session }) => sessions.includes(session)));
    }
    return ranks;
  });
  print(`${id}: ${new Set(kept.map(({ session }) => session)).size} sessions`, [
    ...placesOf(found),
    ["queries", String(queries.length)],
  ]);
}

/** Questions about long dialogues: how much of the evidence comes first, and in which session. */
async function tellDialogues(name, sets) {
  const half = Math.ceil(sets.length / 2);
  const measured = [];
  for (const set of sets) measured.push(await measuredDialogue(set));
  const parts = [
    ["for tuning", measured.slice(0, half)],
    ["for reporting", measured.slice(half)],
    ["all", measured],
  ];
  for (const [part, some] of parts) {
    const answers = some.flat();
    const mean = (of) =>
      percent(
        answers.reduce((sum, one) => sum + of(one), 0),
        answers.length,
      );
    print(`${name}, ${part}`, [
      ["R@1", mean(({ recall }) => recall[0])],
      ["R@5", mean(({ recall }) => recall[1])],
      ["R@10", mean(({ recall }) => recall[2])],
      ["nDCG@10", mean(({ gain }) => gain)],
      ["@1kt", mean(({ within }) => within)],
      ...placesOf(answers.map(({ rank }) => rank)).map(([what, value]) => [
        `session ${what}`,
        value,
      ]),
      ["queries", String(answers.length)],
    ]);
  }
}

async function measuredDialogue({ conversation, qa }) {
  const units = turnsOf(conversation);
  const textOf = new Map(units.map(({ id, text }) => [id, text]));
  const asked = qa
    .map(({ question, evidence = [] }) => ({ question, evidence: new Set(idsIn(evidence)) }))
    .filter(({ evidence }) => evidence.size > 0);
  return inHome(units, async (search) => {
    const answers = [];
    for (const { question, evidence } of asked) {
      const sessions = await search(asTyped(question), { sessions: 10_000, events: 10_000 });
      const ids = sessions
        .flatMap(({ events }) => events)
        .sort((a, b) => b.score - a.score)
        .map(({ id }) => id);
      const right = new Set([...evidence].map((id) => id.slice(1).split(":")[0]));
      answers.push({
        recall: [1, 5, 10].map((most) => share(ids.slice(0, most), evidence)),
        gain: gainOf(ids.slice(0, 10), evidence),
        within: share(firstTokens(ids, textOf, 1000), evidence),
        rank: sessions.findIndex(({ session }) => right.has(session)),
      });
    }
    return answers;
  });
}

function idsIn(evidence) {
  return evidence.flatMap((one) => one.match(/D\d+:\d+/g) ?? []);
}

function turnsOf(conversation) {
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

/** A question as somebody types it: what a query gives a meaning to is left out. */
function asTyped(text) {
  return text.replace(/["*]/g, " ").replace(/(^|\s)-+/g, "$1");
}

function share(ids, evidence) {
  return ids.filter((id) => evidence.has(id)).length / evidence.size;
}

function gainOf(ids, evidence) {
  const gain = (at) => 1 / Math.log2(at + 2);
  let best = 0;
  for (let at = 0; at < Math.min(10, evidence.size); at += 1) best += gain(at);
  return ids.reduce((sum, id, at) => sum + (evidence.has(id) ? gain(at) : 0), 0) / best;
}

function firstTokens(ids, textOf, most) {
  let tokens = 0;
  return ids.filter((id) => {
    tokens += textOf.get(id).length / 4;
    return tokens <= most;
  });
}

function placesOf(ranks) {
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

function percent(sum, of) {
  return ((100 * sum) / of).toFixed(1);
}

function print(what, figures) {
  process.stdout.write(`${what}\n`);
  process.stdout.write(`  ${figures.map(([name, value]) => `${name} ${value}`).join("  ")}\n`);
}

/** Makes a home with the units as sessions of Claude Code, and lets `work` search in it. */
async function inHome(units, work) {
  const home = mkdtempSync(join(tmpdir(), "reprise-relevance-"));
  try {
    const places = writeSessions(home, units);
    const finder = await Finder.open({
      env: { variables: { HOME: home }, platform: process.platform, home, cwd: home },
      agents: loadAgents,
      agent: loadAgent,
      nowMs: Math.max(...units.map(({ date }) => Date.parse(date))),
    });
    const search = async (text, wanted) => {
      const { sessions } = await finder.search({ text, mode: "words" }, wanted);
      return sessions.map(({ facts, events }) => {
        const place = places.get(facts.session);
        return {
          session: place.session,
          events: events
            .filter(({ number }) => number !== "")
            .map(({ number, score }) => ({ id: place.lines[number - 1], score: score.total })),
        };
      });
    };
    try {
      return await work(search);
    } finally {
      finder.close();
    }
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** Writes every session of the units; tells for each id it was given whose it is, and which unit a line holds. */
function writeSessions(home, units) {
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

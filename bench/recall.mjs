// node bench/recall.mjs <folder> [--part tuning|reporting] [--large]: how well `recall` finds the turns that answer, and in
// what time, on data given by path. Every set becomes sessions of a home of its own. See docs/bench.md.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openRecall } from "../dist/rooms/memory/recall/recall.js";
import { largeCorpus } from "./recall-corpus.mjs";
import {
  gainOf,
  idsIn,
  percent,
  placesOf,
  print,
  setsIn,
  share,
  turnsOf,
  writeSessions,
} from "./relevance-sets.mjs";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { part: { type: "string" }, large: { type: "boolean", default: false } },
});
const [folder] = positionals;
if (folder === undefined) {
  process.stderr.write("usage: node bench/recall.mjs <folder with sets, *.json or *.json.gz>\n");
  process.exit(2);
}

if (values.large) await tellLarge();
else
  for (const { name, sets, isDialogue } of setsIn(folder)) {
    if (isDialogue) await tellDialogues(name, sets);
    else if (values.part === undefined) for (const set of sets) await tellCoding(set);
  }

/** In what time questions are answered among very many turns; each is asked three times, the quickest counts. */
async function tellLarge() {
  const { units, questions, chars } = largeCorpus(folder);
  const asked = questions.filter((_, at) => at % Math.floor(questions.length / 150) === 0);
  const cpuMs = await inHome(units, async (ask) => {
    const times = [];
    for (const question of asked) {
      const rounds = [];
      for (let round = 0; round < 3; round += 1) rounds.push((await ask(question, 2_000)).ms);
      times.push(Math.min(...rounds));
    }
    return times;
  });
  print(`${units.length} turns, ${mb(chars)} MB`, [
    ...timesOf(cpuMs),
    ["questions", String(cpuMs.length)],
  ]);
}

/** Commits and the sessions that made them: in which place the first turn of a right session stands. */
async function tellCoding({ id, units, queries }) {
  const kept = units.filter(({ leak }) => leak !== true);
  const cpuMs = [];
  const found = await inHome(kept, async (ask) => {
    const ranks = [];
    for (const { q, sessions } of queries) {
      const { turns, ms } = await ask(q, 20_000);
      cpuMs.push(ms);
      const order = [...new Set(turns.map(({ session }) => session))];
      ranks.push(order.findIndex((session) => sessions.includes(session)));
    }
    return ranks;
  });
  const bytes = kept.reduce((sum, { text }) => sum + text.length, 0);
  print(`${id}: ${new Set(kept.map(({ session }) => session)).size} sessions, ${mb(bytes)} MB`, [
    ...placesOf(found),
    ...timesOf(cpuMs),
  ]);
}

async function tellDialogues(name, sets) {
  const half = Math.ceil(sets.length / 2);
  const parts = { tuning: sets.slice(0, half), reporting: sets.slice(half) };
  for (const [part, some] of Object.entries(parts)) {
    if (values.part !== undefined && values.part !== part) continue;
    const answers = [];
    for (const set of some) answers.push(...(await measuredDialogue(set)));
    const mean = (of) =>
      percent(
        answers.reduce((sum, one) => sum + of(one), 0),
        answers.length,
      );
    print(`${name}, for ${part}`, [
      ["R@1", mean(({ recall }) => recall[0])],
      ["R@5", mean(({ recall }) => recall[1])],
      ["R@10", mean(({ recall }) => recall[2])],
      ["nDCG@10", mean(({ gain }) => gain)],
      ["@1kt", mean(({ within }) => within)],
      ...placesOf(answers.map(({ rank }) => rank)).map(([what, value]) => [
        `session ${what}`,
        value,
      ]),
      ...timesOf(answers.map(({ ms }) => ms)),
      ["questions", String(answers.length)],
    ]);
  }
}

async function measuredDialogue({ conversation, qa }) {
  const units = turnsOf(conversation);
  const asked = qa
    .map(({ question, evidence = [] }) => ({ question, evidence: new Set(idsIn(evidence)) }))
    .filter(({ evidence }) => evidence.size > 0);
  return inHome(units, async (ask) => {
    const answers = [];
    for (const { question, evidence } of asked) {
      const { turns, ms } = await ask(question, 20_000);
      const ids = turns.map(({ id }) => id);
      const right = new Set([...evidence].map((id) => id.slice(1).split(":")[0]));
      const sessions = [...new Set(turns.map(({ session }) => session))];
      let tokens = 0;
      const within = turns
        .filter(({ chars }) => {
          tokens += chars / 4;
          return tokens <= 1000;
        })
        .map(({ id }) => id);
      answers.push({
        recall: [1, 5, 10].map((most) => share(ids.slice(0, most), evidence)),
        gain: gainOf(ids.slice(0, 10), evidence),
        within: share(within, evidence),
        rank: sessions.findIndex((session) => right.has(session)),
        ms,
      });
    }
    return answers;
  });
}

function timesOf(cpuMs) {
  const sorted = cpuMs.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return [
    ["CPU ms median", at(0.5).toFixed(1)],
    ["p95", at(0.95).toFixed(1)],
  ];
}

function mb(bytes) {
  return (bytes / 1e6).toFixed(1);
}

/** Makes a home with the units as sessions of Claude Code, and lets `work` ask about them. */
async function inHome(units, work) {
  const home = mkdtempSync(join(tmpdir(), "reprise-recall-"));
  try {
    const places = writeSessions(home, units);
    const recall = await openRecall({
      env: { variables: { HOME: home }, platform: process.platform, home, cwd: home },
      nowMs: units.reduce((last, { date }) => Math.max(last, Date.parse(date)), 0),
    });
    const ask = async (question, budgetTokens) => {
      const before = process.cpuUsage();
      const { answers } = await recall.ask(question, { budgetTokens });
      const { user, system } = process.cpuUsage(before);
      const turns = answers.map(({ session, number, text }) => {
        const place = places.get(session);
        return { session: place.session, id: place.lines[number - 1], chars: text.length };
      });
      return { turns, ms: (user + system) / 1000 };
    };
    try {
      return await work(ask);
    } finally {
      recall.close();
    }
  } finally {
    rmSync(home, { recursive: true });
  }
}

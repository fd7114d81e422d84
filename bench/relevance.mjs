// node bench/relevance.mjs <folder>: how well a search finds what was meant, on data given by path. Every set becomes
// sessions of a home of its own, which is indexed and searched as `reprise search` does. See docs/bench.md.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadAgent, loadAgents } from "../dist/rooms/agents/registry.js";
import { Finder } from "../dist/rooms/catalog/query/finder.js";
import {
  firstTokens,
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

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("usage: node bench/relevance.mjs <folder with sets, *.json or *.json.gz>\n");
  process.exit(2);
}

for (const { name, sets, isDialogue } of setsIn(folder)) {
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

/** A question as somebody types it: what a query gives a meaning to is left out. */
function asTyped(text) {
  return text.replace(/["*]/g, " ").replace(/(^|\s)-+/g, "$1");
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

// The index of all sessions: how fast it is made, how large it is, and what a search costs.
import fs, { appendFileSync, linkSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { loadAgent, loadAgents } from "../dist/rooms/agents/registry.js";
import { eventText, wordText } from "../dist/rooms/catalog/index/event-text.js";
import { freshen } from "../dist/rooms/catalog/index/freshen.js";
import { openCatalog } from "../dist/rooms/catalog/index/open.js";
import { sweep } from "../dist/rooms/catalog/index/sweep.js";
import { Finder } from "../dist/rooms/catalog/query/finder.js";
import { wordsOf } from "../dist/rooms/catalog/query/words.js";
import {
  atLeast,
  atMost,
  factRow,
  inChild,
  interleave,
  memoryRow,
  missingRow,
  runProcess,
  timed,
} from "./measure.mjs";
import { onEachNode } from "./nodes.mjs";
import { ripgrep, runRipgrep } from "./ripgrep.mjs";
import { appendedLine, searchCorpus } from "./search-corpus.mjs";

const agents = await loadAgents();

const bin = fileURLToPath(new URL("../dist/bin/", import.meta.url));
const program = join(bin, "reprise.js");

export async function rows({ folder, quick, sessions: given }) {
  const sessions = quick ? 200 : 1000;
  const home = join(folder, "home");
  mkdirSync(home);
  const corpus = searchCorpus(home, { sessions, totalBytes: sessions * 500_000 });
  const size = `${Math.round(corpus.bytes / 1e6)} MB`;
  const found = [
    ...(await built(home, corpus, size)),
    ...(await searched(home, corpus, size, { quick })),
    ...(await appended(home, corpus, { quick })),
  ];
  rmSync(home, { recursive: true });
  const real = given === undefined ? [] : await builtGiven(given, join(folder, "store"));
  return [...found, ...real, ...(await scaled(folder, { quick }))];
}

function environment(home, store) {
  const variables = { HOME: home, ...(store !== undefined && { REPRISE_HOME: store }) };
  return { variables, platform: process.platform, home, cwd: home };
}

function optionsFor(home, store) {
  return {
    env: environment(home, store),
    agents: loadAgents,
    agent: loadAgent,
    nowMs: Date.now(),
  };
}

/** Makes the index anew; tells how large it is, with its log, before anybody closes it. */
async function build(home, store = join(home, ".reprise")) {
  rmSync(store, { recursive: true, force: true });
  const catalog = openCatalog(join(store, "derived"));
  await freshen(catalog, optionsFor(home, store));
  const sizes = ["", "-wal"].map((side) =>
    statSync(catalog.path + side, { throwIfNoEntry: false }),
  );
  catalog.close();
  return sizes.reduce((sum, stat) => sum + (stat?.size ?? 0), 0);
}

/** The least that indexing must do: parse every line, take the text out of it. */
function parseAndExtract(files) {
  let chars = 0;
  for (const file of files) {
    for (const line of readFileSync(file, "utf8").split("\n")) {
      if (line === "") continue;
      for (const text of stringsOf(JSON.parse(line))) chars += text?.length ?? 0;
    }
  }
  return chars;
}

function stringsOf(record) {
  const message = record.message ?? record.payload ?? record;
  const content = message.content ?? message.output ?? message.arguments ?? message.summary;
  if (typeof content === "string") return [content];
  const found = [];
  for (const block of Array.isArray(content) ? content : []) {
    const text = block.text ?? block.thinking ?? block.content ?? block.input ?? block.arguments;
    if (typeof text === "string") found.push(text);
    else if (text !== undefined) found.push(...Object.values(text));
  }
  return found;
}

/** Tasks that run in a process of their own. */
export const tasks = {
  build,
};

async function built(home, { files, bytes }, size) {
  const parse = () => timed(() => parseAndExtract(files));
  const times = { ours: [], floor: [] };
  for (let round = 0; round < 3; round += 1) {
    const { ours, floor } = await between(() => timed(() => build(home)), Array(4).fill(parse));
    times.ours.push(ours);
    times.floor.push(floor);
  }
  const peaks = [inChild("catalog", "build", home).peakMb];
  const share = statSync(join(home, ".reprise", "derived", "catalog.db")).size / bytes;
  return [
    atLeast(`first build of ${size}: parse and extract /`, times, 0.3),
    { what: "the index / the sessions, in bytes", ratio: share, bar: "<= 0.10x", ok: share <= 0.1 },
    memoryRow("first build: memory", peaks, 250),
  ];
}

/** The same on sessions people have; nothing is written among them. */
async function builtGiven(home, store) {
  const files = [];
  for (const agent of agents) {
    for (const { path } of agent.locate(environment(home, store), { projects: [] })) {
      if (path.endsWith(".jsonl")) files.push(path);
    }
  }
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const parse = () => timed(() => parseAndExtract(files));
  const times = { ours: [], floor: [] };
  let indexBytes = 0;
  const making = () =>
    timed(async () => {
      indexBytes = await build(home, store);
    });
  for (let round = 0; round < 5; round += 1) {
    const { ours, floor } = await between(making, Array(4).fill(parse));
    times.ours.push(ours);
    times.floor.push(floor);
  }
  const share = indexBytes / bytes;
  const size = `${Math.round(bytes / 1e6)} MB given`;
  const what = `${size}: the index and its log right after it was made / the sessions, in bytes`;
  return [
    atLeast(`first build of ${size}: parse and extract /`, times, 0.35),
    { what, ratio: share, bar: "<= 0.12x", ok: share <= 0.12 },
  ];
}

async function searched(home, { files, env }, size, { quick }) {
  const rare = "ev7x5";
  const rg = ripgrep();
  const rounds = quick ? 7 : 15;
  const run = (args, node) => runProcess([program, "search", ...args, "--json"], { env, node });
  const rows = [];
  if (rg === undefined) rows.push(missingRow("search: / rg", "ripgrep could not be installed"));
  else {
    const places = [".claude", ".codex", ".pi"].map((name) => join(home, name));
    const peer = (...args) =>
      runRipgrep(rg, ["-j2", "-l", "--hidden", "--no-ignore", ...args, ...places]);
    const warm = await onEachNode(async ({ program: node, barOf }) => {
      const sides = { ours: () => run([rare], node), floor: () => peer(rare) };
      const times = await interleave(sides, { rounds, warmups: 3 });
      const what = `search of a rare word in ${size}, whole process: / rg -j2 -l`;
      return [atMost(what, times, barOf({ 20: 1.7, 24: 1.7 }))];
    });
    rows.push(...warm);
    const exact = await interleave(
      { ours: () => run(["--substring", "--case", rare]), floor: () => peer("-F", rare) },
      { rounds },
    );
    rows.push(atMost("search --substring --case, whole process: / rg -j2 -l -F", exact, 2.5));
    const any = await interleave(
      { ours: () => run(["--substring", rare.toUpperCase()]), floor: () => peer("-F", "-i", rare) },
      { rounds },
    );
    rows.push(atMost("search --substring, whole process: / rg -j2 -l -F -i", any, 2.5));
  }
  const words = await rareWords(files);
  for (const [what, events] of [
    ["", 0],
    [", snippets read", 3],
  ]) {
    const times = await queryTimes(home, words, events);
    const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)];
    rows.push({
      what: `${times.length} queries of words in under 1 % of events${what}: p95`,
      oursMs: p95,
      bar: "< 10 ms",
      ok: p95 < 10,
    });
  }
  return rows;
}

/** Words of the sessions that fewer than one event in a hundred has. */
async function rareWords(files) {
  const counts = new Map();
  let events = 0;
  for (const file of files.slice(0, 60)) {
    const agent = agents.find(({ name }) => file.includes(`/.${name.split("-")[0]}/`));
    const ref = { agent: agent.name, session: "", path: file, sizeBytes: 0, modifiedMs: 0 };
    for await (const batch of agent.read(ref, { allBranches: true })) {
      for (const { body } of batch.events) {
        const text = eventText(body);
        if (text === undefined) continue;
        events += 1;
        // Whole words as the index has them: a piece of one would be looked for as a misspelt word.
        for (const word of new Set(wordsOf(wordText(text)))) {
          if (/^[a-z][a-z0-9]{2,}$/.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
        }
      }
    }
  }
  const rare = [...counts].filter(([, count]) => count > 1 && count < events / 100);
  return rare.filter((_, at) => at % Math.ceil(rare.length / 200) === 0).map(([word]) => word);
}

/** Each word asked for once in this process, with snippets of so many events of a session. */
async function queryTimes(home, words, events) {
  const finder = await Finder.open(optionsFor(home));
  const times = [];
  for (const text of [...words.slice(0, 5), ...words]) {
    const ask = () => finder.search({ text, mode: "words" }, { sessions: 10, events });
    times.push(await timed(ask));
  }
  finder.close();
  return times.slice(5);
}

/** One event is added to a session of a thousand: what it costs until it is found. */
async function appended(home, { files }, { quick }) {
  const catalog = openCatalog(join(home, ".reprise", "derived"));
  const options = optionsFor(home);
  await freshen(catalog, options);
  const file = files[0];
  let line = readFileSync(file, "utf8").split("\n").length - 1;
  let number = 0;
  const append = () => {
    line += 1;
    number += 1;
    const text = appendedLine(0, line, `appendedword${number}`);
    appendFileSync(file, text);
    return text.length;
  };
  const added = append();
  const bytes = await bytesRead(() => freshen(catalog, options));
  const times = await interleave(
    {
      ours: async () => {
        append();
        return timed(() => freshen(catalog, options));
      },
      floor: () => timed(() => sweep(catalog.connection, agents, options.env)),
    },
    { rounds: quick ? 15 : 31, warmups: 5 },
  );
  catalog.close();
  const finder = await Finder.open(options);
  const { sessions } = await finder.search(
    { text: `appendedword${number}`, mode: "words" },
    { sessions: 10, events: 3 },
  );
  finder.close();
  return [
    factRow("an appended event is found", sessions.length === 1),
    // Each appended line is looked at twice, and two hashes prove that the file is the same.
    factRow(
      `of ${added} appended bytes ${bytes} are read, of the rest none`,
      bytes < 2 * added + 2048,
    ),
    atMost("after one appended event: update / stat sweep", times, 1.5),
  ];
}

/** Bytes that work reads from files in this process. */
async function bytesRead(work) {
  const { readSync } = fs;
  let bytes = 0;
  fs.readSync = (...args) => {
    const taken = readSync(...args);
    bytes += taken;
    return taken;
  };
  syncBuiltinESMExports();
  await work();
  fs.readSync = readSync;
  syncBuiltinESMExports();
  return bytes;
}

/**
 * Work that takes several times as long as the floor, between runs of the floor: both then stand for the same stretch
 * of time. A short one alone would sooner or later meet a quiet moment.
 */
async function between(work, floors) {
  const times = [];
  const middle = floors.length / 2;
  for (const floor of floors.slice(0, middle)) times.push(await floor());
  const ours = await work();
  for (const floor of floors.slice(middle)) times.push(await floor());
  return { ours, floor: times.reduce((sum, ms) => sum + ms) / times.length };
}

/** Ten times the sessions: how much more building and asking cost than for each tenth of them. */
async function scaled(folder, { quick }) {
  const sessions = quick ? 20 : 200;
  const large = join(folder, "large");
  mkdirSync(large);
  const count = sessions * 10;
  const { files } = searchCorpus(large, { sessions: count, totalBytes: count * 500_000 });
  const tenths = Array.from({ length: 10 }, (_, tenth) => {
    const home = join(folder, `tenth-${tenth}`);
    for (const file of files.slice(tenth * sessions, (tenth + 1) * sessions)) {
      const same = join(home, relative(large, file));
      mkdirSync(dirname(same), { recursive: true });
      linkSync(file, same);
    }
    return home;
  });
  const builds = { ours: [], floor: [] };
  const building = (home) => () => timed(() => build(home));
  for (let round = 0; round < 2; round += 1) {
    const { ours, floor } = await between(building(large), tenths.map(building));
    builds.ours.push(ours);
    builds.floor.push(floor);
  }
  const homes = { ours: large, floor: tenths[0] };
  const finders = {
    ours: await Finder.open(optionsFor(homes.ours)),
    floor: await Finder.open(optionsFor(homes.floor)),
  };
  const ask = (finder) => () =>
    timed(async () => {
      for (let event = 1; event <= 20; event += 1) {
        const text = `ev${event % 9}x${event}`;
        await finder.search({ text, mode: "words" }, { sessions: 10, events: 3 });
      }
    });
  const queries = await interleave(
    { ours: ask(finders.ours), floor: ask(finders.floor) },
    { rounds: 15, warmups: 3 },
  );
  finders.ours.close();
  finders.floor.close();
  for (const home of [large, ...tenths]) rmSync(home, { recursive: true });
  const what = `${sessions / 2} MB to ${sessions * 5} MB`;
  return [atMost(`${what}: build`, builds, 11), atMost(`${what}: warm query`, queries, 1.5)];
}

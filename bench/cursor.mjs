// Listing a large database of Cursor's, against asking SQLite for its keys: 5,000 conversations in 2 GB.
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cursor } from "../dist/rooms/agents/cursor/index.js";
import { findNewest } from "../dist/rooms/agents/find-sessions.js";
import { Connection } from "../dist/rooms/sqlite/connection.js";
import { randomFrom, textFrom } from "./corpora.mjs";
import { keysIn } from "./cursor-keys.mjs";
import {
  atMost,
  beside,
  factRow,
  inChild,
  interleave,
  memoryRow,
  runProcess,
  timed,
} from "./measure.mjs";

const shown = 30;
const workspaces = 40;
const keys = fileURLToPath(new URL("./cursor-keys.mjs", import.meta.url));
const reprise = fileURLToPath(new URL("../dist/bin/reprise.js", import.meta.url));

export async function rows({ folder, quick }) {
  const composers = quick ? 500 : 5_000;
  const totalBytes = quick ? 100_000_000 : 2_000_000_000;
  // In a process of its own: the memory it takes would count for those that are started later.
  inChild("cursor", "make", folder, composers, totalBytes);
  const env = environmentOf(folder);
  const database = databaseIn(folder);
  const before = listing(folder);
  const variables = {
    PATH: process.env.PATH,
    HOME: folder,
    REPRISE_HOME: join(folder, ".reprise"),
  };
  // Before this process grows: a child begins with the peak of its parent.
  const peaks = [0, 1, 2].map(() => inChild("cursor", "list", folder).peakMb);
  const peak = runProcess([reprise, "list"], { env: variables, peak: true });
  const floor = () => timed(() => keysIn(database));
  const rounds = quick ? 11 : 51;
  const located = await interleave(
    { ours: () => timed(() => [...cursor.locate(env)].length), floor },
    { rounds, warmups: 3 },
  );
  const listed = await interleave(
    { ours: () => timed(() => list(env)), floor },
    { rounds, warmups: 3 },
  );
  // A first look each time: nothing is kept from the one before.
  const cold = () => {
    rmSync(variables.REPRISE_HOME, { recursive: true, force: true });
    return runProcess([reprise, "list"], { env: variables });
  };
  const processes = await interleave(
    {
      ours: cold,
      floor: () => runProcess([keys, database], { env: variables }),
    },
    { rounds: quick ? 5 : 15 },
  );
  const isUntouched = JSON.stringify(listing(folder)) === JSON.stringify(before);
  rmSync(folder, { recursive: true });
  const what = `${composers} conversations of Cursor in ${Math.round(totalBytes / 1e6)} MB`;
  return [
    atMost(`locate ${what}: / its keys by SQL`, located, 3),
    beside(`${what}, the newest ${shown} with their heads: / its keys by SQL`, listed),
    atMost(`reprise list, first look, ${what}: / a process that asks for its keys`, processes, 3),
    memoryRow(`list ${what}: memory`, [...peaks, peak], 150),
    factRow(`list ${what}: nothing is written beside it`, isUntouched),
  ];
}

/** What is measured in processes of their own. */
export const tasks = {
  list: (folder) => list(environmentOf(folder)),
  make: (folder, composers, totalBytes) =>
    makeHome(folder, { composers: Number(composers), totalBytes: Number(totalBytes) }),
};

function list(env) {
  return findNewest({ agents: [cursor], env }, {}, shown).total;
}

function environmentOf(home) {
  return { variables: {}, platform: "linux", home, cwd: home };
}

function userIn(home) {
  return join(home, ".config", "Cursor", "User");
}

function databaseIn(home) {
  return join(userIn(home), "globalStorage", "state.vscdb");
}

/** Everything below the folder of the desktop program, with sizes and times. */
function listing(home) {
  const root = join(home, ".config");
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(root, name));
      return [name, size, mtimeMs];
    });
}

/** A home as the desktop program leaves it: bubbles in one database, an index of them in each workspace's. */
function makeHome(home, { composers, totalBytes }) {
  mkdirSync(join(userIn(home), "globalStorage"), { recursive: true });
  const bubbles = 40;
  const bytes = Math.floor(totalBytes / composers / (bubbles + 4));
  const random = randomFrom(7);
  const indexes = Array.from({ length: workspaces }, () => []);
  filled(databaseIn(home), (insert) => {
    for (let number = 0; number < composers; number += 1) {
      const id = uuid(number);
      const createdAt = 1_780_000_000_000 + number * 60_000;
      const about = { composerId: id, name: `Conversation ${number}`, createdAt };
      const lastUpdatedAt = createdAt + 30_000;
      indexes[number % workspaces].push({ type: "head", ...about, lastUpdatedAt });
      const headers = Array.from({ length: bubbles }, (_, at) => ({
        bubbleId: uuid(at),
        type: at % 4 === 0 ? 1 : 2,
      }));
      // The record holds more than the list of bubbles: what was attached, what a person wrote last.
      const context = textFrom(random, bytes * 3);
      insert("cursorDiskKV", `composerData:${id}`, {
        ...{ _v: 10, ...about, lastUpdatedAt, status: "completed", context },
        fullConversationHeadersOnly: headers,
      });
      for (const { bubbleId, type } of headers) {
        const text = textFrom(random, bytes);
        insert("cursorDiskKV", `bubbleId:${id}:${bubbleId}`, { _v: 3, type, bubbleId, text });
      }
    }
  });
  for (const [number, allComposers] of indexes.entries()) {
    const folder = join(userIn(home), "workspaceStorage", String(number).padStart(32, "0"));
    mkdirSync(folder, { recursive: true });
    const uri = `file://${join(home, `project-${number}`)}`;
    writeFileSync(join(folder, "workspace.json"), JSON.stringify({ folder: uri }));
    filled(join(folder, "state.vscdb"), (insert) =>
      insert("ItemTable", "composer.composerData", { allComposers }),
    );
  }
}

function filled(path, fill) {
  const connection = new Connection(path);
  connection.exec("pragma journal_mode = off; pragma synchronous = off");
  const inserts = new Map();
  for (const table of ["ItemTable", "cursorDiskKV"]) {
    connection.exec(`create table ${table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`);
    inserts.set(table, connection.prepare(`insert into ${table} values (?, ?)`));
  }
  connection.exec("begin");
  fill((table, key, value) => inserts.get(table).run(key, JSON.stringify(value)));
  connection.exec("commit");
  connection.close();
}

function uuid(number) {
  return `${String(number).padStart(8, "0")}-0000-4000-8000-000000000000`;
}

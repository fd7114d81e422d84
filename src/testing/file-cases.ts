import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Agent, ReadBatch, ReadOptions, SessionRef } from "../agents/contract.ts";
import { limits } from "../base/limits.ts";
import { makeFolder } from "../base/make-folder.ts";
import type { Damage } from "../model/damage.ts";
import { type AgentCase, type AgentScene, eventsOf, refsOf } from "./agent-scene.ts";

/** A file that cannot be read, and what a reader must say to it. */
interface Unreadable {
  readonly name: string;
  readonly kind: Extract<Damage["kind"], "missing_file" | "unreadable">;
  put(path: string): void;
}

const unreadables: readonly Unreadable[] = [
  { name: "is gone", kind: "missing_file", put: () => {} },
  {
    name: "lies below something that is not a folder",
    kind: "missing_file",
    put: (path) => {
      rmSync(dirname(path), { recursive: true });
      writeFileSync(dirname(path), "");
    },
  },
  { name: "is a folder", kind: "unreadable", put: (path) => mkdirSync(path) },
  {
    name: "is a link that leads to itself",
    kind: "unreadable",
    put: (path) => symlinkSync(basename(path), path),
  },
  {
    name: "is a pipe that nobody writes to",
    kind: "unreadable",
    put: (path) => {
      // Windows has no such pipes; a folder is not a file there either.
      if (process.platform === "win32") mkdirSync(path);
      else execFileSync("mkfifo", [path]);
    },
  },
  {
    name: "may not be read",
    kind: "unreadable",
    put: (path) => {
      writeFileSync(path, "{}\n");
      chmodSync(path, 0o000);
      // Nothing is forbidden to root; where links lead nowhere, nobody gets.
      if (process.getuid?.() !== 0) return;
      rmSync(path);
      symlinkSync(basename(path), path);
    },
  },
];

const answers = {
  missing_file: "is reported as missing and has no head",
  unreadable: "is reported as unreadable, and its head says why",
} as const;

/** Bytes that are not what the agent wrote. */
interface Harm {
  readonly name: string;
  /** Large: done to one session only. */
  readonly once?: true;
  put(path: string, original: Buffer): void;
}

const harms: readonly Harm[] = [
  { name: "is empty", put: (path) => writeFileSync(path, "") },
  { name: "holds nothing but NUL bytes", put: (path) => writeFileSync(path, Buffer.alloc(4096)) },
  {
    name: "ends in the middle of a record",
    put: (path, original) => writeFileSync(path, original.subarray(0, -10)),
  },
  {
    name: "has NUL bytes in its middle",
    put: (path, original) => writeFileSync(path, overwritten(original, Buffer.alloc(16))),
  },
  {
    name: "has bytes in its middle that are no UTF-8",
    put: (path, original) => writeFileSync(path, overwritten(original, Buffer.from([0xff, 0xfe]))),
  },
  {
    name: "has a line over the limit",
    once: true,
    put: (path, original) => {
      writeFileSync(path, original);
      const piece = Buffer.alloc(1024 * 1024, "x");
      for (let bytes = 0; bytes <= limits.foreignLineBytes; bytes += piece.length) {
        appendFileSync(path, piece);
      }
      appendFileSync(path, "\n");
    },
  },
];

/** What every reader answers for a session's file, whatever became of it. */
export const fileCases: readonly AgentCase[] = [
  ...unreadables.map((state) => ({
    name: `a file that ${state.name} ${answers[state.kind]}`,
    run: (scene: AgentScene) => eachElsewhere(scene, (work) => answersUnread(work, state)),
  })),
  ...harms.map((harm) => ({
    name: `a file that ${harm.name}: nothing is thrown, and what is lost is reported`,
    run: (scene: AgentScene) => eachElsewhere(scene, (work) => survives(work, harm), harm),
  })),
];

/** A session, and the place where a copy of its file may come to harm. */
interface Work {
  readonly scene: AgentScene;
  readonly ref: SessionRef;
  readonly copy: SessionRef;
}

async function eachElsewhere(
  scene: AgentScene,
  check: (work: Work) => Promise<void>,
  { once }: { readonly once?: true } = {},
): Promise<void> {
  const refs = refsOf(scene);
  for (const ref of once ? refs.slice(0, 1) : refs) {
    const folder = mkdtempSync(join(tmpdir(), "reprise-agent-"));
    try {
      // Deep enough for agents whose files have a place relative to the session's.
      const path = join(folder, "a", "b", "c", basename(ref.path));
      makeFolder(dirname(path), 0o777);
      await check({ scene, ref, copy: { ...ref, path } });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function answersUnread({ scene, ref, copy }: Work, state: Unreadable): Promise<void> {
  const { agent, env } = scene;
  const from = await cursorOf(agent, ref);
  state.put(copy.path);
  const asked: readonly ReadOptions[] = [{}, { allBranches: true }, { last: 3 }, { from }];
  for (const options of asked) {
    const batches: ReadBatch[] = [];
    for await (const batch of agent.read(copy, options)) batches.push(batch);
    assert.deepEqual(
      batches.flatMap(({ damage }) => damage.map(({ kind }) => kind)),
      [state.kind],
    );
    assert.deepEqual(
      batches.flatMap(({ events }) => events),
      [],
    );
    // What was read before it happened is not forgotten, and reading goes on there.
    assert.ok(!batches.some(({ restart }) => restart));
    assert.equal(batches.at(-1)?.cursor, options.from ?? "");
  }
  const head = agent.head(copy, env);
  const opening = agent.opening?.(copy, env);
  if (state.kind === "missing_file") {
    assert.equal(head, undefined);
    assert.equal(opening, undefined);
    return;
  }
  assert.equal(head?.agent, agent.name);
  assert.equal(head.path, copy.path);
  assert.ok(head.problem);
  if (agent.opening !== undefined) assert.equal(opening?.session, head.session);
}

async function survives({ scene, ref, copy }: Work, harm: Harm): Promise<void> {
  const { agent, env } = scene;
  copyBeside(ref.path, copy.path);
  const original = await eventsOf(agent, copy, { allBranches: true });
  harm.put(copy.path, readFileSync(ref.path));
  const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(copy.path);
  const harmed = { ...copy, ...(ref.sizeBytes > 0 && { sizeBytes }), modifiedMs };
  // Also as it was when it was found: it may come to harm after that.
  for (const found of [harmed, copy]) {
    assert.equal(agent.head(found, env)?.agent ?? agent.name, agent.name);
    agent.opening?.(found, env);
    for (const options of [{}, { last: 3 }]) await eventsOf(agent, found, options);
    let events = 0;
    let told = 0;
    for await (const batch of agent.read(found, { allBranches: true })) {
      if (batch.restart) events = 0;
      events += batch.events.length;
      told += batch.damage.length + Object.keys(batch.unknown ?? {}).length;
    }
    if (events < original.length && readFileSync(copy.path).length > 0) assert.ok(told > 0);
  }
}

async function cursorOf(agent: Agent, ref: SessionRef): Promise<string> {
  let cursor = "";
  for await (const batch of agent.read(ref)) cursor = batch.cursor;
  return cursor;
}

/** Copies a file with those that belong to it, such as a database's log. */
function copyBeside(from: string, to: string): void {
  for (const name of readdirSync(dirname(from))) {
    if (!name.startsWith(basename(from)) || !statSync(join(dirname(from), name)).isFile()) continue;
    copyFileSync(join(dirname(from), name), join(dirname(to), name));
  }
}

function overwritten(original: Buffer, bytes: Buffer): Buffer {
  const harmed = Buffer.from(original);
  bytes.copy(harmed, Math.floor(harmed.length / 2));
  return harmed;
}

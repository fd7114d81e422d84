import type { Environment } from "../base/env.ts";
import { folderExists } from "../base/folders.ts";
import type { SessionHead } from "../model/head.ts";
import { type Opening, openingOf } from "../model/opening.ts";
import type { Agent, SessionRef } from "./contract.ts";
import { type KeptFile, mayBeKept, readKept, writeKept } from "./kept-file.ts";

/*
 * Heads of other agents' sessions, kept in one file of derived data: a list over 400 real sessions takes half the time
 * (`npm run bench -- --only start --sessions <home>`). A head is used while its session's file has the size and the
 * time it had, program and reader are the same, and what else the agent makes heads of is the same (`headStamp`).
 * Whether a folder is there is asked each time, and what could not be read, or is sealed, is never kept.
 */

interface Kept {
  readonly agent: string;
  readonly path: string;
  readonly part: string;
  readonly size: number;
  readonly time: number;
  readonly stamp: string;
  /** Null where the file is not a session. */
  opening?: Opening | null;
  head?: SessionHead | null;
}

interface HeadsFile extends KeptFile {
  readonly entries: readonly Kept[];
}

const format = 1;

/** What agents tell of their sessions, from what was kept or read anew. */
export interface KeptHeads {
  head(agent: Agent, ref: SessionRef): SessionHead | undefined;
  opening(agent: Agent, ref: SessionRef): Opening | undefined;
  /**
   * Writes down what was read anew; a file that cannot be written costs time, not an answer. Of the agents that were asked
   * for all their sessions, those that are gone are forgotten.
   */
  save(asked: readonly Agent[]): void;
}

/** Heads that are kept in a file; `program` names what reads them, for another one may tell other titles. */
export function keptHeads(path: string, env: Environment, program: string): KeptHeads {
  const version = `${format} ${program}`;
  const known = entriesIn(path, version);
  const used = new Map<string, Kept>();
  let isNew = false;

  const entryFor = (agent: Agent, ref: SessionRef): Kept | undefined => {
    const beside = agent.headStamp?.(ref, env);
    if (beside === undefined) return undefined;
    const key = keyOf(agent.name, ref.path, ref.part);
    const stamp = `${agent.revision} ${beside}`;
    let entry = used.get(key) ?? known.get(key);
    const { sizeBytes: size, modifiedMs: time } = ref;
    if (
      entry === undefined ||
      entry.size !== size ||
      entry.time !== time ||
      entry.stamp !== stamp
    ) {
      entry = { agent: agent.name, path: ref.path, part: ref.part ?? "", size, time, stamp };
    }
    used.set(key, entry);
    return entry;
  };

  const head = (agent: Agent, ref: SessionRef): SessionHead | undefined => {
    const entry = entryFor(agent, ref);
    if (entry?.head !== undefined) return entry.head === null ? undefined : asOfNow(entry.head);
    const read = agent.head(ref, env);
    if (entry !== undefined && (read === undefined || mayBeKept(read))) {
      entry.head = read ?? null;
      isNew = true;
    }
    return read;
  };

  const opening = (agent: Agent, ref: SessionRef): Opening | undefined => {
    if (agent.opening === undefined) return openingOf(head(agent, ref));
    const entry = entryFor(agent, ref);
    if (entry?.opening !== undefined) return entry.opening ?? undefined;
    const read = agent.opening(ref, env);
    // Of a sealed session nothing is written down, and only its head says that it is one.
    if (entry !== undefined && agent.seals !== true) {
      entry.opening = read ?? null;
      isNew = true;
    }
    return read;
  };

  return {
    head,
    opening,
    save: (asked) => {
      if (!isNew) return;
      const entries = [...leftAlone(known, asked), ...used.values()];
      writeKept<HeadsFile>(path, { version, entries });
    },
  };
}

/** What is known of the sessions of agents that were not asked. */
function leftAlone(known: ReadonlyMap<string, Kept>, agents: readonly Agent[]): readonly Kept[] {
  const asked = new Set(agents.map(({ name }) => name));
  return [...known.values()].filter(({ agent }) => !asked.has(agent));
}

function asOfNow(head: SessionHead): SessionHead {
  const { cwd, cwdExists } = head;
  if (cwd === undefined || cwdExists === undefined) return head;
  const exists = folderExists(cwd);
  return exists === cwdExists ? head : { ...head, cwdExists: exists };
}

function keyOf(agent: string, path: string, part = ""): string {
  return `${agent}\n${path}\n${part}`;
}

function entriesIn(path: string, version: string): ReadonlyMap<string, Kept> {
  const entries = readKept<HeadsFile>(path, version)?.entries ?? [];
  return new Map(entries.map((entry) => [keyOf(entry.agent, entry.path, entry.part), entry]));
}

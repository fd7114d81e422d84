import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Agent } from "../../agents/contract.ts";
import { type KeptFile, mayBeKept, readKept, writeKept } from "../../agents/kept-file.ts";
import { disk } from "../../base/disk.ts";
import { fileStat, namesIn } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import type { SessionAct } from "./session-acts.ts";
import { type FoldedAct, foldedActs, unfoldedActs } from "./text-fold.ts";
import { bytesOf, type Candidate } from "./touching.ts";

/*
 * What sessions did to files, kept in a file of derived data for each session that was read. It is used while every
 * file that holds what the session says has the size and time it had, and folder, program and readers are the same.
 * What is sealed, could not be read, or lies where bytes cannot be compared is never kept.
 */

/** What is known of a session: what it did to files, and how many places of it could not be read. */
interface Known {
  readonly acts: readonly SessionAct[];
  readonly damaged: number;
}

/** Hears what a session did, and writes it down at its end. */
interface Learning {
  add(act: SessionAct): void;
  end(damaged: number): void;
}

/** What was learned of sessions. */
export interface KeptActs {
  of(session: Candidate): Known | undefined;
  /** Learns a session that is read now; undefined where nothing of it may be kept. */
  learn(session: Candidate): Learning | undefined;
  /** Forgets what is kept of any other session, where something was learned. */
  forgetOthers(sessions: Iterable<Candidate>): void;
}

interface ActsFile extends KeptFile {
  readonly stamp: string;
  readonly damaged: number;
  readonly acts: readonly FoldedAct[];
}

const format = 2;

/** Acts that are kept in a folder; `program` names what reads them, for another one may find others. */
export function keptActs(
  folder: string,
  options: { readonly program: string; readonly agents: readonly Agent[] },
): KeptActs {
  // Every agent's words tell what a call does.
  const readers = options.agents.map(({ name, revision }) => `${name} ${revision}`);
  const version = [format, options.program, ...readers].join(", ");
  let isNew = false;
  return {
    of: (session) => {
      const stamp = stampOf(session);
      if (stamp === undefined) return undefined;
      const file = readKept<ActsFile>(join(folder, nameOf(session)), version);
      return file?.stamp === stamp
        ? { acts: unfoldedActs(file.acts), damaged: file.damaged }
        : undefined;
    },
    learn: (session) => {
      // Taken before it is read: what is written meanwhile is seen the next time.
      const stamp = stampOf(session);
      if (stamp === undefined) return undefined;
      const acts: SessionAct[] = [];
      let chars = 0;
      return {
        add: (act) => {
          chars += charsOf(act);
          if (chars <= limits.keptActsChars) acts.push(act);
        },
        end: (damaged) => {
          if (chars > limits.keptActsChars) return;
          isNew = true;
          const file = { version, stamp, damaged, acts: foldedActs(acts) };
          writeKept<ActsFile>(join(folder, nameOf(session)), file);
        },
      };
    },
    forgetOthers: (sessions) => {
      if (!isNew) return;
      const names = new Set([...sessions].map(nameOf));
      const others = namesIn(folder).filter((name) => !names.has(name));
      for (const name of others) disk.remove(join(folder, name));
    },
  };
}

/** Sizes and times of all that a session is read from; undefined if it is not to be kept. */
function stampOf(session: Candidate): string | undefined {
  if (!mayBeKept(session.head)) return undefined;
  const stats = bytesOf(session)?.map((path) => ({ path, ...fileStat(path) }));
  return stats && JSON.stringify([session.head.cwd, stats]);
}

function nameOf({ agent, ref }: Candidate): string {
  const key = JSON.stringify([agent.name, ref.path, ref.part]);
  return `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.json`;
}

function charsOf({ changes, textBefore = "", textAfter = "" }: SessionAct): number {
  return JSON.stringify(changes).length + textBefore.length + textAfter.length;
}

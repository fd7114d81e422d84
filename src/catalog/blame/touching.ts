import { closeSync, readSync } from "node:fs";
import { basename } from "node:path";
import type { Agent, SessionRef } from "../../agents/contract.ts";
import { limits } from "../../base/limits.ts";
import { openForReading } from "../../base/open-file.ts";
import type { SessionHead } from "../../model/head.ts";

/** A session that may be looked into: where it is, who reads it, what its head says. */
export interface Candidate {
  readonly agent: Agent;
  readonly ref: SessionRef;
  readonly head: SessionHead;
}

/**
 * The sessions that may have touched a file of one of these names. Those whose bytes do not hold the name
 * are passed over without being parsed; what is kept compressed or in a database is left to its reader.
 */
export function* sessionsTouching<Session extends Candidate>(
  names: Iterable<string>,
  sessions: Iterable<Session>,
): Generator<Session> {
  const needles = [...names].map(needleOf);
  // Several sessions may lie in one file, and share files beside them.
  const holds = remembered((path) => holdsAny(path, needles));
  const isEmpty = needles.some((needle) => needle.length === 0);
  for (const session of sessions) {
    const files = isEmpty ? undefined : bytesOf(session);
    if (files === undefined || files.some((file) => holds(file) && owns(session, file)))
      yield session;
  }
}

/** The files whose bytes hold what a session says; undefined where they do not, or cannot be compared. */
export function bytesOf({ agent, ref, head }: Candidate): readonly string[] | undefined {
  const isElsewhere = head.relation?.kind === "fork" || head.sealed === true;
  return isElsewhere ? undefined : agent.text?.of(ref);
}

/** Whether a file is this session's; asked last, because its first record may have to be read. */
function owns({ agent, ref }: Candidate, file: string): boolean {
  return agent.text?.owns?.(ref, file) ?? true;
}

function remembered(ask: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const found = known.get(path) ?? ask(path);
    known.set(path, found);
    return found;
  };
}

/** The longest part of a file's name that stands in any text as it is, whatever is escaped there. */
function needleOf(name: string): Buffer {
  const parts = basename(name).split(/[^A-Za-z0-9._-]+/);
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), "");
  return Buffer.from(longest);
}

function holdsAny(path: string, needles: readonly Buffer[]): boolean {
  let fd: number | undefined;
  try {
    fd = openForReading(path);
    return scan(fd, needles);
  } catch {
    // What cannot be read is reported by the reader, not skipped here.
    return true;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const buffer = Buffer.allocUnsafeSlow(limits.chunkBytes);

function scan(fd: number, needles: readonly Buffer[]): boolean {
  const overlap = Math.max(...needles.map((needle) => needle.length)) - 1;
  let kept = 0;
  for (let offset = 0; ; ) {
    const taken = readSync(fd, buffer, kept, buffer.length - kept, offset);
    if (taken === 0) return false;
    offset += taken;
    const filled = buffer.subarray(0, kept + taken);
    if (needles.some((needle) => filled.includes(needle))) return true;
    kept = Math.min(overlap, filled.length);
    buffer.copy(buffer, 0, filled.length - kept, filled.length);
  }
}

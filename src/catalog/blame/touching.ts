import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { subagentsBeside } from "../../agents/claude-code/read/subagents.ts";
import { agentName as claudeCode } from "../../agents/claude-code/record-types.ts";
import { isSubagentFile } from "../../agents/claude-code/side-files.ts";
import type { Agent, SessionRef } from "../../agents/contract.ts";
import { namesIn } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
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
  // Several sessions may lie in one file.
  const holds = remembered((path) => holdsAny(path, needles));
  const holdsBeside = remembered((folder) => childFilesIn(folder).some(holds));
  const isEmpty = needles.some((needle) => needle.length === 0);
  for (const session of sessions) {
    const { path } = session.ref;
    if (isEmpty || isOpaque(session) || holds(path) || filesBelow(path).some(holds)) yield session;
    else if (isClaudeCode(session) && holdsBeside(dirname(path))) {
      // Whose subagents lie beside a session is told by their first records, which are read only here.
      const children = subagentsBeside(path, session.ref.session);
      if (children.some((child) => holds(child.path))) yield session;
    }
  }
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

/** Whether the text is not in the file that was located, or not as bytes that can be compared. */
function isOpaque({ agent, ref, head }: Candidate): boolean {
  const isElsewhere = head.relation?.kind === "fork" || head.sealed === true;
  return agent.capabilities.needsSqlite || ref.path.endsWith(".zst") || isElsewhere;
}

/** The files in the folder beside a session that has its name: subagents' transcripts. */
function filesBelow(path: string): readonly string[] {
  const beside = path.replace(/\.[^./\\]+$/, "");
  if (beside === path || statSync(beside, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return [];
  }
  const names = readdirSync(beside, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(beside, name));
}

function isClaudeCode({ agent }: Candidate): boolean {
  return agent.name === claudeCode;
}

/** Subagents' transcripts in a folder of sessions, as Claude Code 2.0 wrote them. */
function childFilesIn(folder: string): readonly string[] {
  return namesIn(folder)
    .filter(isSubagentFile)
    .map((name) => join(folder, name));
}

function holdsAny(path: string, needles: readonly Buffer[]): boolean {
  let fd: number | undefined;
  try {
    fd = openSync(path, "r");
    return scan(fd, needles);
  } catch {
    // What cannot be read is told by the reader, not skipped here.
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

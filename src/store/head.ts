import { closeSync, fstatSync, type Stats } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileStat } from "../base/folders.ts";
import { sessionIdProblem } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { openAtOnce, readOpen } from "../base/open-file.ts";
import { readFully } from "../base/read-fully.ts";
import { whyRefused } from "../base/system-error.ts";
import { newline } from "../jsonl/line.ts";
import { linesBackward } from "../jsonl/read-backward.ts";
import { formatVersion, isForkBase } from "../log/header.ts";
import { decodeLine, metaAtOf, prefixOf } from "../log/line.ts";
import { isSealedLine } from "../log/sealed-line.ts";
import { readMeta, type SessionMeta } from "../log/session-meta.ts";
import { plainText } from "../model/block.ts";
import type { EventFrame, SessionStart } from "../model/event.ts";
import { quietTypes } from "../model/event-groups.ts";
import { soundEvent, wrongField } from "../model/event-shape.ts";
import type { Relation, SessionHead, SessionState } from "../model/head.ts";
import { isPrompt } from "../model/prompt.ts";
import { titleOfPrompt } from "../model/title.ts";
import { ownAgent } from "./own-agent.ts";

/** What the file system says of a session file. */
export interface FileFacts {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** Forks of forks whose bases are looked at for a name. */
const basesSearched = 4;
const titleSearchBytes = 64 * 1024;
/** Most first and last lines are shorter, and every byte of a thousand files has to be fetched from afar. */
const headBytes = 2 * 1024;
const tailBytes = 3 * 1024;

/**
 * What a list shows of a session, from the first and last bytes of its file (P5). A file that cannot be
 * read as a session is reported as such, so that it does not vanish from the list.
 */
export function readHead(facts: FileFacts): SessionHead {
  return readHeadAndFacts(facts.path, facts).head;
}

/** The same with what the file system says. */
export function readHeadAndFacts(
  path: string,
  known?: FileFacts,
): { readonly head: SessionHead; readonly facts: FileFacts } {
  let facts = known;
  let fd: number | undefined;
  try {
    fd = openAtOnce(path);
    facts ??= factsOf(path, fstatSync(fd));
    return { head: headOf(fd, facts), facts };
  } catch (error) {
    facts ??= { path, sizeBytes: 0, modifiedMs: 0, ...fileStat(path) };
    const problem = `The file cannot be read: ${whyRefused(error)}.`;
    return { head: { ...bareHead(facts), problem }, facts };
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** The first event of an open session; undefined where its first line is none. */
export function readSessionStart(fd: number, sizeBytes: number): FirstEvent | undefined {
  return startOf(readStart(fd, sizeBytes));
}

type FirstEvent = SessionStart & EventFrame;

/** What a stat says; a file that is gone by now is empty. */
function factsOf(path: string, stat: Stats | undefined): FileFacts {
  return { path, sizeBytes: stat?.size ?? 0, modifiedMs: stat?.mtimeMs ?? 0 };
}

/** Fields are set one by one: a list makes a thousand of these, and copying costs more than reading. */
export type HeadDraft = { -readonly [Field in keyof SessionHead]: SessionHead[Field] };

function bareHead({ path, sizeBytes, modifiedMs }: FileFacts, lastAt?: string): HeadDraft {
  return {
    agent: ownAgent,
    session: path.slice(path.lastIndexOf(sep) + 1, -".jsonl".length),
    path,
    sizeBytes,
    updatedAt: lastAt ?? new Date(modifiedMs).toISOString(),
    state: "unknown",
  };
}

function headOf(fd: number, facts: FileFacts): SessionHead {
  const first = readStart(fd, facts.sizeBytes);
  const wrong: string[] = [];
  const onWrong = (why: string) => wrong.push(why);
  const start = startOf(first, onWrong);
  if (start === undefined)
    return { ...bareHead(facts), problem: wrong[0] ?? "the first line is no session_start" };
  if (start.format > formatVersion)
    return { ...bareHead(facts), problem: `format ${start.format} is newer` };
  const last = readEnd(fd, facts.sizeBytes);
  const head = bareHead(facts, last?.at);
  head.createdAt = start.at;
  if (last !== undefined) {
    head.events = last.id;
    head.state = last.state;
  }
  addOrigin(head, start);
  if (start.seal !== undefined) return { ...head, sealed: true, title: "(sealed)" };
  if (last?.sealed) return { ...head, problem: "its lines are sealed, its first line is not" };
  const meta = readMeta(fd, start, { metaAt: last?.metaAt, open: (event) => event, onWrong });
  const title =
    meta.title ?? firstPrompt(fd, first, head.sizeBytes) ?? promptOfBase(start, facts.path);
  if (title !== undefined) {
    head.title = title;
    head.titled = meta.title !== undefined && meta.title !== null;
  }
  addFacts(head, start, meta);
  if (wrong.length > 0) head.problem = wrong.join(", ");
  return head;
}

/** Puts into a head who made the session, and from which other one. */
export function addOrigin(head: HeadDraft, start: FirstEvent): void {
  const relation = relationOf(start);
  if (relation !== undefined) head.relation = relation;
  if (start.createdBy !== undefined) head.author = start.createdBy;
  if (start.aside === true) head.aside = true;
}

/** Puts into a head what its first event and its meta events state, but for the title. */
export function addFacts(head: HeadDraft, start: FirstEvent, meta: SessionMeta): void {
  if (meta.tags !== undefined) head.tags = meta.tags;
  if (meta.pinned !== undefined) head.pinned = meta.pinned;
  if (meta.metadata !== undefined) head.metadata = meta.metadata;
  if (start.key !== undefined) head.key = start.key;
  if (start.project !== undefined) head.project = start.project;
  if (start.cwd !== undefined) head.cwd = start.cwd;
  if (start.git !== undefined) head.git = start.git;
  if (start.model !== undefined) head.model = start.model;
  if (start.agent?.version !== undefined) head.version = start.agent.version;
}

function startOf(
  { held, lineEnd }: FirstLines,
  onWrong: (why: string) => void = () => undefined,
): FirstEvent | undefined {
  const event = lineEnd < 0 ? undefined : decodeLine(held.subarray(0, lineEnd));
  if (event?.type !== "session_start") return undefined;
  if (event.base !== undefined && !isForkBase(event.base)) {
    onWrong("the first line does not say where the session was forked from");
    return undefined;
  }
  return soundEvent(event, onWrong);
}

/** The first bytes of the file, and where its first line ends in them; negative where it does not. */
interface FirstLines {
  readonly held: Buffer;
  readonly lineEnd: number;
}

/** Reads the first lines: a few KB, more only where the first line alone is longer. */
function readStart(fd: number, sizeBytes: number): FirstLines {
  let bytes = Math.min(headBytes, sizeBytes);
  for (;;) {
    const held = readFully(fd, { from: 0, length: bytes });
    const lineEnd = held.indexOf(newline);
    const isAll = held.length < bytes || bytes >= Math.min(limits.headBytesMax, sizeBytes);
    if (lineEnd >= 0 || isAll) return { held, lineEnd };
    bytes = Math.min(bytes * 8, limits.headBytesMax, sizeBytes);
  }
}

interface LastLine {
  readonly id: number;
  readonly at: string;
  readonly state: SessionState;
  readonly metaAt: number | undefined;
  readonly sealed: boolean;
}

/** The last whole line, and how the session was left: by the last line that is more than a remark. */
function readEnd(fd: number, sizeBytes: number): LastLine | undefined {
  let last: LastLine | undefined;
  for (const line of linesBackward(fd, { end: sizeBytes, firstChunkBytes: tailBytes })) {
    const found = line.complete ? prefixOf(line.bytes) : undefined;
    if (found === undefined) continue;
    const { id, at, type } = found;
    last ??= {
      id,
      at,
      metaAt: metaAtOf(line.bytes),
      state: "unknown",
      sealed: isSealedLine(line.bytes),
    };
    // Somebody was speaking, and nobody wrote the whole of it.
    if (type === "part") return { ...last, state: "interrupted" };
    if (!quietTypes.has(type)) return { ...last, state: stateAfter(type) };
  }
  return last;
}

/** How a session is left by the last event that is more than a remark. */
export function stateAfter(type: string): SessionState {
  if (type === "session_end") return "ended";
  if (
    type === "assistant" ||
    type === "session_start" ||
    type === "compaction" ||
    type === "rewind"
  )
    return "waiting";
  return "interrupted";
}

function firstPrompt(
  fd: number,
  first: FirstLines,
  sizeBytes: number,
  lastId = Number.POSITIVE_INFINITY,
): string | undefined {
  const near = promptIn(first, lastId);
  const { length } = first.held;
  if (near !== undefined || length >= sizeBytes || length >= titleSearchBytes) return near;
  const held = readFully(fd, { from: 0, length: titleSearchBytes });
  return promptIn({ ...first, held }, lastId);
}

/** What a person said first in the session that a fork stands on, which lies beside it. */
function promptOfBase({ base }: SessionStart, path: string, depth = 1): string | undefined {
  if (base === undefined || depth > basesSearched) return undefined;
  if (sessionIdProblem(base.session) !== undefined) return undefined;
  const file = join(dirname(path), `${base.session}.jsonl`);
  return readOpen(
    file,
    (fd) => {
      const { size } = fstatSync(fd);
      const first = readStart(fd, size);
      const start = startOf(first);
      if (start === undefined || start.seal !== undefined) return undefined;
      return firstPrompt(fd, first, size, base.event) ?? promptOfBase(start, file, depth + 1);
    },
    undefined,
  );
}

/** What a person said first, in the whole lines behind the first. */
function promptIn({ held, lineEnd }: FirstLines, lastId: number): string | undefined {
  for (let start = lineEnd + 1, end: number; start > 0; start = end + 1) {
    end = held.indexOf(newline, start);
    if (end < 0) return undefined;
    const line = held.subarray(start, end);
    if ((prefixOf(line)?.id ?? 0) > lastId) return undefined;
    const title = promptOf(line);
    if (title !== "") return title;
  }
  return undefined;
}

/** The title of a line, if it is a prompt, else nothing. */
function promptOf(line: Buffer): string {
  if (prefixOf(line)?.type !== "user") return "";
  const event = decodeLine(line);
  if (event === undefined || !isPrompt(event)) return "";
  // Also where its text lies in a blob.
  if (wrongField(event) !== undefined) return "";
  return titleOfPrompt(plainText(event.content));
}

function relationOf(start: FirstEvent): Relation | undefined {
  const { base, continues } = start;
  if (base !== undefined) {
    return { kind: "fork", session: base.session, event: String(base.event) };
  }
  if (continues !== undefined) {
    return { kind: "continues", session: continues.session, event: String(continues.event) };
  }
  return undefined;
}

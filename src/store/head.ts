import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { sep } from "node:path";
import { limits } from "../base/limits.ts";
import { newline } from "../jsonl/line.ts";
import { linesBackward } from "../jsonl/read-backward.ts";
import { formatVersion } from "../log/header.ts";
import { decodeLine, metaAtOf } from "../log/line.ts";
import { mergeMeta, metaOfEvent, metaOfStart, type SessionMeta } from "../log/session-meta.ts";
import { plainText } from "../model/block.ts";
import { quietTypes, type SessionEvent, type SessionStart } from "../model/event.ts";
import type { Relation, SessionHead, SessionState } from "../model/head.ts";
import { withoutInjected } from "../model/injected.ts";
import { oneLine } from "../model/text.ts";

/** What the file system says of a session file. */
export interface FileFacts {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

const headBuffer = Buffer.allocUnsafe(limits.headBytesMax);
const tailBuffer = Buffer.allocUnsafe(limits.tailBytes);
const titleSearchBytes = 64 * 1024;

/**
 * What a list shows of a session, from the first and last bytes of its file (P5). A file that cannot be
 * read as a session is told as such, so that it does not vanish from the list.
 */
export function readHead(facts: FileFacts): SessionHead {
  return readHeadAndFacts(facts.path, facts).head;
}

/** The same with what the file system says, which an open file tells for less than its path does. */
export function readHeadAndFacts(
  path: string,
  known?: FileFacts,
): { readonly head: SessionHead; readonly facts: FileFacts } {
  let facts = known;
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY);
    facts ??= factsFrom(path, fstatSync(fd));
    return { head: headOf(fd, facts), facts };
  } catch {
    facts ??= factsFrom(path, statSync(path, { throwIfNoEntry: false }));
    const problem = fd === undefined ? "cannot be opened" : "cannot be read";
    return { head: { ...bareHead(facts), problem }, facts };
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** What a stat says; a file that is gone by now is empty. */
export function factsFrom(path: string, stat: Stats | undefined): FileFacts {
  return { path, sizeBytes: stat?.size ?? 0, modifiedMs: stat?.mtimeMs ?? 0 };
}

/** Fields are set one by one: a list makes a thousand of these, and copying costs more than reading. */
type HeadDraft = { -readonly [Field in keyof SessionHead]: SessionHead[Field] };

function bareHead({ path, sizeBytes, modifiedMs }: FileFacts, lastAt?: string): HeadDraft {
  return {
    agent: "reprise",
    session: path.slice(path.lastIndexOf(sep) + 1, -".jsonl".length),
    path,
    sizeBytes,
    updatedAt: lastAt ?? new Date(modifiedMs).toISOString(),
    state: "unknown",
  };
}

function headOf(fd: number, facts: FileFacts): SessionHead {
  const first = readStart(fd, facts.sizeBytes);
  const start = first.lines[0] === undefined ? undefined : decodeLine(first.lines[0]);
  if (start?.type !== "session_start")
    return { ...bareHead(facts), problem: "the first line is no session_start" };
  if (start.format > formatVersion)
    return { ...bareHead(facts), problem: `format ${start.format} is newer` };
  const last = readEnd(fd, facts.sizeBytes);
  const head = bareHead(facts, last?.at);
  head.createdAt = start.at;
  if (last !== undefined) {
    head.events = last.id;
    head.state = last.state;
  }
  const relation = relationOf(start);
  if (relation !== undefined) head.relation = relation;
  if (start.createdBy !== undefined) head.author = start.createdBy;
  if (start.seal !== undefined) return { ...head, sealed: true, title: "(sealed)" };
  const meta = metaOf(fd, start, last?.metaAt);
  const title = meta.title ?? firstPrompt(fd, first, head.sizeBytes);
  if (title !== undefined) {
    head.title = title;
    head.titled = meta.title !== undefined && meta.title !== null;
  }
  if (meta.tags !== undefined) head.tags = meta.tags;
  if (meta.pinned !== undefined) head.pinned = meta.pinned;
  if (start.project !== undefined) head.project = start.project;
  if (start.cwd !== undefined) head.cwd = start.cwd;
  if (start.git !== undefined) head.git = start.git;
  if (start.model !== undefined) head.model = start.model;
  if (start.agent?.version !== undefined) head.version = start.agent.version;
  return head;
}

interface FirstLines {
  readonly lines: readonly Buffer[];
  readonly bytes: number;
}

/** The first whole lines: a few KB, more only where the first line alone is longer. */
function readStart(fd: number, sizeBytes: number): FirstLines {
  let bytes = Math.min(limits.headBytes, sizeBytes);
  for (;;) {
    const taken = readSync(fd, headBuffer, 0, bytes, 0);
    const lines = wholeLines(headBuffer.subarray(0, taken));
    const enough =
      lines.length > 0 || taken < bytes || bytes >= Math.min(headBuffer.length, sizeBytes);
    if (enough) return { lines, bytes: taken };
    bytes = Math.min(bytes * 8, headBuffer.length, sizeBytes);
  }
}

function wholeLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; ; ) {
    const end = bytes.indexOf(newline, start);
    if (end < 0) return lines;
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
}

interface LastLine {
  readonly id: number;
  readonly at: string;
  readonly state: SessionState;
  readonly metaAt: number | undefined;
}

const lineShape = /^\{"id":(\d+)(?:,"parent":\d+)?,"at":"([^"]*)","type":"([^"]*)"/;

/** The last whole line, and how the session was left: by the last line that is more than a remark. */
function readEnd(fd: number, sizeBytes: number): LastLine | undefined {
  const from = Math.max(0, sizeBytes - tailBuffer.length);
  const taken = readSync(fd, tailBuffer, 0, tailBuffer.length, from);
  const tail = tailBuffer.subarray(0, taken);
  let last: Omit<LastLine, "state"> | undefined;
  let end = tail.lastIndexOf(newline);
  while (end > 0) {
    const start = tail.lastIndexOf(newline, end - 1) + 1;
    if (start === 0 && from > 0) break;
    const line = tail.subarray(start, end);
    const shape = lineShape.exec(line.toString("latin1", 0, 160));
    if (shape !== null) {
      last ??= { id: Number(shape[1]), at: shape[2]!, metaAt: metaAtOf(line) };
      if (!quietTypes.has(shape[3]!)) return { ...last, state: stateAfter(shape[3]!) };
    }
    end = start - 1;
  }
  return lastByWalking(fd, sizeBytes);
}

/** The same where the last line is longer than the tail. */
function lastByWalking(fd: number, sizeBytes: number): LastLine | undefined {
  let last: Omit<LastLine, "state"> | undefined;
  for (const line of linesBackward(fd, { end: sizeBytes })) {
    const shape = line.complete ? lineShape.exec(line.bytes.toString("latin1", 0, 160)) : null;
    if (shape === null) continue;
    last ??= { id: Number(shape[1]), at: shape[2]!, metaAt: metaAtOf(line.bytes) };
    if (!quietTypes.has(shape[3]!)) return { ...last, state: stateAfter(shape[3]!) };
  }
  return last === undefined ? undefined : { ...last, state: "unknown" };
}

function stateAfter(type: string): SessionState {
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

function metaOf(fd: number, start: SessionStart, metaAt: number | undefined): SessionMeta {
  const fromStart = metaOfStart(start);
  if (metaAt === undefined) return fromStart;
  const bytes = Buffer.allocUnsafe(16 * 1024);
  const taken = readSync(fd, bytes, 0, bytes.length, metaAt);
  const end = bytes.subarray(0, taken).indexOf(newline);
  const event = end < 0 ? undefined : decodeLine(bytes.subarray(0, end));
  return event?.type === "meta" ? mergeMeta(fromStart, metaOfEvent(event)) : fromStart;
}

function firstPrompt(fd: number, first: FirstLines, sizeBytes: number): string | undefined {
  const near = promptIn(first.lines);
  if (near !== undefined || first.bytes >= sizeBytes || first.bytes >= titleSearchBytes)
    return near;
  const taken = readSync(fd, headBuffer, 0, titleSearchBytes, 0);
  return promptIn(wholeLines(headBuffer.subarray(0, taken)));
}

function promptIn(lines: readonly Buffer[]): string | undefined {
  for (const line of lines.slice(1)) {
    if (lineShape.exec(line.toString("latin1", 0, 160))?.[3] !== "user") continue;
    const event: SessionEvent | undefined = decodeLine(line);
    if (event?.type !== "user" || event.injected) continue;
    const text = oneLine(
      typeof event.content === "object" && "blob" in event.content
        ? ""
        : withoutInjected(plainText(event.content)),
      limits.titleChars,
    );
    if (text !== "") return text;
  }
  return undefined;
}

function relationOf(start: SessionStart): Relation | undefined {
  const { base, continues } = start;
  if (base !== undefined) {
    return { kind: "fork", session: base.session, event: String(base.event) };
  }
  if (continues !== undefined) {
    return { kind: "continues", session: continues.session, event: String(continues.event) };
  }
  return undefined;
}

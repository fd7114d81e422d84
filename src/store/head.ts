import { closeSync, readSync } from "node:fs";
import { sep } from "node:path";
import { fileStat } from "../base/folders.ts";
import { limits } from "../base/limits.ts";
import { openAtOnce } from "../base/open-file.ts";
import { type QuickStat, quickOpenStat } from "../base/quick-stat.ts";
import { roomOnDemand } from "../base/read-room.ts";
import { whyRefused } from "../base/system-error.ts";
import { newline } from "../jsonl/line.ts";
import { linesBackward } from "../jsonl/read-backward.ts";
import { formatVersion } from "../log/header.ts";
import { decodeLine, metaAtOf } from "../log/line.ts";
import { mergeMeta, metaOfEvent, metaOfStart, type SessionMeta } from "../log/session-meta.ts";
import { plainText } from "../model/block.ts";
import { quietTypes, type SessionEvent } from "../model/event.ts";
import type { Relation, SessionHead, SessionState } from "../model/head.ts";
import { holdsInjected, withoutInjected } from "../model/injected.ts";
import { oneLine } from "../model/text.ts";
import { type FirstEvent, firstEvent } from "./first-line.ts";
import { titleAt } from "./title-at.ts";

/** What the file system says of a session file. */
export interface FileFacts {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

const titleSearchBytes = 64 * 1024;
/** Most first and last lines are shorter, and every byte of a thousand files has to be fetched from afar. */
const headBytes = 2 * 1024;
const tailBytes = 3 * 1024;

/** Where the parts of a file are read into; made with the first head, for whoever loads this may never read one. */
const headRoom = roomOnDemand(limits.headBytesMax);
const tailRoom = roomOnDemand(tailBytes);
const metaRoom = roomOnDemand(64 * 1024);

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
    fd = openAtOnce(path);
    facts ??= factsOf(path, quickOpenStat(fd));
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

/** What a stat says; a file that is gone by now is empty. */
function factsOf(path: string, stat: QuickStat | undefined): FileFacts {
  return { path, sizeBytes: stat?.sizeBytes ?? 0, modifiedMs: stat?.modifiedMs ?? 0 };
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
  const start = startOf(first);
  if (start === undefined)
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
  const meta = last?.metaAt === undefined ? start : metaOf(fd, start, last.metaAt);
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

function startOf({ held, lineEnd }: FirstLines): FirstEvent | undefined {
  return lineEnd < 0 ? undefined : firstEvent(held, lineEnd);
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
    const held = firstBytes(fd, bytes);
    const lineEnd = held.indexOf(newline);
    const isAll = held.length < bytes || bytes >= Math.min(limits.headBytesMax, sizeBytes);
    if (lineEnd >= 0 || isAll) return { held, lineEnd };
    bytes = Math.min(bytes * 8, limits.headBytesMax, sizeBytes);
  }
}

function firstBytes(fd: number, bytes: number): Buffer {
  const room = headRoom();
  return room.subarray(0, readSync(fd, room, 0, bytes, 0));
}

interface LastLine {
  readonly id: number;
  readonly at: string;
  state: SessionState;
  readonly metaAt: number | undefined;
}

const lineShape = /^\{"id":(\d+)(?:,"parent":\d+)?,"at":"([^"]*)","type":"([^"]*)"/;

/** What stands around the type behind the time. */
const typeChars = '","type":""'.length;

/** The last whole line, and how the session was left: by the last line that is more than a remark. */
function readEnd(fd: number, sizeBytes: number): LastLine | undefined {
  const from = Math.max(0, sizeBytes - tailBytes);
  const tail = tailRoom();
  const taken = readSync(fd, tail, 0, tailBytes, from);
  let last: LastLine | undefined;
  let end = taken - 1;
  // Most files end with a whole line: asking for it costs more than looking.
  if (tail[end] !== newline) end = taken === 0 ? -1 : tail.lastIndexOf(newline, end);
  while (end > 0) {
    const start = tail.lastIndexOf(newline, end - 1) + 1;
    if (start === 0 && from > 0) break;
    const shape = lineShape.exec(tail.toString("latin1", start, Math.min(end, start + 160)));
    if (shape !== null) {
      const type = shape[3]!;
      // Of its own, not a piece of the line: a list compares it many times.
      const behind = start + shape[0].length - type.length - typeChars;
      last ??= {
        id: Number(shape[1]),
        at: tail.toString("latin1", behind - shape[2]!.length, behind),
        metaAt: metaAtOf(tail, { start, end }),
        state: "unknown",
      };
      if (!quietTypes.has(type)) {
        last.state = stateAfter(type);
        return last;
      }
    }
    end = start - 1;
  }
  return lastByWalking(fd, sizeBytes);
}

/** The same where the last line is longer than the tail. */
function lastByWalking(fd: number, sizeBytes: number): LastLine | undefined {
  let last: LastLine | undefined;
  for (const line of linesBackward(fd, { end: sizeBytes })) {
    const shape = line.complete ? lineShape.exec(line.bytes.toString("latin1", 0, 160)) : null;
    if (shape === null) continue;
    const metaAt = last === undefined ? metaAtOf(line.bytes) : undefined;
    last ??= { id: Number(shape[1]), at: shape[2]!, metaAt, state: "unknown" };
    if (!quietTypes.has(shape[3]!)) return { ...last, state: stateAfter(shape[3]!) };
  }
  return last;
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

function metaOf(fd: number, start: FirstEvent, metaAt: number): SessionMeta {
  const fromStart = metaOfStart(start);
  const event = lineAt(fd, metaAt);
  return event?.type === "meta" ? mergeMeta(fromStart, metaOfEvent(event)) : fromStart;
}

/** The event of the line that begins at an offset; most such lines are short. */
function lineAt(fd: number, offset: number): SessionEvent | undefined {
  const room = metaRoom();
  for (const bytes of [1024, room.length]) {
    const held = room.subarray(0, readSync(fd, room, 0, bytes, offset));
    const end = held.indexOf(newline);
    if (end >= 0) return decodeLine(held, end);
    if (held.length < bytes) return undefined;
  }
  return undefined;
}

function firstPrompt(fd: number, first: FirstLines, sizeBytes: number): string | undefined {
  const near = promptIn(first);
  const { length } = first.held;
  if (near !== undefined || length >= sizeBytes || length >= titleSearchBytes) return near;
  return promptIn({ held: firstBytes(fd, titleSearchBytes), lineEnd: first.lineEnd });
}

/** What a person said first, in the whole lines behind the first. */
function promptIn({ held, lineEnd }: FirstLines): string | undefined {
  for (let start = lineEnd + 1, end: number; start > 0; start = end + 1) {
    end = held.indexOf(newline, start);
    if (end < 0) return undefined;
    const title = promptInLine(held, { start, end });
    if (title !== "") return title;
  }
  return undefined;
}

/** Enough for the title of most prompts, and of one in any letters. */
const beginnings = [384, 1024];
const promptShape = /\{"id":\d+(?:,"parent":\d+)?,"at":"[^"]*","type":"user"/y;
const contentKey = ',"content":"';
const injectedKey = '"injected":';
/** What may be cut off at the end of a beginning: part of what tells an injected text. */
const cutBytes = 32;

interface Line {
  readonly start: number;
  readonly end: number;
}

/** The title of a line, if it is a prompt, else nothing: by its beginning, where that can tell. */
function promptInLine(held: Buffer, { start, end }: Line): string {
  for (const bytes of beginnings) {
    // In Latin letters everything stands where its bytes do.
    const beginning = held.toString("latin1", start, Math.min(end, start + bytes));
    promptShape.lastIndex = 0;
    if (!promptShape.test(beginning)) return "";
    const at = promptShape.lastIndex;
    if (!beginning.startsWith(contentKey, at) || holdsInjected(beginning)) break;
    const isWhole = end - start <= bytes;
    // What is injected is marked behind its text.
    if ((isWhole ? beginning : held.subarray(start, end)).includes(injectedKey)) break;
    const from = start + at + contentKey.length;
    const to = start + beginning.length - (isWhole ? 0 : cutBytes);
    const title = titleAt(held, { from, to }, limits.titleChars);
    if (title !== undefined) return title;
    if (isWhole) break;
  }
  return promptOf(held.subarray(start, end));
}

function promptOf(line: Buffer): string {
  const event: SessionEvent | undefined = decodeLine(line);
  if (event?.type !== "user" || event.injected) return "";
  if (typeof event.content === "object" && "blob" in event.content) return "";
  return oneLine(withoutInjected(plainText(event.content)), limits.titleChars);
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

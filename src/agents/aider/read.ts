import { fstatSync } from "node:fs";
import { limits } from "../../base/limits.ts";
import { linesBefore } from "../../jsonl/line-number.ts";
import { proofBefore } from "../../jsonl/proof.ts";
import type { Damage } from "../../model/damage.ts";
import type { AgentEvent, ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { readFile } from "../session-file.ts";
import { decodeCursor, encodeCursor, type RunCursor } from "./cursor.ts";
import { authorOfLine, kindOfLine } from "./line-kind.ts";
import { numberIn, type Range, rangeBlocks, turnStart } from "./lines.ts";
import { usageIn } from "./program-line.ts";
import { Restorer } from "./restore.ts";
import { runsOf } from "./runs.ts";
import { startedIn } from "./start-line.ts";

const eventsPerBatch = 64;

/** The events of one run, or of the whole history where the ref names none. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  return readFile(ref, options, (fd) => {
    const range = rangeOf(ref);
    if (range === undefined) return [missing(`run ${ref.part} is not in the file`, options)];
    return readRange(fd, { ...options, session: ref.session, range });
  });
}

function rangeOf(ref: SessionRef): Range | undefined {
  if (ref.part === undefined) return { offset: 0, end: Number.MAX_SAFE_INTEGER };
  const run = runsOf(ref.path).find((one) => `${one.ordinal}` === ref.part);
  return run;
}

function missing(detail: string, options: ReadOptions): ReadBatch {
  const damage = [{ kind: "missing_file", offset: 0, recovered: 0, detail }] as const;
  return { events: [], damage, cursor: options.from ?? "" };
}

type RangeOptions = ReadOptions & { readonly session: string; readonly range: Range };

function* readRange(fd: number, options: RangeOptions): Generator<ReadBatch> {
  const range = { ...options.range, end: Math.min(options.range.end, fstatSync(fd).size) };
  if (options.last !== undefined) {
    yield readLast(fd, { ...options, range });
    return;
  }
  const cursor = options.from === undefined ? undefined : decodeCursor(options.from);
  const known =
    cursor !== undefined &&
    cursor.end >= range.offset &&
    cursor.end <= range.end &&
    proofBefore(fd, cursor.end, range.offset) === cursor.sample;
  const restart = options.from !== undefined && !known;
  if (!known) {
    yield* pass(fd, { ...options, range, restart, skip: 0 });
  } else if (cursor.done !== undefined) {
    const same = cursor.end === range.end;
    yield* pass(fd, { ...options, range, restart: !same, skip: same ? cursor.done : 0 });
  } else {
    const left = openAfter(fd, { range, cursor, allBranches: options.allBranches ?? false });
    const { open: _open, inAnswer: _inAnswer, ...place } = cursor;
    const going = left === undefined ? {} : { cursor: { ...place, ...left } };
    yield* pass(fd, { ...options, range, restart: left === undefined, skip: 0, ...going });
  }
}

/** What is still open after lines that end nothing. */
type Open = Pick<RunCursor, "open" | "inAnswer">;

/**
 * What is left open where everything added begins something new or says nothing; undefined where it goes on
 * with the last message, which then must be told anew.
 */
function openAfter(
  fd: number,
  work: { readonly range: Range; readonly cursor: RunCursor; readonly allBranches: boolean },
): Open | undefined {
  const { range, cursor } = work;
  const { open: begun, inAnswer: within } = cursor;
  if (cursor.end === range.end) {
    return { inAnswer: within, ...(begun === undefined ? {} : { open: begun }) };
  }
  if (cursor.midLine) return undefined;
  let { open } = cursor;
  let inAnswer = cursor.inAnswer && work.allBranches;
  for (const { lines } of rangeBlocks(fd, { offset: cursor.end, end: range.end })) {
    for (const { text } of lines.flat()) {
      const kind = kindOfLine(text);
      const isBlankLine = text.trim() === "";
      const isAnswer = authorOfLine(text) === "answer" && startedIn(text) === undefined;
      if (inAnswer && isAnswer && !isBlankLine) return undefined;
      if (!isAnswer) inAnswer = false;
      // The tokens of an answer belong to it.
      const belongs =
        kind === "program"
          ? open === "assistant" && usageIn(text.slice(2).trimEnd()) !== undefined
          : kind === open && !isBlankLine;
      if (belongs) return undefined;
      // A heading ends no message, and neither do blank lines of an answer.
      if (kind !== "heading" && !(open === "assistant" && isBlankLine)) open = undefined;
      if (open === undefined && !inAnswer) return { inAnswer };
    }
  }
  return { inAnswer, ...(open === undefined ? {} : { open }) };
}

function* pass(
  fd: number,
  options: RangeOptions & {
    readonly restart: boolean;
    readonly skip: number;
    readonly cursor?: RunCursor;
  },
): Generator<ReadBatch> {
  const { range, cursor } = options;
  const from = cursor?.end ?? range.offset;
  const trueText = options.allBranches ?? false;
  const restorer = new Restorer(options.session, { parent: cursor?.parent, trueText });
  let restart = options.restart;
  let events: AgentEvent[] = [];
  let damage: Damage[] = [];
  let told = 0;
  let done = 0;
  let at = { end: from, line: cursor?.line ?? 0, midLine: cursor?.midLine ?? false };
  const sample = proofBefore(fd, range.end, range.offset);
  const take = (text: string): ReadBatch => {
    const batch = { events, damage, cursor: text, ...(restart ? { restart } : {}) };
    events = [];
    damage = [];
    restart = false;
    return batch;
  };
  const gather = (): void => {
    for (const event of restorer.take()) {
      if (!event.live && !options.allBranches) continue;
      done += 1;
      if (done > options.skip) events.push(event);
    }
  };
  const part = { offset: from, end: range.end, firstLine: at.line + 1, runOffset: range.offset };
  for (const block of rangeBlocks(fd, part)) {
    for (const one of block.damage) {
      told += 1;
      if (told <= limits.toldDamages) damage.push(one);
    }
    for (const [index, parts] of block.lines.entries()) {
      const number = (): string => numberIn(block, index);
      for (const line of parts) restorer.line(line, number);
      if (!restorer.hasEvents) continue;
      gather();
      if (events.length < eventsPerBatch) continue;
      yield take(encodeCursor({ ...at, end: range.end, inAnswer: false, sample, done }));
    }
    const line = block.number + block.lines.length - 1;
    at = { end: block.next, line, midLine: !block.complete };
  }
  const open = restorer.openKind ?? cursor?.open;
  const inAnswer = restorer.inAnswer || (cursor?.inAnswer ?? false);
  restorer.end();
  gather();
  if (restorer.splits > 0) {
    const detail = `${restorer.splits} messages are too long and were told in pieces`;
    damage.push({ kind: "too_long", offset: range.offset, recovered: restorer.splits, detail });
  }
  if (told > limits.toldDamages) {
    const detail = `${told - limits.toldDamages} more damaged lines`;
    damage.push({ kind: "bad_utf8", offset: range.offset, recovered: 0, detail });
  }
  yield take(
    encodeCursor({
      ...at,
      sample: proofBefore(fd, at.end, range.offset),
      inAnswer,
      ...(open === undefined ? {} : { open }),
      ...(restorer.parent === undefined ? {} : { parent: restorer.parent }),
    }),
  );
}

/** The last events: the turns at the end are found from there, and only they are read. */
function readLast(fd: number, options: RangeOptions): ReadBatch {
  const { range } = options;
  const count = Math.max(0, Math.floor(options.last ?? 0));
  const countProgram = options.allBranches ?? false;
  const offset = turnStart(fd, { ...range, count, countProgram });
  const firstLine = linesBefore(fd, offset, range.offset) + 1;
  const restorer = new Restorer(options.session, { trueText: countProgram });
  let events: AgentEvent[] = [];
  const damage: Damage[] = [];
  const part = { offset, end: range.end, firstLine, runOffset: range.offset };
  for (const block of rangeBlocks(fd, part)) {
    damage.push(...block.damage.slice(0, limits.toldDamages - damage.length));
    for (const [index, parts] of block.lines.entries()) {
      const number = (): string => numberIn(block, index);
      for (const line of parts) restorer.line(line, number);
    }
    events.push(...restorer.take().filter((event) => event.live || options.allBranches));
    if (events.length > count * 2 + 256) events = events.slice(events.length - count);
  }
  restorer.end();
  events.push(...restorer.take().filter((event) => event.live || options.allBranches));
  const sample = proofBefore(fd, range.end, range.offset);
  const at = { end: range.end, line: 0, midLine: false, inAnswer: false };
  const cursor = encodeCursor({ ...at, sample, done: 0 });
  return { events: count === 0 ? [] : events.slice(-count), damage, cursor };
}

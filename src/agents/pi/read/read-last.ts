import { hashText } from "../../../base/hash.ts";
import { asString, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { isCounted, lineNumber, linesBefore } from "../../../jsonl/line-number.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import { readLine } from "../../../jsonl/records.ts";
import type { Damage } from "../../../model/damage.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { AgentEvent, ReadBatch } from "../../contract.ts";
import { acceptsRecord, badHeader } from "../record-types.ts";
import { bodiesOf, sentCount } from "./bodies.ts";
import { readHeader } from "./build-index.ts";
import { encodeCursor, type Place } from "./cursor.ts";
import { eventsOf } from "./events.ts";
import { type Header, LivePathBackward, type Met, mayHold } from "./live-path-backward.ts";
import { readPart } from "./read-part.ts";

/**
 * The last events of a session, read from its end: what they cost does not depend on the size of the
 * file. The path is followed towards the start only, as pi writes it.
 */
export function readLast(
  fd: number,
  options: {
    readonly last: number;
    readonly end: number;
    readonly allBranches?: boolean | undefined;
  },
): ReadBatch {
  const { end, last, allBranches } = options;
  const start = readHeader(fd, end);
  // Format 1 counts from the beginning, so it is read from there; such files are old and small.
  if (start.linear) return lastOf(readPart(fd, { end, allBranches }), last);
  const { header: record, headerOffset: offset, sound = false } = start;
  return lastOfTree(fd, { ...options, header: { record, offset, sound } });
}

/** The last events of many batches, in one. */
function lastOf(batches: Iterable<ReadBatch>, last: number): ReadBatch {
  let events: AgentEvent[] = [];
  const damage: Damage[] = [];
  let cursor = "";
  for (const batch of batches) {
    events = [...events, ...batch.events].slice(-last);
    damage.push(...batch.damage);
    cursor = batch.cursor;
  }
  return { events: last > 0 ? events : [], damage, cursor };
}

function lastOfTree(
  fd: number,
  options: {
    readonly last: number;
    readonly end: number;
    readonly header: Header;
    readonly allBranches?: boolean | undefined;
  },
): ReadBatch {
  const { end, last, header, allBranches = false } = options;
  const path = new LivePathBackward(fd, { header });
  const met: Met[] = [];
  // The parents of what is handed out, to be found for their numbers.
  const open = new Set<string>();
  const known = new Map<string, Met>();
  let events = 0;
  let lines = 0;
  let start = end;
  let beyondBytes = 0;
  let tail: { readonly offset: number; readonly complete: boolean; records: number } | undefined;
  for (const line of linesBackward(fd, { end })) {
    const enough = events >= last || (path.ended && !allBranches);
    if (enough && (open.size === 0 || beyondBytes > limits.headBytesMax)) break;
    if (enough) beyondBytes += line.length;
    const fromEnd = lines;
    lines += 1;
    start = line.offset;
    tail ??= { offset: line.offset, complete: line.complete, records: 0 };
    if (!mayHold(line, enough ? open : allBranches ? undefined : path.wanted)) continue;
    const read = readLine(line, 0, acceptsRecord);
    if (read === undefined) continue;
    if (fromEnd === 0) tail.records = read.records.length;
    for (const one of path.entries(read, fromEnd)) {
      if (one.key !== undefined) {
        if (!known.has(one.key)) known.set(one.key, one);
        open.delete(one.key);
      }
      if (enough || !(allBranches || one.live)) continue;
      met.push(one);
      if (one.parent !== undefined && !known.has(one.parent)) open.add(one.parent);
      events += allBranches ? one.said.bodies.length : sentCount(one.said);
    }
  }
  const before = linesBefore(fd, start);
  const lineOf = (one: Pick<Met, "fromEnd">): number => before + lines - one.fromEnd;
  const numberOf = (one: Pick<Met, "fromEnd" | "line">): string =>
    lineNumber({ line: lineOf(one), offset: one.line.offset });
  const written = write(met.reverse(), { fd, known, numberOf, allBranches });
  const headerMet = met.some(({ line }) => line.offset === header.offset);
  if (events < last && header.sound && !allBranches && !headerMet) {
    const { offset } = header;
    const number = lineNumber({ line: linesBefore(fd, offset) + 1, offset });
    written.events.unshift(...headerEvents(header.record!, number));
  }
  const whole = tail?.complete ?? true;
  const place: Place = {
    offset: whole ? end : tail!.offset,
    line: before + lines - (whole ? 0 : 1),
    count: 0,
    ...(path.leaf !== undefined && {
      tip: {
        key: path.leaf.key === undefined ? 0 : hashText(path.leaf.key),
        line: lineOf(path.leaf),
        offset: path.leaf.line.offset,
      },
    }),
    ...(path.edited && { edited: true }),
    ...(!whole && tail!.records > 0 && { aheadOf: end }),
  };
  return {
    events: last > 0 ? written.events.slice(-last) : [],
    damage: [...(header.sound || end === 0 ? [] : [badHeader]), ...written.damage],
    cursor: encodeCursor(fd, place),
  };
}

/** The header belongs to every replay, also where the path ends before it. */
function headerEvents(record: JsonObject, line: string): readonly AgentEvent[] {
  const said = bodiesOf(record, { message: line });
  return eventsOf(record, said, { line, before: 0, live: true });
}

/** Turns what was met, oldest first, into events. */
function write(
  met: readonly Met[],
  options: {
    readonly fd: number;
    readonly known: ReadonlyMap<string, Met>;
    readonly numberOf: (one: Pick<Met, "fromEnd" | "line">) => string;
    readonly allBranches: boolean;
  },
): { readonly events: AgentEvent[]; readonly damage: readonly Damage[] } {
  const events: AgentEvent[] = [];
  const damage = new Set<Damage>();
  for (const one of met) {
    const record = one.line.records[one.at]!;
    const line = options.numberOf(one);
    const parent = one.parent === undefined ? undefined : options.known.get(one.parent);
    const isLine = one.keptAt >= 0 && isCounted(one.keptAt);
    const keepFrom = isLine ? linesBefore(options.fd, one.keptAt) + 1 : undefined;
    const said =
      record["type"] === "compaction" || asString(record["id"]) === undefined
        ? {
            ...bodiesOf(record, { message: asString(record["id"]) ?? line, keepFrom }),
            sent: one.said.sent,
          }
        : one.said;
    const made = eventsOf(record, said, {
      line,
      before: one.before,
      live: one.live,
      parent:
        parent === undefined
          ? undefined
          : eventNumber(options.numberOf(parent), parent.before + parent.said.bodies.length),
    });
    for (const event of made) if (options.allBranches || event.live) events.push(event);
    if (one.line.damage !== undefined) damage.add(one.line.damage);
  }
  return { events, damage: [...damage] };
}

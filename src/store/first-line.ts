import { parseObject } from "../base/json.ts";
import { formatVersion } from "../log/header.ts";
import { decodeLine } from "../log/line.ts";
import type { SessionMeta } from "../log/session-meta.ts";
import type { EventFrame, SessionStart } from "../model/event.ts";

type Start = SessionStart & EventFrame & SessionMeta;
type Members = Partial<Start>;

/** What a list needs of a session's first event. */
export type FirstEvent = Pick<Start, "at" | "format"> & {
  readonly [Field in Exclude<keyof Start, "at" | "format">]?: Start[Field] | undefined;
};

/** What the first line of a session begins with that is no fork, up to the comma after its id. */
const opening = new RegExp(
  `\\{"id":1,"at":"[-0-9T:.Z]{24}","type":"session_start","format":${formatVersion},"session":"[-\\w.]+"(?=,)`,
  "y",
);
const timeFrom = '{"id":1,"at":"'.length;
const timeTo = timeFrom + "2026-11-15T10:00:00.000Z".length;
/** Enough for that and a short title. */
const openingBytes = 256;
/** What sessions of one project have in common begins here: where, with what, by whom. */
const commonFrom = ',"cwd":';
const sumKey = ',"sum":"';
const sumHex = 16;
const sumBytes = sumKey.length + sumHex + '"}'.length;
/** What stands in the opening; a parser would take the last of two. */
const opened = ["id", "at", "type", "format", "session"];
const nothing: Members = {};

/** What the last first line had in common with others, as bytes and parsed. */
let known: { readonly bytes: Buffer; readonly members: Members } | undefined;

/**
 * The event of a session's first line, which ends at `end`; undefined where it is none. A list reads a thousand of
 * these, and neighbours differ in little but id and time: what they have in common is parsed once.
 */
export function firstEvent(held: Buffer, end: number): FirstEvent | undefined {
  const quick = quickly(held, end);
  if (quick !== undefined) return quick;
  const event = decodeLine(held, end);
  return event?.type === "session_start" ? gathered(event, event, nothing) : undefined;
}

/** The same for a line as this program writes them; anything else is for a parser. */
function quickly(held: Buffer, end: number): FirstEvent | undefined {
  const sumAt = end - sumBytes;
  if (sumAt <= 0 || !isSumAt(held, sumAt)) return undefined;
  const text = held.toString("latin1", 0, Math.min(openingBytes, sumAt));
  opening.lastIndex = 0;
  if (!opening.test(text)) return undefined;
  const ownFrom = opening.lastIndex;
  const commonAt = text.indexOf(commonFrom, ownFrom);
  if (commonAt < 0) return undefined;
  // A key of that name inside another value cuts that value in two: neither half is an object then.
  const own = commonAt === ownFrom ? nothing : membersIn(held, ownFrom, commonAt);
  const common = commonIn(held, commonAt, sumAt);
  if (own === undefined || common === undefined || isDoubled(own, common)) return undefined;
  return gathered({ at: text.slice(timeFrom, timeTo), format: formatVersion }, own, common);
}

/** Field by field: copying objects of unknown shape takes longer than parsing them. */
function gathered(
  { at, format }: Pick<Start, "at" | "format">,
  own: Members,
  common: Members,
): FirstEvent {
  return {
    at,
    format,
    title: own.title ?? common.title,
    tags: own.tags ?? common.tags,
    labels: own.labels ?? common.labels,
    pinned: own.pinned ?? common.pinned,
    cwd: own.cwd ?? common.cwd,
    project: own.project ?? common.project,
    git: own.git ?? common.git,
    agent: own.agent ?? common.agent,
    model: own.model ?? common.model,
    createdBy: own.createdBy ?? common.createdBy,
    base: own.base ?? common.base,
    seal: own.seal ?? common.seal,
    continues: own.continues ?? common.continues,
  };
}

function commonIn(held: Buffer, from: number, to: number): Members | undefined {
  if (known?.bytes.length === to - from && held.compare(known.bytes, 0, to - from, from, to) === 0)
    return known.members;
  const members = membersIn(held, from, to);
  if (members === undefined) return undefined;
  // Several heads will hold the same.
  for (const part of Object.values(members)) Object.freeze(part);
  known = { bytes: Buffer.from(held.subarray(from, to)), members };
  return members;
}

/** The members of an object, with the comma before the first, as an object. */
function membersIn(held: Buffer, from: number, to: number): Members | undefined {
  const members = parseObject(`{${held.toString("utf8", from + 1, to)}}`);
  return members === undefined || opened.some((field) => field in members)
    ? undefined
    : (members as Members);
}

function isSumAt(held: Buffer, at: number): boolean {
  for (let index = 0; index < sumKey.length; index += 1) {
    if (held[at + index] !== sumKey.charCodeAt(index)) return false;
  }
  const hexAt = at + sumKey.length;
  for (let index = hexAt; index < hexAt + sumHex; index += 1) {
    const code = held[index]!;
    if (!((code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66))) return false;
  }
  return held[hexAt + sumHex] === 0x22 && held[hexAt + sumHex + 1] === 0x7d;
}

/** Whether both have a field; most sessions have none before those they share. */
function isDoubled(own: Members, common: Members): boolean {
  return own !== nothing && Object.keys(own).some((field) => field in common);
}

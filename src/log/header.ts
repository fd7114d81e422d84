import { basename } from "node:path";
import { RepriseError } from "../base/errors.ts";
import { checkSessionId, sessionIdProblem } from "../base/ids.ts";
import { asCount, isObject } from "../base/json.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import type { Damage } from "../model/damage.ts";
import type { EventFrame, ForkBase, SessionEvent, SessionStart } from "../model/event.ts";
import { soundEvent } from "../model/event-shape.ts";
import { decodeLine, sumOf } from "./line.ts";
import { isSealedLine } from "./sealed-line.ts";

/** The format this code writes, and the newest it reads. */
export const formatVersion = 1;

/** The first line of a session, with where the second begins. */
export interface Header {
  readonly start: SessionStart & EventFrame;
  readonly endOffset: number;
  /** The first line is lost: `start` says only what the rest of the file and its name tell. */
  readonly isLost: boolean;
}

/**
 * Reads a session's first line; refuses what is not a session, and formats from the future. Where only the
 * first line is lost, the events after it can still be read and forked, but not appended to (P2).
 */
export function readHeader(fd: number, path: string): Header {
  let first: Omit<Header, "start" | "isLost"> | undefined;
  let start: Header["start"] | undefined;
  let looked = 0;
  for (const line of linesForward(fd)) {
    const isWhole = line.complete && !line.tooLong;
    const event = isWhole ? decodeLine(line.bytes) : undefined;
    first ??= { endOffset: line.offset + line.length };
    if (start !== undefined) {
      if (isWhole && isSealedLine(line.bytes)) throw unsealedHeader(path);
      break;
    }
    if (looked === 0 && event !== undefined && isStart(event)) {
      start = checkedStart(event, path);
      // Who took the seal away must not make others write what they can read.
      if (start.seal === undefined) continue;
      break;
    }
    if (event !== undefined && sumOf(line.bytes) !== undefined) {
      const known = standIn(event, path);
      if (known !== undefined) return { ...first, start: known, isLost: true };
    }
    looked += 1;
    if (looked > searchedLines) break;
  }
  if (first !== undefined && start !== undefined) return { ...first, start, isLost: false };
  throw new RepriseError("not_a_session", `${path} does not begin with a session_start event.`);
}

/** What is reported of a session whose first line is lost. */
export const lostHeader: Damage = {
  kind: "bad_header",
  offset: 0,
  recovered: 0,
  detail: "the first line is lost",
};

/** The sum that a session's first line follows: none, or that of the line it was forked after. */
export function sumBefore(start: SessionStart): string {
  return start.base?.sum ?? "";
}

/** What is said of a session whose first line is not sealed, but later ones are. */
export function unsealedHeader(path: string): RepriseError {
  return new RepriseError(
    "damaged",
    `${path} has sealed lines, but its first line is not sealed.`,
    {
      hint: "The first line was replaced. Nothing was changed; restore the file from a backup.",
    },
  );
}

/** How many lines after a lost first one are looked at for an event of ours. */
const searchedLines = 16;

function isStart(event: SessionEvent): event is SessionStart & EventFrame {
  if (event.type !== "session_start") return false;
  return typeof event.format === "number" && typeof event.session === "string";
}

function checkedStart(start: SessionStart & EventFrame, path: string): SessionStart & EventFrame {
  if (start.format > formatVersion) {
    throw new RepriseError(
      "newer_format",
      `${path} has format ${start.format}; this reprise reads up to ${formatVersion}.`,
    );
  }
  // The id becomes the name of leases and quarantined files, the base's that of a file to read.
  checkSessionId(start.session);
  const { base, seal } = start;
  // One that cannot be read must not pass for none.
  if (seal !== undefined && !isObject(seal)) {
    throw new RepriseError("damaged", `${path} has a seal that cannot be read.`);
  }
  // What is wrong with the rest is reported where the event is read.
  const sound = soundEvent(start, () => undefined) ?? start;
  if (base === undefined) return sound;
  if (isForkBase(base)) return sound;
  throw new RepriseError("damaged", `${path} does not say where it was forked from.`);
}

/** Whether a first line says where its session was forked from. */
export function isForkBase(base: unknown): base is ForkBase {
  return (
    isObject(base) &&
    typeof base["session"] === "string" &&
    asCount(base["event"]) !== undefined &&
    asCount(base["endOffset"]) !== undefined &&
    base["event"] !== 0 &&
    base["endOffset"] !== 0 &&
    typeof base["sum"] === "string"
  );
}

/** What is known of a session whose first line is lost; undefined if that is too little to read on. */
function standIn(event: SessionEvent, path: string): (SessionStart & EventFrame) | undefined {
  const session = basename(path, ".jsonl");
  if (sessionIdProblem(session) !== undefined || "sealed" in event) return undefined;
  return { id: 1, at: event.at, type: "session_start", format: formatVersion, session };
}

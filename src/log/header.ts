import { basename } from "node:path";
import { RepriseError } from "../base/errors.ts";
import { checkSessionId, sessionIdProblem } from "../base/ids.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import type { EventFrame, SessionEvent, SessionStart } from "../model/event.ts";
import { decodeLine, sumOf } from "./line.ts";

/** The format this code writes, and the newest it reads. */
export const formatVersion = 1;

/** The first line of a session, with where the second begins. */
export interface Header {
  readonly start: SessionStart & EventFrame;
  readonly endOffset: number;
  /** The first line is lost: `start` tells only what the rest of the file and its name tell. */
  readonly isLost: boolean;
}

/**
 * Reads a session's first line; refuses what is no session, and formats from the future. Where only the
 * first line is lost, the events after it can still be read and forked, but not appended to (P2).
 */
export function readHeader(fd: number, path: string): Header {
  let first: Omit<Header, "start" | "isLost"> | undefined;
  let looked = 0;
  for (const line of linesForward(fd)) {
    const isWhole = line.complete && !line.tooLong;
    const event = isWhole ? decodeLine(line.bytes) : undefined;
    first ??= { endOffset: line.offset + line.length };
    if (looked === 0 && event !== undefined && isStart(event)) {
      return { ...first, start: checkedStart(event, path), isLost: false };
    }
    if (event !== undefined && sumOf(line.bytes) !== undefined) {
      const start = standIn(event, path);
      if (start !== undefined) return { ...first, start, isLost: true };
    }
    looked += 1;
    if (looked > searchedLines) break;
  }
  throw new RepriseError("not_a_session", `${path} does not begin with a session_start event.`);
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
  const { base } = start;
  if (base === undefined) return start;
  const isSound =
    typeof base.session === "string" &&
    Number.isSafeInteger(base.event) &&
    base.event > 0 &&
    Number.isSafeInteger(base.endOffset) &&
    base.endOffset > 0 &&
    typeof base.sum === "string";
  if (isSound) return start;
  throw new RepriseError("damaged", `${path} does not say where it was forked from.`);
}

/** What is known of a session whose first line is lost; undefined where that is too little to read on. */
function standIn(event: SessionEvent, path: string): (SessionStart & EventFrame) | undefined {
  const session = basename(path, ".jsonl");
  if (sessionIdProblem(session) !== undefined || "sealed" in event) return undefined;
  return { id: 1, at: event.at, type: "session_start", format: formatVersion, session };
}

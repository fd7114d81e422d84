import { RepriseError } from "../base/errors.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import type { EventFrame, SessionStart } from "../model/event.ts";
import { decodeLine } from "./line.ts";

/** The format this code writes, and the newest it reads. */
export const formatVersion = 1;

/** The first line of a session, with where the second begins. */
export interface Header {
  readonly start: SessionStart & EventFrame;
  readonly endOffset: number;
}

/** Reads a session's first line; refuses what is no session, and formats from the future. */
export function readHeader(fd: number, path: string): Header {
  for (const line of linesForward(fd)) {
    const event = line.complete && !line.tooLong ? decodeLine(withoutBom(line.bytes)) : undefined;
    if (event === undefined || event.type !== "session_start") break;
    if (typeof event.format !== "number" || typeof event.session !== "string") break;
    if (event.format > formatVersion) {
      throw new RepriseError(
        "newer_format",
        `${path} has format ${event.format}; this reprise reads up to ${formatVersion}.`,
      );
    }
    return { start: event, endOffset: line.offset + line.length };
  }
  throw new RepriseError("not_a_session", `${path} does not begin with a session_start event.`);
}

function withoutBom(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

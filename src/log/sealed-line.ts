import { asString } from "../base/json.ts";
import type { SessionEvent } from "../model/event.ts";
import { decodeLine } from "./line.ts";

/** What a sealed line has in place of a body. */
export interface SealedFields {
  /** Nonce, ciphertext and tag in base64; undefined if the line is not sealed. */
  readonly sealed: string | undefined;
  /** The names of its blobs. */
  readonly sealedBlobs: unknown;
  /** The sum of the line it was written after; undefined in the first line, and in seals of the first version. */
  readonly after: unknown;
}

/** The fields of a line that sealing put there. */
export function sealedFields(event: SessionEvent): SealedFields {
  const { sealed, sealedBlobs, after } = event as SessionEvent & Partial<Record<string, unknown>>;
  return { sealed: asString(sealed), sealedBlobs, after };
}

const mark = Buffer.from(',"sealed');
/** Behind the number, the time and the type, which come first. */
const markWithin = 256;

/** Whether a line is sealed; only one that may be is parsed. */
export function isSealedLine(line: Buffer): boolean {
  if (!line.subarray(0, markWithin).includes(mark)) return false;
  const event = decodeLine(line);
  return event !== undefined && sealedFields(event).sealed !== undefined;
}

import { asCount, asString, isObject, parseObject } from "../../../base/json.ts";
import { proofBefore } from "../../../jsonl/proof.ts";
import type { Usage } from "../../../model/usage.ts";
import type { CallUsage } from "../token-usage.ts";

/** Where reading stopped, and what going on needs. */
export interface Place {
  /** After the last whole line that was read. */
  readonly offset: number;
  readonly line: number;
  /** Tokens that were recorded and whose answer is still to come. */
  readonly usage?: CallUsage | undefined;
  /** The size of the file, where an unfinished last line was already handed out. */
  readonly aheadOf?: number | undefined;
}

/** The place as an opaque string; it proves itself by the bytes before it. */
export function encodeCursor(fd: number, place: Place): string {
  return JSON.stringify({ copilot: 1, ...place, proof: proofBefore(fd, place.offset) });
}

/** The place a cursor names, or undefined if the file is no longer the one it was made from. */
export function decodeCursor(fd: number, cursor: string): Place | undefined {
  const value = parseObject(cursor);
  const offset = asCount(value?.["offset"]);
  const line = asCount(value?.["line"]);
  if (value?.["copilot"] !== 1 || offset === undefined || line === undefined) return undefined;
  if (proofBefore(fd, offset) !== value["proof"]) return undefined;
  return { offset, line, usage: usageIn(value["usage"]), aheadOf: asCount(value["aheadOf"]) };
}

function usageIn(value: unknown): CallUsage | undefined {
  if (!isObject(value) || !isObject(value["usage"])) return undefined;
  const call = asString(value["call"]);
  return call === undefined ? undefined : { call, usage: value["usage"] as Usage };
}

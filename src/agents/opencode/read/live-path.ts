import { asString, type JsonObject } from "../../../base/json.ts";
import { type CompactionPart, compactionPart } from "./compaction-part.ts";
import type { Source } from "./source.ts";

/** Which messages the program would send again. Places count from 0. */
export interface LivePath {
  /** The first message that is sent. */
  readonly from: number;
  /** From here on everything is taken back; the next prompt will delete it. */
  readonly revertedFrom: number;
  /** Where the revert begins inside its message. */
  readonly revertedPart?: string;
  /** The assistant message whose text is the summary in force. */
  readonly summary?: string;
}

/**
 * Finds the newest finished compaction, as the program does on its way back from the end: the last
 * question that was answered by a summary.
 */
export function livePathOf(source: Source): LivePath {
  const { revert } = source.session;
  const at = revert === undefined ? -1 : source.indexOf(revert.messageId);
  const revertedFrom = at < 0 ? source.count : at;
  const revertedPart = at < 0 ? undefined : revert?.partId;
  const reverted = { revertedFrom, ...(revertedPart === undefined ? {} : { revertedPart }) };
  const last = revertedPart === undefined ? revertedFrom - 1 : revertedFrom;
  for (const index of source.summaries()) {
    if (index < 0 || index > last) continue;
    const info = source.info(index);
    if (info === undefined || !isFinishedSummary(info)) continue;
    const question = source.indexOf(asString(info["parentID"]) ?? "");
    if (question < 0 || question >= index) continue;
    const part = compactionPart(source, question);
    if (part === undefined || source.info(question)?.["role"] !== "user") continue;
    const summary = asString(info["id"]) ?? "";
    return { from: tailStart(source, question, part), summary, ...reverted };
  }
  return { from: 0, ...reverted };
}

/** Whether an assistant message is a compaction's summary that came to its end. */
export function isFinishedSummary(info: JsonObject): boolean {
  return (
    info["role"] === "assistant" &&
    info["summary"] === true &&
    typeof info["finish"] === "string" &&
    (info["error"] === undefined || info["error"] === null)
  );
}

function tailStart(source: Source, compaction: number, { tail }: CompactionPart): number {
  if (tail === undefined) return compaction;
  const at = source.indexOf(tail);
  // A tail that is not before the compaction is never met on the way back: then all is sent.
  return at >= 0 && at <= compaction ? at : 0;
}

/** One word for a live path: where it changes, events that were reported live or not must be reported again. */
export function livePathKey(livePath: LivePath, count: number): string {
  const { from, revertedFrom, revertedPart = "", summary = "" } = livePath;
  // Without a revert the end of the session grows, and that changes nothing.
  return `${from}:${summary}:${revertedFrom < count ? revertedFrom : ""}:${revertedPart}`;
}

import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { asNumber, asString } from "../../base/json.ts";
import { recordsForward } from "../../jsonl/records.ts";

/** One prompt typed in the terminal program, in the order they were typed. */
export interface PromptHistoryEntry {
  readonly session: string;
  readonly at?: string;
  readonly text: string;
}

/** The prompts of `history.jsonl` below a store's root; damaged lines are passed over. */
export function* promptHistory(root: string): Generator<PromptHistoryEntry> {
  let fd: number;
  try {
    fd = openSync(join(root, "history.jsonl"), "r");
  } catch {
    return;
  }
  try {
    for (const { records } of recordsForward(fd)) {
      for (const record of records) {
        const session = asString(record["session_id"]);
        const text = asString(record["text"]);
        if (session === undefined || text === undefined) continue;
        const seconds = asNumber(record["ts"]);
        const inRange = seconds !== undefined && Math.abs(seconds) < 8.64e12;
        yield {
          session,
          text,
          ...(inRange && { at: new Date(seconds * 1000).toISOString() }),
        };
      }
    }
  } finally {
    closeSync(fd);
  }
}

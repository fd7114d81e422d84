import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../base/env.ts";
import { asNumber, asString } from "../../base/json.ts";
import { recordsForward } from "../../jsonl/records.ts";
import { rootOf } from "./roots.ts";

/** A line somebody typed into the program, as its prompt history keeps it. */
export interface TypedPrompt {
  readonly text: string;
  readonly at?: string;
  readonly project?: string;
  readonly session?: string;
}

/** Every prompt of the program's history file, oldest first, slash commands included. */
export function* promptHistory(env: Environment): Generator<TypedPrompt> {
  let fd: number;
  try {
    fd = openSync(join(rootOf(env), "history.jsonl"), "r");
  } catch {
    // Only the interactive program writes a history.
    return;
  }
  try {
    for (const { records } of recordsForward(fd)) {
      for (const record of records) {
        const text = asString(record["display"]);
        if (text === undefined) continue;
        const at = asNumber(record["timestamp"]);
        const project = asString(record["project"]);
        const session = asString(record["sessionId"]);
        yield {
          text,
          ...(at !== undefined && Math.abs(at) < 8.64e15 && { at: new Date(at).toISOString() }),
          ...(project !== undefined && { project }),
          ...(session !== undefined && { session }),
        };
      }
    }
  } finally {
    closeSync(fd);
  }
}

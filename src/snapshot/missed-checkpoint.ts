import type { RepriseError } from "../base/errors.ts";
import { asString } from "../base/json.ts";
import { record } from "../log/journal.ts";
import { journalEntries } from "../log/read-journal.ts";
import type { Home } from "../store/home.ts";
import type { CheckpointAbout } from "./checkpoint.ts";

const missedKind = "checkpoint-missed";

/** A checkpoint that was asked for and is not there. */
export interface MissedCheckpoint {
  readonly at: string;
  readonly folder: string;
  readonly why: string;
  readonly agent?: string;
  readonly session?: string;
  readonly call?: string;
}

/** Why an error kept a checkpoint from being taken, for people. */
export function whyMissed(error: RepriseError): string {
  return error.code === "session_busy"
    ? "another process was taking a checkpoint of this folder"
    : error.message;
}

/** Writes down that a checkpoint could not be taken, and why. */
export function recordMissed(
  home: Home,
  missed: CheckpointAbout & { readonly folder: string; readonly why: string },
  options: { readonly waitMs?: number } = {},
): void {
  record(home.journal, missedKind, { ...missed }, options);
}

/** Every checkpoint that could not be taken, in order. */
export function missedCheckpoints(home: Home): readonly MissedCheckpoint[] {
  const found: MissedCheckpoint[] = [];
  for (const { at, data } of journalEntries(home.journal, [missedKind])) {
    const folder = asString(data["folder"]);
    if (folder === undefined) continue;
    const about = Object.fromEntries(
      ["agent", "session", "call"].flatMap((key) => {
        const text = asString(data[key]);
        return text === undefined ? [] : [[key, text]];
      }),
    );
    found.push({ at, folder, why: asString(data["why"]) ?? "", ...about });
  }
  return found;
}

import type { Checkpoint } from "../../../snapshot/checkpoint.ts";
import { isIncomplete } from "../../../snapshot/snapshot.ts";

/** The stable shape of one checkpoint. */
export const checkpointShape = `Checkpoint = { number: number, at: string, folder: string, reason: "asked" | "prompt" | "tool" | "safety" | "base",
  label?: string, agent?: string, session?: string, event?: string, uuid?: string, call?: string, messages?: number,
  tokens?: number, modified?: number, files: number, bytes: number, skipped: number, missed: number, incomplete: boolean,
  tree: string, scope: string }`;

/** A checkpoint as JSON. */
export function checkpointJson(checkpoint: Checkpoint): object {
  const { partial: _partial, ...rest } = checkpoint;
  return { ...rest, incomplete: isIncomplete(checkpoint) };
}

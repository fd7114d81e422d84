import type { BridgeEvent } from "../../model/bridge-event.ts";
import type { BridgeSettings } from "../state/settings.ts";

/** A checkpoint that an event asks for. */
export interface WantedCheckpoint {
  readonly reason: "prompt" | "tool";
  /** Only these files; everything where absent. */
  readonly files?: readonly string[];
  /** How long it may take, in milliseconds. */
  readonly ms: number;
}

/**
 * The checkpoint that must be taken at an event: at each prompt, before a tool that names the files it changes, and
 * before a command, which may change any. No other event costs anything.
 */
export function wantedCheckpoint(
  { kind, files, command, cwd }: BridgeEvent,
  { checkpoints, promptCheckpointMs, toolCheckpointMs }: BridgeSettings,
): WantedCheckpoint | undefined {
  if (!checkpoints || cwd === undefined) return undefined;
  if (kind === "prompt") return { reason: "prompt", ms: promptCheckpointMs };
  if (kind !== "tool_before") return undefined;
  if (files !== undefined) return { reason: "tool", files, ms: toolCheckpointMs };
  return command === undefined ? undefined : { reason: "tool", ms: toolCheckpointMs };
}

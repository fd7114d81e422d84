import type { Loss } from "../model/loss.ts";

/** Why thinking and images may stay behind; the only conversation that ever may. */
export const reasons = {
  foreignThinking: "the target's API takes only thinking its own model signed",
  noThinking: "the target does not hold thinking",
  imageKind: "the target does not hold this kind of image",
  resultImage: "the target does not hold images in tool results",
  attachedFile: "the target does not hold attached files",
} as const;

/**
 * What may be lost on the way into each target, and nothing else of the conversation. User text,
 * assistant text, tool calls and tool results are never lost. The table in docs/conversions.md is made
 * from this one.
 */
export const allowedLosses: Readonly<Record<string, readonly (keyof typeof reasons)[]>> = {
  "claude-code": ["foreignThinking", "imageKind", "attachedFile"],
  codex: ["foreignThinking", "imageKind", "attachedFile"],
  "gemini-cli": ["noThinking", "imageKind", "resultImage", "attachedFile"],
  opencode: ["noThinking", "imageKind", "resultImage", "attachedFile"],
  pi: ["noThinking", "imageKind", "attachedFile"],
  aider: ["noThinking", "imageKind", "resultImage", "attachedFile"],
  reprise: [],
};

/** Whether a loss is one that the table allows for a target. */
export function isAllowed(target: string, loss: Loss): boolean {
  return (allowedLosses[target] ?? []).some((name) => reasons[name] === loss.reason);
}

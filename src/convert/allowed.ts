import type { Loss } from "../model/loss.ts";

/** Why thinking, images and blocks nobody else can read may stay behind; the only conversation that ever may. */
export const reasons = {
  foreignThinking: "the target's API takes only thinking its own model signed",
  noThinking: "the target does not hold thinking",
  imageKind: "the target does not hold this kind of image",
  resultImage: "the target does not hold images in tool results",
  attachedFile: "the target does not hold attached files",
  spokenImage: "no API takes back an image its model made",
  foreignBlock: "a block only its own agent understands",
} as const;

const everywhere = ["spokenImage", "foreignBlock"] as const;

/**
 * What may be lost on the way into each target, and nothing else of the conversation. User text,
 * assistant text, tool calls and tool results are never lost. The table in docs/conversions.md is made
 * from this one.
 */
export const allowedLosses: Readonly<Record<string, readonly (keyof typeof reasons)[]>> = {
  "claude-code": ["foreignThinking", "imageKind", "attachedFile", ...everywhere],
  codex: ["foreignThinking", "imageKind", "attachedFile", ...everywhere],
  "gemini-cli": ["noThinking", "imageKind", "resultImage", "attachedFile", ...everywhere],
  opencode: ["noThinking", "imageKind", "resultImage", "attachedFile", ...everywhere],
  pi: ["noThinking", "imageKind", "attachedFile", ...everywhere],
  aider: ["noThinking", "imageKind", "attachedFile", "foreignBlock"],
  reprise: everywhere,
};

/** Whether a loss is one that the table allows for a target, or the budget the user set. */
export function isAllowed(target: string, loss: Loss): boolean {
  if (loss.effect === "summarised") return true;
  return (allowedLosses[target] ?? []).some((name) => reasons[name] === loss.reason);
}

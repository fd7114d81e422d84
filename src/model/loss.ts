/** One thing a conversion could not carry over as it was; its reason speaks of `the source` and `the target`. */
export interface Loss {
  readonly field: string;
  readonly effect: "dropped" | "rewritten" | "summarised";
  readonly count: number;
  readonly reason: string;
}

/** Why thinking, images and blocks nobody else can read may stay behind; the only conversation that ever may. */
export const lossReasons = {
  foreignThinking: "the target accepts only its own model's thinking",
  noThinking: "the target does not store thinking",
  imageKind: "the target does not take this kind of image",
  resultImage: "the target does not store images in tool results",
  attachedFile: "the target does not store attached files",
  spokenImage: "models do not take back images that a model made",
  foreignBlock: "understood by the source only",
} as const;

/** One of these reasons, by its name. */
export type LossName = keyof typeof lossReasons;

/**
 * Whether a loss is one that a target may have, or the budget the user set. User text, assistant text, tool calls
 * and tool results are never among what may be lost.
 */
export function mayBeLost(loss: Loss, allowed: readonly LossName[] = []): boolean {
  return loss.effect === "summarised" || allowed.some((name) => lossReasons[name] === loss.reason);
}

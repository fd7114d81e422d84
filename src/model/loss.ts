/** One thing a conversion could not carry over as it was. */
export interface Loss {
  readonly field: string;
  readonly effect: "dropped" | "rewritten" | "summarised";
  readonly count: number;
  readonly reason: string;
}

/** Why thinking, images and blocks nobody else can read may stay behind; the only conversation that ever may. */
export const lossReasons = {
  foreignThinking: "the target's API takes only thinking its own model signed",
  noThinking: "the target does not hold thinking",
  imageKind: "the target does not hold this kind of image",
  resultImage: "the target does not hold images in tool results",
  attachedFile: "the target does not hold attached files",
  spokenImage: "no API takes back an image its model made",
  foreignBlock: "a block only its own agent understands",
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

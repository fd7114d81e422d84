import type { Loss } from "../model/loss.ts";

/** Counts what a conversion could not carry over as it was, field by field. */
export class Losses {
  readonly #counts = new Map<string, Loss>();

  add(field: string, effect: Loss["effect"], reason: string, count = 1): void {
    if (count === 0) return;
    const key = `${field}\u0000${effect}\u0000${reason}`;
    const before = this.#counts.get(key)?.count ?? 0;
    this.#counts.set(key, { field, effect, count: before + count, reason });
  }

  list(): readonly Loss[] {
    return [...this.#counts.values()];
  }
}

/** Fields that are conversation: losing one of these is refused by `--strict`. */
const conversational: ReadonlySet<string> = new Set([
  "user text",
  "assistant text",
  "tool call",
  "tool result",
  "thinking",
  "image",
  "file",
  "foreign block",
  "earlier turns",
]);

/** Whether anything a person or model said or did is missing afterwards. */
export function losesConversation(losses: readonly Loss[]): boolean {
  return losses.some(({ field, effect }) => effect !== "rewritten" && conversational.has(field));
}

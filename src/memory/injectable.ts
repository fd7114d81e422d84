import { type MemoryEntry, userOwner } from "./entry.ts";

/** The mark of a proposal that quotes the user asking for something to be remembered. */
export const statedMark = "stated";

/**
 * Whether an entry may be given to a model unasked: the user stored it, said it in so many words, or approved it. What an
 * agent, a tool or an import put there waits, whatever it says about itself.
 */
export function isInjectable(entry: MemoryEntry): boolean {
  const { status, owner, provenance, approvedBy, metadata } = entry;
  if (status === "kept" && approvedBy === userOwner) return true;
  if (owner !== userOwner || provenance !== "user") return false;
  return status === "kept" || (status === "proposed" && metadata[statedMark] === true);
}

/** Whether an entry stays a quotation for ever: somebody else's words, of which nobody knows what they are up to. */
export function isQuotation({ provenance }: Pick<MemoryEntry, "provenance">): boolean {
  return provenance === "tool" || provenance === "imported";
}

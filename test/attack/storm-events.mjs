import { createHash } from "node:crypto";

/** The body of an event that carries a mark. A `blob` is long enough to be stored by its hash. */
export function bodyOf(kind, mark) {
  if (kind === "blob") return { type: "note", content: longText(mark) };
  return { type: kind, content: mark, ...(kind === "assistant" && { endTurn: true }) };
}

/** The mark an event carries, told from its content or from the name of its blob. */
export function markIn(content, marksByHash) {
  if (typeof content === "string") return content.split(" ", 1)[0];
  return typeof content?.blob === "string" ? marksByHash.get(content.blob) : undefined;
}

/** What a mark's blob is called. */
export function blobName(mark) {
  return createHash("sha256").update(longText(mark)).digest("hex");
}

function longText(mark) {
  return `${mark} ${"long content ".repeat(6_000)}`;
}

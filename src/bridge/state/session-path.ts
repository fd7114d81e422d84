import { type Source, sourceEvents } from "../../agents/source.ts";
import { jsonChars } from "../../context/tokens.ts";
import type { SessionEvent } from "../../model/event.ts";

/** Events that are looked at: the first quarter of them from the beginning, the rest from the end. */
const lookedAt = 2_000;
/** Characters of one text that are looked at: what is picked out of one is a sentence or a line. */
const lookedAtChars = 8_000;
/** Characters of all of them together: those in the middle go first. */
const lookedAtInAll = 2_000_000;

const conversation: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "tool_use",
  "tool_result",
  "compaction",
]);

/** A session's path as far as a page about it needs: bounded in events and in their length, whatever its size. */
export async function sessionPath(source: Source): Promise<readonly SessionEvent[]> {
  const path: SessionEvent[] = [];
  const sizes: number[] = [];
  let chars = 0;
  let id = 0;
  for await (const { at, body } of sourceEvents(source)) {
    id += 1;
    const event = { id, at: at ?? "", ...shortened(body) };
    path.push(event);
    chars += sizes[sizes.push(jsonChars(event)) - 1]!;
    while (path.length > lookedAt || (chars > lookedAtInAll && path.length > 1)) {
      const middle = path.length >> 2;
      path.splice(middle, 1);
      chars -= sizes.splice(middle, 1)[0]!;
    }
  }
  return path;
}

/** Whether anybody said anything on a path. */
export function saysAnything(path: readonly SessionEvent[]): boolean {
  return path.some(({ type }) => conversation.has(type));
}

/** The same body with long texts cut, so that a large session stays a small page in memory. */
function shortened<T>(value: T, depth = 0): T {
  if (typeof value === "string") {
    if (value.length <= lookedAtChars) return value;
    // A copy: a slice would keep the whole text alive.
    return Buffer.from(`${value.slice(0, lookedAtChars).toWellFormed()}…`).toString() as T;
  }
  if (typeof value !== "object" || value === null || depth > 4) return value;
  if (Array.isArray(value)) return value.map((item) => shortened(item, depth + 1)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, shortened(field, depth + 1)]),
  ) as T;
}

import { asArray, asCount, asString, isObject } from "../../base/json.ts";
import type { MemoryEntry } from "../entry.ts";

/** Where an agent keeps something: its page or database, and the place in it. */
export interface Origin {
  readonly agent: string;
  readonly path: string;
  /** The line it begins on, in a page. */
  readonly line?: number;
  /** The heading it stands under, or what the agent calls it. */
  readonly heading?: string;
}

/** The name under which an entry's metadata hold where it came from. */
export const originsField = "origins";

/** Where an entry was read, if it came from agents' own memories. */
export function originsOf({ metadata }: Pick<MemoryEntry, "metadata">): readonly Origin[] {
  return asArray(metadata[originsField]).flatMap((one) => {
    if (!isObject(one)) return [];
    const [agent, path] = [asString(one["agent"]), asString(one["path"])];
    if (agent === undefined || path === undefined) return [];
    const [line, heading] = [asCount(one["line"]), asString(one["heading"])];
    return [
      {
        agent,
        path,
        ...(line !== undefined && { line }),
        ...(heading !== undefined && { heading }),
      },
    ];
  });
}

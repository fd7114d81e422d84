import { loadMemories, publishNames } from "../../../agents/registry.ts";
import { type MemoryEntry, userOwner } from "../../../memory/entry.ts";
import type { Memory } from "../../../memory/memory.ts";
import { withoutLines } from "../../../memory/publish/block-text.ts";
import { linesEverOf } from "../../../memory/publish/published-line.ts";
import { blockIn, hasBlock, withBlock, withoutBlock } from "../../../model/marked-block.ts";
import { forgetting, type SettingsChange, textOf } from "../install.ts";
import { changedFiles } from "../installed.ts";

/**
 * The changes that take the lines of entries, of every version, out of all pages they were ever published to; of entries
 * that the memory's owner may forget.
 */
export async function planWithdrawal(
  memory: Memory,
  entries: readonly MemoryEntry[],
): Promise<readonly SettingsChange[]> {
  const files = changedFiles(memory.home, "memories");
  if (files.size === 0) return [];
  const lines = new Set<string>();
  const isOurs = ({ owner }: MemoryEntry): boolean =>
    memory.owner === userOwner || memory.owner === owner;
  for (const entry of entries.filter(isOurs)) {
    // To look for versions takes as long as the log is.
    const versions = entry.version > 1 ? await memory.history(entry.id) : [];
    for (const line of linesEverOf(entry, versions)) lines.add(line);
  }
  const fronts = await frontsOfPages();
  return [...files].flatMap(([file, agent]) => {
    const page = pageText(file);
    if (page === undefined || page === "unread") return [];
    const { text: before } = page;
    const block = blockIn(before) ?? "";
    const left = withoutLines(block, lines);
    if (left === block) return [];
    const change = { agent, file, about: "memories", change: "removed" } as const;
    if (left !== "") return [{ ...change, before, after: withBlock(before, left) }];
    const without = (text: string): string | undefined => {
      const rest = withoutBlock(text);
      return fronts.has(rest.trim()) ? undefined : rest;
    };
    return forgetting({ ...change, home: memory.home }, { isOurs: hasBlock, without });
  });
}

/** Pages that memories were published to and whose block is damaged or cannot be read: what stands there stays. */
export function pagesLeft({ home }: Memory): readonly string[] {
  return [...changedFiles(home, "memories").keys()].filter((file) => pageText(file) === "unread");
}

/** What a page with a block says; undefined if it is gone or has none. */
function pageText(file: string): { readonly text: string } | "unread" | undefined {
  try {
    const text = textOf(file);
    return text === undefined || blockIn(text) === undefined ? undefined : { text };
  } catch {
    return "unread";
  }
}

/** What pages that are ours alone begin with. */
async function frontsOfPages(): Promise<ReadonlySet<string>> {
  const all = await Promise.all(publishNames.map(loadMemories));
  return new Set(all.flatMap((one) => one?.publish?.front?.trim() ?? []));
}

import { limits } from "../../../base/limits.ts";
import { applyChanges } from "../../../bridge/install/installed.ts";
import { pagesLeft, planWithdrawal } from "../../../bridge/install/memories/withdraw.ts";
import type { MemoryEntry } from "../../../memory/entry.ts";
import type { Memory } from "../../../memory/memory.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** What becomes of the pages that memories were published to when these are forgotten. */
export interface Withdrawal {
  /** Pages that the memories are taken out of. */
  readonly withdrawn: readonly string[];
  /** Pages that cannot be changed. */
  readonly left: readonly string[];
  /** What the plan says of it, and what is said when it is done. */
  readonly plan: string;
  readonly done: string;
  /** Before they are forgotten: the backups of the pages hold their texts, and go with them. */
  apply(): void;
}

/** Plans it for memories of the open namespace, or for those that have some ids. */
export async function withdrawalOf(
  memory: Memory,
  forgotten: { readonly entries: readonly MemoryEntry[] } | { readonly ids: readonly string[] },
): Promise<Withdrawal> {
  const entries =
    "entries" in forgotten ? forgotten.entries : await entriesWith(memory, forgotten.ids);
  const changes = await planWithdrawal(memory, entries);
  const withdrawn = changes.map(({ file }) => file);
  const left = entries.length === 0 ? [] : pagesLeft(memory);
  const lines = (of: readonly string[], before: string): string =>
    of.map((file) => `${before}${safeLine(file)}\n`).join("");
  const plan = withdrawn.length === 0 ? "" : "Published in these pages, and taken out of them:\n";
  return {
    withdrawn,
    left,
    plan: plan + lines(withdrawn, "  "),
    done:
      lines(withdrawn, "Taken out of ") +
      lines(left, "Not changed, its block is damaged or cannot be read: "),
    apply: () => void applyChanges(memory.home, changes),
  };
}

async function entriesWith(
  memory: Memory,
  ids: readonly string[],
): Promise<readonly MemoryEntry[]> {
  const wanted = new Set(ids);
  const found: MemoryEntry[] = [];
  const limit = limits.memoryPage;
  for (let offset = 0; wanted.size > found.length; offset += limit) {
    const query = { statuses: "all", expired: "any", sort: "key", limit, offset } as const;
    const { entries } = await memory.query(query);
    found.push(...entries.filter(({ id }) => wanted.has(id)));
    if (entries.length === 0) break;
  }
  return found;
}

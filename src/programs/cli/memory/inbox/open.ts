import { limits } from "../../../../base/limits.ts";
import type { MemoryEntry } from "../../../../memory/entry.ts";
import type { MemoryQuery } from "../../../../memory/query.ts";
import { count } from "../../render/count.ts";
import type { CommandContext, Invocation } from "../../run/command.ts";
import { isScreen } from "../../terminal/output.ts";
import { listMemories } from "../look.ts";
import { memoryOf, queryOf } from "../wanted.ts";

/** Opens what waits for a decision: a screen on a terminal, a list elsewhere. */
export async function openInbox(invocation: Invocation, context: CommandContext): Promise<void> {
  if (context.json || !isScreen(0) || !isScreen(1)) return listMemories(invocation, context, true);
  const memory = memoryOf(invocation, context);
  try {
    const asked = queryOf(invocation.args.slice(1), invocation.flags, context.nowMs);
    const query: MemoryQuery = { limit: limits.memoryPage, ...asked, statuses: ["proposed"] };
    const waiting = async (): Promise<readonly MemoryEntry[]> =>
      (await memory.query(query)).entries;
    const entries = await waiting();
    if (entries.length === 0) return listMemories(invocation, context, true);
    const { Inbox } = await import("./inbox.ts");
    const decided = await new Inbox(entries, { context, memory, waiting }).run();
    const left = (await memory.query({ ...query, limit: 0 })).total;
    if (decided > 0) context.out.note(`${count(decided, "decision")}; ${left} left in the inbox.`);
  } finally {
    memory.close();
  }
}

import type { FoundSession } from "../../agents/find-sessions.ts";

/** Whether another session started this one; lists count it with that. */
export function isSubagent({ head }: Pick<FoundSession, "head">): boolean {
  return head.relation?.kind === "subagent";
}

/** The shares of each agent and reason added up, in the order they first came; those of no session are left out. */
export function tallied<
  T extends { readonly agent: string; readonly sessions: number; readonly why?: string },
>(shares: readonly T[]): readonly T[] {
  const sums = new Map<string, T>();
  for (const share of shares) {
    const key = `${share.agent}\n${share.why ?? ""}`;
    const sessions = (sums.get(key)?.sessions ?? 0) + share.sessions;
    sums.set(key, { ...share, sessions });
  }
  return [...sums.values()].filter(({ sessions }) => sessions > 0);
}

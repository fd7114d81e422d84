import { dirname, join } from "node:path";
import { exists } from "../../base/disk.ts";
import type { InjectionContext } from "./injection.ts";

/** Whether a context begins that was given no memories yet, and there are any; one look at a folder decides most events. */
export function areMemoriesDue({ event, state, policy, places }: InjectionContext): boolean {
  if (policy.gives !== "ledger" && policy.gives !== "changes") return false;
  if (state.injected.some(({ kind }) => kind === "memory")) return false;
  const begins =
    state.compactions > 0 ||
    (event.kind === "session_start" && event.source !== "resume") ||
    (event.kind === "prompt" && state.promptCount <= 1);
  return begins && hasMemories(places.root);
}

/** Whether anything was ever remembered in the home that a bridge's folder lies in. */
export function hasMemories(bridgeRoot: string): boolean {
  return exists(join(dirname(bridgeRoot), "memory"));
}

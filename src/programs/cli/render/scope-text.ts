import type { HookScope } from "../../../agents/hooks-contract.ts";

/** For whom something is installed, as people read it. */
export function scopeText(scope: HookScope): string {
  return scope === "user" ? "for the user" : "for this project";
}

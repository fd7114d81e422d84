import type { SessionRef } from "../contract.ts";

/** What a ref means: the kind of store, and the flow or first checkpoint in it. */
export function partOf({ part = "" }: SessionRef): { readonly kind: string; readonly id: string } {
  const [kind = "", id = ""] = part.split(" ");
  return { kind, id };
}

import type { SessionHead } from "../model/head.ts";
import type { Store } from "./contract.ts";

/** The newest session that can be continued and does not continue in another; the heads come newest first. */
export function recentOf(
  heads: readonly SessionHead[],
  options: { readonly sealed?: boolean } = {},
): SessionHead | undefined {
  const left = new Set(
    heads.map(({ relation }) => relation?.kind === "continues" && relation.session),
  );
  return heads.find(
    ({ problem, session, sealed }) =>
      problem === undefined && !left.has(session) && (!options.sealed || sealed === true),
  );
}

/** The sessions of a store, newest first; with a folder those of its project. */
export async function headsOf(store: Store, cwd?: string): Promise<readonly SessionHead[]> {
  const heads: SessionHead[] = [];
  for await (const head of store.heads(cwd === undefined ? {} : { cwd })) heads.push(head);
  return heads;
}

import type { SessionHead } from "./head.ts";

/** What a list must know of every session, also of those it does not show. */
export interface Opening {
  readonly session: string;
  readonly cwd?: string;
  /** A subagent's session is shown under the one it worked for. */
  readonly subagent?: true;
}

/** An opening of its parts. Assigned one by one: a list makes thousands of these. */
export function opened(
  session: string,
  told: { readonly cwd?: string | undefined; readonly subagent?: boolean } = {},
): Opening {
  const opening: { -readonly [Key in keyof Opening]: Opening[Key] } = { session };
  if (told.cwd !== undefined) opening.cwd = told.cwd;
  if (told.subagent === true) opening.subagent = true;
  return opening;
}

/** What a whole head tells of a session's opening. */
export function openingOf(head: SessionHead | undefined): Opening | undefined {
  if (head === undefined) return undefined;
  return opened(head.session, { cwd: head.cwd, subagent: head.relation?.kind === "subagent" });
}

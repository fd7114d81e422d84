import type { SessionHead } from "./head.ts";

/** What a list must know of every session, also of those it does not show. */
export interface Opening {
  readonly session: string;
  readonly cwd?: string;
  /** A subagent's session is shown under the one it worked for. */
  readonly subagent?: true;
  /** It is listed only if it is asked for. */
  readonly aside?: true;
}

/** An opening of its parts. Assigned one by one: a list makes thousands of these. */
export function opened(
  session: string,
  told: {
    readonly cwd?: string | undefined;
    readonly subagent?: boolean;
    readonly aside?: boolean | undefined;
  } = {},
): Opening {
  const opening: { -readonly [Key in keyof Opening]: Opening[Key] } = { session };
  if (told.cwd !== undefined) opening.cwd = told.cwd;
  if (told.subagent === true) opening.subagent = true;
  if (told.aside === true) opening.aside = true;
  return opening;
}

/** What a whole head reports a session's opening. */
export function openingOf(head: SessionHead | undefined): Opening | undefined {
  if (head === undefined) return undefined;
  const { session, cwd, relation, aside } = head;
  return opened(session, { cwd, subagent: relation?.kind === "subagent", aside });
}

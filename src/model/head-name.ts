import type { SessionHead } from "./head.ts";

/** What of a head names its session. */
export type NamingFacts = Pick<SessionHead, "agent" | "session"> &
  Partial<Pick<SessionHead, "path" | "elsewhere">>;

/** What names a session among those of its agent: its id, or its path if it lies outside of every store. */
export function idOfHead({ session, path, elsewhere }: NamingFacts): string {
  return elsewhere === true ? (path ?? session) : session;
}

/** The name of a session among all, which can be typed: `agent:` and its id, or its path. */
export function nameOfHead(head: NamingFacts): string {
  return `${head.agent}:${idOfHead(head)}`;
}

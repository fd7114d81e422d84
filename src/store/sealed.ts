import { sessionIdProblem } from "../base/ids.ts";
import { readHeadAndFacts } from "./head.ts";
import { homeAt } from "./home.ts";
import { findSessionFile } from "./locate.ts";

/** Whether a file is a sealed session; one that is not there, or is none, is not. */
export function isSealedFile(path: string): boolean {
  return readHeadAndFacts(path).head.sealed === true;
}

/** Whether the session of an id is in a home, and sealed. */
export function isSealedSession(root: string, session: string): boolean {
  if (sessionIdProblem(session) !== undefined) return false;
  const file = findSessionFile(homeAt(root), session, { bases: true });
  return file !== undefined && isSealedFile(file);
}

import { dirname, sep } from "node:path";
import type { AgentHooks } from "../../agents/hooks-contract.ts";
import { sessionIdProblem } from "../../base/ids.ts";
import type { BridgeEvent } from "../../model/bridge-event.ts";
import { homeAt } from "../../store/home.ts";
import { findSessionFile } from "../../store/locate.ts";
import { firstLine } from "./start-line.ts";

/**
 * Whether an event is of a sealed session of ours: told by its transcript, or by its id where a program of its own
 * calls. Agents with hooks have their own transcripts: for them a file is looked into only if it lies in our home.
 */
export function isOfSealed(
  { transcript, session }: BridgeEvent,
  { root, hooks }: { readonly root: string; readonly hooks: AgentHooks | undefined },
): boolean {
  const home = dirname(root);
  if (hooks !== undefined) {
    return transcript?.startsWith(`${home}${sep}`) === true && isSealedFile(transcript);
  }
  if (transcript !== undefined && isSealedFile(transcript)) return true;
  if (sessionIdProblem(session) !== undefined) return false;
  const file = findSessionFile(homeAt(home), session, { bases: true });
  return file !== undefined && isSealedFile(file);
}

/** Whether a file begins as a sealed session does, however long its first line is. */
function isSealedFile(path: string): boolean {
  try {
    const line = firstLine(path) ?? "";
    return line.includes('"type":"session_start"') && /"seal(ed)?":/.test(line);
  } catch {
    return false;
  }
}

import type { FoundSession } from "../../../agents/find-sessions.ts";
import type { Environment } from "../../../base/env.ts";
import { isBelow } from "../../../store/bring-back.ts";
import { userHome } from "../../../store/home.ts";
import { sourcesOf } from "../../../store/sources.ts";

/**
 * Whether a session is only in a source the user added, or in a file outside of every store: its agent does not look there,
 * and cannot continue it in place.
 */
export function isInSource({ agent, ref, head }: FoundSession, env: Environment): boolean {
  if (head.elsewhere === true) return true;
  const isAdded = sourcesOf(userHome(env)).some(
    ({ path }) => ref.path === path || isBelow(path, ref.path),
  );
  if (!isAdded) return false;
  for (const own of agent.locate(env)) if (own.path === ref.path) return false;
  return true;
}

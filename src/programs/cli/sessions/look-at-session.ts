import type { FoundSession } from "../../../agents/newest-sessions.ts";
import type { Environment } from "../../../base/env.ts";
import { type ContextLook, lookAt } from "../../../bridge/state/look.ts";
import { bridgeRoot } from "../../../bridge/state/places.ts";

/** How full a session is that a list or a reference found. */
export function lookAtSession(
  { agent, ref, head }: FoundSession,
  { env }: { readonly env: Environment },
): Promise<ContextLook> {
  const root = bridgeRoot(env.variables, env.home);
  const { session, model } = head;
  return lookAt(root, { agent, ref, session, ...(model !== undefined && { model }) });
}

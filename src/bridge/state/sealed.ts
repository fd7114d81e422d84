import { dirname, sep } from "node:path";
import type { AgentHooks } from "../../agents/hooks-contract.ts";
import type { BridgeEvent } from "../../model/bridge-event.ts";

/**
 * Whether an event is of a sealed session of ours: told by its transcript, or by its id where a program of its own
 * calls. The store is looked at only then: agents with hooks have their own transcripts, and their hooks no time.
 */
export async function isOfSealed(
  event: BridgeEvent,
  { root, hooks }: { readonly root: string; readonly hooks: AgentHooks | undefined },
): Promise<boolean> {
  const home = dirname(root);
  const isOurs = event.transcript?.startsWith(`${home}${sep}`) === true;
  if (hooks !== undefined && !isOurs) return false;
  const { isSealedFile, isSealedSession } = await import("../../store/sealed.ts");
  if (event.transcript !== undefined && isSealedFile(event.transcript)) return true;
  return isSealedSession(home, event.session);
}

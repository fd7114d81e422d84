import type { EventId } from "../model/event.ts";
import { quietTypes } from "../model/event-groups.ts";
import type { Store } from "./contract.ts";

/** Whether only quiet events of a session lie between two ids. */
export async function isQuietBetween(
  store: Store,
  session: string,
  { after, before }: { readonly after: EventId; readonly before: EventId },
): Promise<boolean> {
  if (before <= after + 1) return true;
  for await (const { id, type } of store.read(session, { from: after + 1 })) {
    if (id >= before) break;
    if (!quietTypes.has(type)) return false;
  }
  return true;
}

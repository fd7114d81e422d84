import { userHome } from "../../store/home.ts";
import { knowsJournal } from "./journal-stamp.ts";
import type { Catalog } from "./open.ts";
import { knownFolders } from "./source.ts";
import { sweep } from "./sweep.ts";
import type { Updated, UpdateOptions } from "./update.ts";

/**
 * Brings the index up to date, within the time given. Where nothing changed, as is usual, that costs a look
 * at every file, and what reads sessions is not even loaded.
 */
export async function freshen(catalog: Catalog, options: UpdateOptions): Promise<Updated> {
  const { connection } = catalog;
  const isHeard = knowsJournal(connection, userHome(options.env));
  const folders = knownFolders(connection);
  // Of an agent without a store not even the code is needed.
  const agents = await (options.presentAgents?.(folders) ?? options.agents());
  const swept = sweep(connection, agents, options.env, folders);
  const isCurrent = swept.stale.length === 0 && swept.vanished.length === 0 && isHeard;
  if (isCurrent) return { swept, read: 0, gone: 0, pending: [] };
  const { update } = await import("./update.ts");
  return update(catalog, { ...options, swept });
}

import type { SessionRef } from "../../agents/contract.ts";
import { beginLook, endLook, type Look, sees } from "../../base/look.ts";
import { watchedEnvironment } from "../../base/watched-env.ts";
import type { Connection } from "../../sqlite/engine.ts";
import { userHome } from "../../store/home.ts";
import { knowsJournal } from "./journal-stamp.ts";
import { keepLook, sessionsByLook } from "./kept-look.ts";
import type { Catalog } from "./open.ts";
import { presentRefs } from "./source.ts";
import { isUnchanged, type Swept, sweep, versionOf } from "./sweep.ts";
import type { Updated, UpdateOptions } from "./update.ts";

/**
 * Brings the index up to date, within the time given. Where nothing changed, as is usual, that costs a look
 * at every file, and what reads sessions is not even loaded.
 */
export async function freshen(catalog: Catalog, options: UpdateOptions): Promise<Updated> {
  const { connection } = catalog;
  const isHeard = knowsJournal(connection, userHome(options.env));
  const swept =
    (isHeard ? sweptBefore(connection, options) : undefined) ??
    (await sweepOnRecord(catalog, options));
  const isCurrent = swept.stale.length === 0 && swept.vanished.length === 0 && isHeard;
  if (isCurrent) return { swept, read: 0, gone: 0, pending: [] };
  const { update } = await import("./update.ts");
  return update(catalog, { ...options, swept });
}

type Where = Pick<UpdateOptions, "agents" | "code" | "env">;

/** What a sweep would find, where one that was kept tells it. */
function sweptBefore(connection: Connection, { env }: Where): Swept | undefined {
  const sessions = sessionsByLook(connection, env);
  if (sessions === undefined) return undefined;
  const refs = (): readonly SessionRef[] => presentRefs(connection);
  const version = versionOf(connection);
  return { sessions, refs, stale: [], vanished: [], sealed: [], knowsMore: false, version };
}

/** Sweeps, and keeps what was seen where there is nothing to do. */
async function sweepOnRecord(
  { connection, readOnly }: Catalog,
  { agents, code, env }: Where,
): Promise<Swept> {
  const watched = watchedEnvironment(env);
  beginLook();
  const begunMs = Date.now();
  let look: Look | undefined;
  let swept: Swept;
  try {
    for (const path of code) sees(path);
    swept = sweep(connection, await agents(), watched.env);
  } finally {
    look = endLook(begunMs);
  }
  const { stale, vanished, sealed, knowsMore, sessions } = swept;
  const isPlain = stale.length + vanished.length + sealed.length === 0 && !knowsMore;
  if (look !== undefined && isPlain && !readOnly) {
    const isSame = (): boolean => isUnchanged(connection, swept);
    keepLook(connection, look, { env, variables: watched.asked(), sessions, isSame });
  }
  return swept;
}

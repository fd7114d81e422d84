import { statSync } from "node:fs";
import type { OnMachine } from "../../agents/library.ts";
import { loadAgent } from "../../agents/registry.ts";
import { agentsIn, everyAgent } from "../../agents/user-agents.ts";
import { processEnvironment } from "../../base/env.ts";
import { RepriseError } from "../../base/errors.ts";
import { holderName } from "../../base/holder.ts";
import { storeHolder } from "../../base/store-leases.ts";
import { type Home, userHome } from "../../store/home.ts";
import { freshen } from "./freshen.ts";
import { type Catalog, openCatalog, removeDatabase } from "./open.ts";
import { includeSealed } from "./sealed.ts";
import { sweep } from "./sweep.ts";
import { indexTotals, type Totals } from "./totals.ts";
import type { Updated, UpdateOptions } from "./update.ts";

/** How the index stands. */
export interface IndexStatus extends Totals {
  readonly path: string;
  readonly sizeBytes: number;
  /** Sessions that it does not have as they are now. */
  readonly pending: number;
  /** Sessions that were read now. */
  readonly indexed: number;
  /** Who is writing to it right now, so that this process did not. */
  readonly busy?: string;
  /** What a user should know about how it was opened. */
  readonly notes: readonly string[];
}

/** The machine whose sessions are indexed or searched. */
export interface IndexedMachine extends OnMachine {
  /** Hears what the user should know, such as an agent that cannot be loaded. */
  onNote?(sentence: string): void;
}

/** What everything that indexes or searches a machine needs: agents are loaded only to read. */
export function machineOptions({
  env = processEnvironment(),
  onNote,
}: IndexedMachine): Pick<UpdateOptions, "env" | "agents" | "presentAgents" | "agent"> {
  return {
    env,
    agents: () => everyAgent(onNote),
    presentAgents: (projects) => agentsIn(env, onNote, projects),
    agent: loadAgent,
  };
}

/** How the index is opened. */
export interface OpenIndexOptions extends IndexedMachine {
  /** Throw it away first; it is made anew, without the text of sealed sessions. */
  readonly rebuild?: boolean;
  /** Also the text of sealed sessions, from now on. */
  readonly sealed?: boolean;
}

/** The open search index of a machine. */
export interface SearchIndex {
  /** Says how it stands; nothing is read into it. */
  status(): Promise<IndexStatus>;
  /** Reads everything that is new into it. */
  update(options?: Pick<UpdateOptions, "onProgress" | "signal">): Promise<IndexStatus>;
  close(): void;
}

/**
 * Opens the index of every session, making it where it is missing. Throws `failed` if there can be none, and `session_busy`
 * where it is to be rebuilt while another process writes to it.
 */
export function openIndex(options: OpenIndexOptions = {}): SearchIndex {
  const { rebuild, sealed } = options;
  const machine = machineOptions(options);
  const home = userHome(machine.env);
  if (rebuild) removeIndex(home);
  const catalog = openCatalog(home.derived);
  if ("why" in catalog) throw new RepriseError("failed", `${catalog.why}.`, { hint: noIndexHint });
  if (sealed) includeSealed(catalog.connection);
  return {
    status: async () => {
      const swept = sweep(catalog.connection, await machine.agents(), machine.env);
      const holder = storeHolder(home.leases, "catalog");
      const pending = swept.stale.map(({ ref }) => ref);
      const busy = holder === undefined ? {} : { busy: holderName(holder) };
      return statusOf(catalog, { swept, read: 0, gone: 0, pending, ...busy });
    },
    update: async (how = {}) => statusOf(catalog, await freshen(catalog, { ...machine, ...how })),
    close: () => catalog.close(),
  };
}

const noIndexHint = "`reprise search` works without an index, by reading; it is only slower.";

function removeIndex(home: Home): void {
  const holder = storeHolder(home.leases, "catalog");
  if (holder !== undefined) {
    throw new RepriseError("session_busy", `The index is being written by ${holderName(holder)}.`);
  }
  const opened = openCatalog(home.derived);
  if ("why" in opened) return;
  opened.close();
  if (!opened.readOnly) removeDatabase(opened.path);
}

function statusOf(catalog: Catalog, done: Updated): IndexStatus {
  const sizeBytes = ["", "-wal"].reduce(
    (sum, side) => sum + (statSync(catalog.path + side, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  return {
    path: catalog.path,
    sizeBytes,
    ...indexTotals(catalog.connection),
    pending: done.pending.length,
    indexed: done.read,
    ...(done.busy !== undefined && { busy: done.busy }),
    notes: catalog.notes,
  };
}

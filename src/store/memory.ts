import { checkSessionId } from "../base/ids.ts";
import type { SessionStart } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";
import type { HeadsFilter, OpenedSession, Store, SyncSessions } from "./contract.ts";
import { filteredHeads, newestOfProject } from "./heads-filter.ts";
import { headOfLog } from "./log-head.ts";
import { LogStore, noSession, openedFrom, takenId } from "./log-store.ts";
import { eventsUpTo, memoryLog } from "./memory-log.ts";
import type { SessionLog } from "./session-log.ts";

/** Sessions in memory, for tests and for agents that keep nothing. */
export class MemoryStore extends LogStore implements Store {
  /** What people see of it; the entry is minified. */
  static override readonly name = "MemoryStore";
  readonly #logs = new Map<string, SessionLog>();

  readonly sync: SyncSessions = {
    create: (start) => this.#add(start),
    open: (session) => this.log(session),
    heads: (filter) => this.#heads(filter),
  };

  async create(start: SessionStart): Promise<OpenedSession> {
    return openedFrom(this.#add(start));
  }

  async *heads(filter?: HeadsFilter): AsyncGenerator<SessionHead> {
    yield* this.#heads(filter);
  }

  async remove(session: string): Promise<void> {
    this.log(session);
    this.#logs.delete(session);
  }

  async close(): Promise<void> {}

  #add(start: SessionStart): SessionLog {
    checkSessionId(start.session);
    if (this.#logs.has(start.session)) throw takenId(start.session);
    const { base } = start;
    const shared = base === undefined ? [] : eventsUpTo(this.log(base.session), base.event);
    const log = memoryLog(start, shared);
    this.#logs.set(start.session, log);
    return log;
  }

  #heads(filter: HeadsFilter = {}): Iterable<SessionHead> {
    // Of two with the same time the one that was made later comes first.
    const heads = [...this.#logs.values()]
      .reverse()
      .map((log) => headOfLog(log, { path: "memory", newest: log.events({ reverse: true }) }));
    return filteredHeads(newestOfProject(heads, filter.cwd), filter);
  }

  protected override log(session: string): SessionLog {
    const log = this.#logs.get(session);
    if (log === undefined) throw noSession(session);
    return log;
  }
}

import { checkSessionId } from "../base/ids.ts";
import type { EventId, SessionEvent, SessionStart } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";
import type { HeadsFilter, OpenedSession, Store } from "./contract.ts";
import { baseAt, LogStore, noSession, openedFrom, takenId } from "./log-store.ts";
import { memoryLog } from "./memory-log.ts";
import { ownAgent } from "./own-agent.ts";
import { identifyProject, sameProject } from "./project.ts";
import type { SessionLog } from "./session-log.ts";

/** Sessions in memory, for tests and for agents that keep nothing. */
export class MemoryStore extends LogStore implements Store {
  /** What people see of it; the entry is minified. */
  static override readonly name = "MemoryStore";
  readonly #logs = new Map<string, SessionLog>();

  async create(start: SessionStart): Promise<OpenedSession> {
    return this.#add(start, []);
  }

  async fork(session: string, at: EventId | undefined, id: string): Promise<OpenedSession> {
    const log = this.log(session);
    const base = baseAt(log, at);
    const { id: _id, parent: _parent, at: _at, ...start } = log.start;
    const shared = [...log.events()].filter((event) => event.id <= base.event);
    return this.#add({ ...start, session: id, base }, shared);
  }

  async *heads(filter: HeadsFilter = {}): AsyncGenerator<SessionHead> {
    const project = filter.cwd === undefined ? undefined : identifyProject(filter.cwd).identity;
    const heads = [...this.#logs.values()]
      .map(headOf)
      .filter((head) => filter.tag === undefined || head.tags?.includes(filter.tag))
      .filter(
        (head) =>
          project === undefined ||
          (head.project !== undefined && sameProject(head.project, project)),
      )
      .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
    yield* heads.slice(0, filter.limit);
  }

  async remove(session: string): Promise<void> {
    this.log(session);
    this.#logs.delete(session);
  }

  async close(): Promise<void> {}

  #add(start: SessionStart, base: readonly SessionEvent[]): OpenedSession {
    checkSessionId(start.session);
    if (this.#logs.has(start.session)) {
      throw takenId(start.session);
    }
    const log = memoryLog(start, base);
    this.#logs.set(start.session, log);
    return openedFrom(log);
  }

  protected override log(session: string): SessionLog {
    const log = this.#logs.get(session);
    if (log === undefined) throw noSession(session);
    return log;
  }
}

function headOf(log: SessionLog): SessionHead {
  const { title, tags, pinned } = log.meta();
  const { project, cwd, at } = log.start;
  let updatedAt = at;
  for (const event of log.events({ reverse: true })) {
    updatedAt = event.at;
    break;
  }
  return {
    agent: ownAgent,
    session: log.session,
    path: "memory",
    sizeBytes: log.sizeBytes(),
    createdAt: at,
    updatedAt,
    state: "unknown",
    events: log.lastId(),
    ...(title !== undefined && title !== null && { title }),
    ...(tags !== undefined && { tags }),
    ...(pinned !== undefined && { pinned }),
    ...(project !== undefined && { project }),
    ...(cwd !== undefined && { cwd }),
  };
}

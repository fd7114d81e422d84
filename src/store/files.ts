import type { Collection } from "../blobs/collect.ts";
import type { SessionStart } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";
import { collect } from "./collect.ts";
import type { HeadsFilter, OpenedSession, Store, SyncSessions } from "./contract.ts";
import type { FileLogOptions } from "./file-log.ts";
import { createInFolder, openInFolder } from "./folder-sessions.ts";
import { filteredHeads } from "./heads-filter.ts";
import { folderHome, type Home } from "./home.ts";
import { listHeads } from "./list.ts";
import { LogStore, openedFrom } from "./log-store.ts";
import { identifyProject } from "./project.ts";
import { removeSession } from "./remove.ts";
import type { SessionLog } from "./session-log.ts";

/** Sessions as files of one folder: the embedded engine. */
export class FileStore extends LogStore implements Store {
  /** What people see of it; the entry is minified. */
  static override readonly name = "FileStore";
  readonly #home: Home;
  readonly #options: FileLogOptions;
  readonly #open = new Map<string, SessionLog>();

  /** Each log is opened for one manager, beside those that the store holds itself. */
  readonly sync: SyncSessions = {
    create: (start) => createInFolder(this.#home, start, this.#options),
    open: (session) => openInFolder(this.#home, session, this.#options),
    heads: (filter) => this.#heads(filter),
  };

  constructor(folder: string, options: FileLogOptions = {}) {
    super();
    this.#home = folderHome(folder);
    this.#options = options;
  }

  async create(start: SessionStart): Promise<OpenedSession> {
    const log = createInFolder(this.#home, start, this.#options);
    this.#open.set(start.session, log);
    return openedFrom(log);
  }

  async *heads(filter?: HeadsFilter): AsyncGenerator<SessionHead> {
    yield* this.sync.heads(filter);
  }

  async remove(session: string): Promise<void> {
    const log = this.log(session);
    this.#open.delete(session);
    await log.close();
    removeSession(this.#home, log.file!, { archive: false });
  }

  /** Deletes large content that no session refers to any more; it looks through all of them. */
  async collect(): Promise<Collection> {
    return collect(this.#home);
  }

  async close(): Promise<void> {
    const logs = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(logs.map((log) => log.close()));
  }

  #heads(filter: HeadsFilter = {}): Iterable<SessionHead> {
    const { cwd } = filter;
    const project = cwd === undefined ? undefined : identifyProject(cwd).identity;
    return filteredHeads(listHeads(this.#home, { project }), filter);
  }

  protected override log(session: string): SessionLog {
    const open = this.#open.get(session);
    if (open !== undefined) return open;
    const log = openInFolder(this.#home, session, this.#options);
    this.#open.set(session, log);
    return log;
  }
}

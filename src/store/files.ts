import type { Collection } from "../blobs/collect.ts";
import type { EventId, SessionStart } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";
import { collect } from "./collect.ts";
import type { HeadsFilter, OpenedSession, Store } from "./contract.ts";
import type { FileLogOptions } from "./file-log.ts";
import { createInFolder, openInFolder } from "./folder-sessions.ts";
import { folderHome, type Home } from "./home.ts";
import { listHeads } from "./list.ts";
import { baseAt, LogStore, openedFrom } from "./log-store.ts";
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

  async fork(session: string, at: EventId | undefined, id: string): Promise<OpenedSession> {
    const log = this.log(session);
    const base = baseAt(log, at);
    const { cwd, project, model, seal } = log.start;
    return this.create({
      type: "session_start",
      format: log.start.format,
      session: id,
      ...(cwd !== undefined && { cwd }),
      ...(project !== undefined && { project }),
      ...(model !== undefined && { model }),
      base,
      // One key for the whole lineage: what is read in the base is opened with it too.
      ...(seal !== undefined && { seal }),
    });
  }

  async *heads(filter: HeadsFilter = {}): AsyncGenerator<SessionHead> {
    const project = filter.cwd === undefined ? undefined : identifyProject(filter.cwd).identity;
    let left = filter.limit ?? Number.POSITIVE_INFINITY;
    for (const head of listHeads(this.#home, { project })) {
      if (filter.tag !== undefined && !head.tags?.includes(filter.tag)) continue;
      if (left <= 0) return;
      left -= 1;
      yield head;
    }
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

  protected override log(session: string): SessionLog {
    const open = this.#open.get(session);
    if (open !== undefined) return open;
    const log = openInFolder(this.#home, session, this.#options);
    this.#open.set(session, log);
    return log;
  }
}

import { join } from "node:path";
import { checkSessionId } from "../base/ids.ts";
import type { Collection } from "../blobs/collect.ts";
import type { EventId, SessionStart } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";
import { collect } from "./collect.ts";
import type { HeadsFilter, OpenedSession, Store } from "./contract.ts";
import { FileLog, type FileLogOptions } from "./file-log.ts";
import { fileNameOf, folderHome, type Home } from "./home.ts";
import { listHeads } from "./list.ts";
import { findSessionFile, refuseUsedId } from "./locate.ts";
import { baseAt, LogStore, noSession, openedFrom } from "./log-store.ts";
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
    checkSessionId(start.session);
    refuseUsedId(this.#home, this.#home.sessions, start.session);
    const file = join(this.#home.sessions, fileNameOf(start.session));
    const log = FileLog.create(this.#home, file, start, this.#options);
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
    const file = findSessionFile(this.#home, session);
    if (file === undefined) throw noSession(session);
    const log = FileLog.open(this.#home, file, this.#options);
    this.#open.set(session, log);
    return log;
  }
}

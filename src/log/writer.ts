import { dirname } from "node:path";
import { atomicWrite } from "../base/atomic-write.ts";
import type { Disk } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { errnoOf, RepriseError } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import { leaseLost } from "../base/lease.ts";
import { storeLease } from "../base/store-leases.ts";
import { isOfSystem, whyRefused, writeError } from "../base/system-error.ts";
import type { SessionEvent, SessionStart } from "../model/event.ts";
import { type Draft, frozen } from "./draft.ts";
import { Durability } from "./durability.ts";
import { onlyQuietSince } from "./find.ts";
import { firstLine } from "./first-line.ts";
import { type Header, readHeader } from "./header.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { LogEnd } from "./log-end.ts";
import { LogFile } from "./log-file.ts";
import { checkDemand } from "./seen.ts";
import type { SessionMeta } from "./session-meta.ts";
import type { TailState } from "./tail.ts";
import type { AppendOptions, LogPlaces, WriterOptions } from "./writer-options.ts";

interface Waiting {
  readonly drafts: readonly Draft[];
  readonly options: AppendOptions;
  readonly resolve: (events: readonly SessionEvent[]) => void;
  readonly reject: (error: unknown) => void;
}

/** A session's file that is open already, and its first line. */
export interface OpenedLog {
  readonly file: LogFile;
  readonly header: Header;
}

/**
 * Appends to one session file. The order of an append: take the lease or look at it, look at the file, mend its end
 * if it is damaged, one write call, sync as promised, look at the lease again, acknowledge.
 */
export class LogWriter {
  readonly places: LogPlaces;
  readonly header: Header;
  readonly file: LogFile;
  readonly #options: WriterOptions;
  readonly #lease: LeaseKeeper;
  readonly #durability: Durability;
  readonly #end: LogEnd;
  #waiting: Waiting[] = [];
  #isTaking = false;
  #closed = false;
  #closing: Promise<void> | undefined;

  private constructor(
    places: LogPlaces,
    options: WriterOptions,
    opened: OpenedLog & { readonly lease: LeaseKeeper; readonly isNamed: boolean },
  ) {
    this.places = places;
    this.header = opened.header;
    this.#options = options;
    this.file = opened.file;
    this.#lease = opened.lease;
    this.#durability = new Durability(options.disk, {
      policy: options.sync,
      file: opened.file,
      isNamed: opened.isNamed,
    });
    this.#end = new LogEnd(
      { places, header: opened.header, file: opened.file },
      {
        disk: options.disk,
        seal: options.seal,
        lease: opened.lease,
        durability: this.#durability,
      },
    );
    // Somebody who was replaced may have written since: what it left is set right by the process that holds the lease.
    this.#lease.onIdle = () => {
      if (this.#end.state !== undefined) this.file.use(() => this.#end.lookAgain());
    };
  }

  /**
   * Makes a new session: its first line is written aside and linked into place, so the file is never
   * seen without a header, and an existing one is never touched. Unless the caller wants no syncs it is
   * durable at once: a power cut leaves a session or nothing, never a name without content.
   */
  static create(places: LogPlaces, start: SessionStart, options: WriterOptions): LogWriter {
    const { disk } = options;
    const lease = new LeaseKeeper(storeLease(places.leases, start.session), options);
    try {
      makeDurableDirectory(dirname(places.file), disk);
      lease.takeNow(options.waitMs);
      const bytes = firstLine(start, options);
      failpoint("create.before-publish");
      const isNamed = options.sync !== "none";
      if (!atomicWrite(places.file, bytes, { publish: "exclusive", sync: isNamed, disk })) {
        throw new RepriseError("session_exists", `Session ${start.session} already exists.`);
      }
      failpoint("create.after-publish");
      const opened = openedLog(places.file, disk);
      return new LogWriter(places, options, { ...opened, lease, isNamed });
    } catch (error) {
      lease.close();
      if (!isOfSystem(error) || errnoOf(error) === "EEXIST") throw error;
      throw writeError(error, `${places.file} cannot be made: ${whyRefused(error)}.`);
    }
  }

  /** A writer of an existing session; nothing is changed, or opened for it, until the first append. */
  static over(places: LogPlaces, opened: OpenedLog, options: WriterOptions): LogWriter {
    const { start, isLost } = opened.header;
    if (isLost) {
      throw new RepriseError("damaged", `The first line of ${places.file} is lost.`, {
        hint: "Nothing was changed. The events after it can be read; a fork can be appended to.",
      });
    }
    const lease = new LeaseKeeper(storeLease(places.leases, start.session), options);
    // Anyone who made the file may have been killed before its name was on the disk.
    return new LogWriter(places, options, { ...opened, lease, isNamed: false });
  }

  /** Opens an existing session for appending; nothing is changed until the first append. */
  static open(places: LogPlaces, options: WriterOptions): LogWriter {
    const opened = openedLog(places.file, options.disk);
    try {
      return LogWriter.over(places, opened, options);
    } catch (error) {
      opened.file.close();
      throw error;
    }
  }

  get session(): string {
    return this.header.start.session;
  }

  /** The end of what this writer has verified or written; undefined before its first append. */
  get tail(): TailState | undefined {
    return this.#end.state;
  }

  /** Appends events in one write call and resolves when they are as durable as promised. */
  append(drafts: readonly Draft[], options: AppendOptions = {}): Promise<readonly SessionEvent[]> {
    if (this.#closed) return Promise.reject(this.#isClosed());
    if (options.signal?.aborted) return Promise.reject(aborted(options.signal));
    try {
      if (this.#waiting.length > 0 || !this.#lease.held) return this.#queue(drafts, options);
      const events = this.#write(drafts, options);
      const { term } = this.#lease;
      this.#giveBackIfShort();
      return this.#whenDurable(events, term);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** The same, blocking: what is queued is written first. */
  appendSync(drafts: readonly Draft[], options: AppendOptions = {}): readonly SessionEvent[] {
    // Before the lease: one taken for nothing would keep others out.
    if (this.#closed) throw this.#isClosed();
    this.#lease.takeNow(this.#options.waitMs);
    this.#writeWaiting();
    this.#lease.takeNow(this.#options.waitMs);
    const { term } = this.#lease;
    let events: readonly SessionEvent[];
    try {
      events = this.#write(drafts, options);
    } finally {
      this.#giveBackIfShort();
    }
    if (this.#durability.mustSync(events)) this.#durability.syncNow();
    this.#lease.confirm(term);
    return events;
  }

  /** Mends and verifies the end now, and makes everything appended so far durable. */
  flushSync(): void {
    this.#lease.takeNow(this.#options.waitMs);
    try {
      this.file.needAppending();
      this.file.use(() => this.#end.look());
    } finally {
      this.#giveBackIfShort();
    }
    this.#durability.syncNow();
  }

  /** What is known of the whole session. */
  meta(): SessionMeta {
    return this.file.use(() => this.#end.meta());
  }

  /** Takes the lease now, blocking, before there is anything to write. */
  holdNow(): void {
    this.#lease.takeNow(this.#options.waitMs);
  }

  /** Writes what is queued, waits for syncs under way, gives the lease back. */
  close(): Promise<void> {
    this.#closing ??= this.#closeOnce();
    return this.#closing;
  }

  async #closeOnce(): Promise<void> {
    if (this.#waiting.length > 0) await this.#queue([], {}).catch(() => undefined);
    this.#closed = true;
    await this.#durability.settled();
    this.#lease.close();
    this.file.close();
  }

  #queue(drafts: readonly Draft[], options: AppendOptions): Promise<readonly SessionEvent[]> {
    return new Promise((resolve, reject) => {
      const waiting = { drafts: drafts.map(frozen), options, resolve, reject };
      this.#waiting.push(options.signal === undefined ? waiting : this.#abortable(waiting));
      if (!this.#isTaking) void this.#takeThenWrite();
    });
  }

  /** Leaves the queue when its signal says so; what was written by then is written. */
  #abortable(waiting: Waiting): Waiting {
    const signal = waiting.options.signal!;
    const leave = () => {
      if (!this.#waiting.includes(heard)) return;
      this.#waiting = this.#waiting.filter((other) => other !== heard);
      if (this.#waiting.length === 0) this.#lease.stopTaking();
      waiting.reject(aborted(signal));
    };
    const heard: Waiting = {
      ...waiting,
      resolve: (events) => {
        signal.removeEventListener("abort", leave);
        waiting.resolve(events);
      },
      reject: (error) => {
        signal.removeEventListener("abort", leave);
        waiting.reject(error);
      },
    };
    signal.addEventListener("abort", leave, { once: true });
    return heard;
  }

  async #takeThenWrite(): Promise<void> {
    this.#isTaking = true;
    try {
      while (this.#waiting.length > 0) {
        await this.#lease.take(this.#options.waitMs, () => this.#writeWaiting());
        this.#writeWaiting();
      }
    } catch (error) {
      for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
    } finally {
      this.#isTaking = false;
    }
  }

  #writeWaiting(): void {
    if (this.#waiting.length === 0 || !this.#lease.held) return;
    for (const { drafts, options, resolve, reject } of this.#waiting.splice(0)) {
      try {
        const events = this.#write(drafts, options);
        this.#whenDurable(events, this.#lease.term).then(resolve, reject);
      } catch (error) {
        reject(error);
      }
    }
    this.#giveBackIfShort();
  }

  #write(drafts: readonly Draft[], options: AppendOptions): readonly SessionEvent[] {
    if (this.#closed) throw this.#isClosed();
    this.#durability.check();
    if (!this.#lease.held) throw leaseLost(this.session);
    this.file.enter();
    try {
      this.file.needAppending();
      const state = this.#end.look();
      if (drafts.length === 0) return [];
      const knowsAll = checkDemand(drafts, options, {
        last: state.lastId,
        isQuietSince: (id) => onlyQuietSince(this.file.fd, id, state.size),
      });
      const { events, next } = this.#end.put(drafts, state);
      if (knowsAll && options.seen !== undefined) options.seen.last = next.lastId;
      return events;
    } finally {
      this.file.leave();
    }
  }

  #isClosed(): RepriseError {
    return new RepriseError("closed", `Session ${this.session} is closed.`);
  }

  /** Resolves when events are as durable as promised, and were written under a lease that was held after it. */
  #whenDurable(events: readonly SessionEvent[], term: number): Promise<readonly SessionEvent[]> {
    if (!this.#durability.mustSync(events)) {
      this.#lease.confirm(term);
      return Promise.resolve(events);
    }
    // Until then its descriptor stays: a failed write is reported through that alone.
    this.file.enter();
    return new Promise((resolve, reject) => {
      this.#durability.whenSynced((error) => {
        this.file.leave();
        try {
          if (error !== undefined) throw error;
          this.#lease.confirm(term);
          resolve(events);
        } catch (failure) {
          reject(failure);
        }
      });
    });
  }

  #giveBackIfShort(): void {
    if (this.#options.leasePerAppend) this.#lease.release();
  }
}

function openedLog(path: string, disk: Disk): OpenedLog {
  const file = new LogFile(path, disk, { isForAppending: true });
  try {
    return { file, header: file.use((fd) => readHeader(fd, path)) };
  } catch (error) {
    file.close();
    throw error;
  }
}

function aborted(signal: AbortSignal): RepriseError {
  return new RepriseError("aborted", "The append was given up before it was written.", {
    cause: signal.reason,
  });
}

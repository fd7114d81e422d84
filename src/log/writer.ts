import { closeSync } from "node:fs";
import { dirname } from "node:path";
import { atomicWrite } from "../base/atomic-write.ts";
import { isoNow } from "../base/clock.ts";
import { type Disk, inodeAt } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { RepriseError } from "../base/errors.ts";
import { failpoint, isArmed, tearAndCrash } from "../base/failpoint.ts";
import { writeError } from "../base/system-error.ts";
import type { EventFrame, EventId, SessionEvent, SessionStart } from "../model/event.ts";
import { type Batch, encodeBatch } from "./batch.ts";
import { type Draft, frozen } from "./draft.ts";
import { Durability } from "./durability.ts";
import { onlyQuietSince } from "./find.ts";
import { type Header, readHeader, sumBefore } from "./header.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { encodeBody, LineEncoder, type LineFrame } from "./line.ts";
import { draftsFromQuarantine, isMended } from "./mend.ts";
import { settleOldStrip } from "./old-strip.ts";
import { openForAppending } from "./open-file.ts";
import { finishQuarantine, pendingQuarantine, type Quarantined, quarantine } from "./quarantine.ts";
import { tryOpen } from "./seal.ts";
import { readMeta, type SessionMeta } from "./session-meta.ts";
import { examineTail, stateAt, type TailReport, type TailState } from "./tail.ts";
import { isMendingUnfinished } from "./unfinished-mending.ts";
import { writeOnce } from "./write-once.ts";
import type { AppendOptions, LogPlaces, WriterOptions } from "./writer-options.ts";

interface Waiting {
  readonly drafts: readonly Draft[];
  readonly options: AppendOptions;
  readonly resolve: (events: readonly SessionEvent[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends to one session file. The order of an append: take the lease, look at the file, mend its end
 * if it is damaged, one write call, sync as promised, acknowledge.
 */
export class LogWriter {
  readonly places: LogPlaces;
  readonly header: Header;
  readonly #options: WriterOptions;
  readonly #disk: Disk;
  readonly #lease: LeaseKeeper;
  readonly #durability: Durability;
  readonly #encoder = new LineEncoder();
  readonly #open = (event: SessionEvent) => tryOpen(this.#options.seal, event);
  readonly #knownMeta = () => this.meta();
  readonly #waiting: Waiting[] = [];
  readonly #fd: number;
  #state: TailState | undefined;
  #meta: SessionMeta | undefined;
  #lookedInTerm = -1;
  #lookedMs = 0;
  #closed = false;
  #closing: Promise<void> | undefined;

  private constructor(
    places: LogPlaces,
    options: WriterOptions,
    opened: {
      readonly fd: number;
      readonly header: Header;
      readonly lease: LeaseKeeper;
      readonly isNamed: boolean;
    },
  ) {
    this.places = places;
    this.header = opened.header;
    this.#options = options;
    this.#disk = options.disk;
    this.#fd = opened.fd;
    this.#lease = opened.lease;
    this.#durability = new Durability(options.disk, {
      policy: options.sync,
      file: { fd: opened.fd, path: places.file },
      isNamed: opened.isNamed,
    });
  }

  /**
   * Makes a new session: its first line is written aside and linked into place, so the file is never
   * seen without a header, and an existing one is never touched. Unless the caller wants no syncs it is
   * durable at once: a power cut leaves a session or nothing, never a name without content.
   */
  static create(places: LogPlaces, start: SessionStart, options: WriterOptions): LogWriter {
    const { disk } = options;
    makeDurableDirectory(dirname(places.file), disk);
    const lease = new LeaseKeeper(places.leases, start.session);
    lease.takeNow(options.waitMs);
    try {
      const frame = firstFrame(start, options);
      const text = options.seal?.sealBody(frame, start, sumBefore(start)) ?? encodeBody(start);
      const { bytes } = new LineEncoder().encode(frame, text, sumBefore(start));
      failpoint("create.before-publish");
      const isNamed = options.sync !== "none";
      if (!atomicWrite(places.file, bytes, { publish: "exclusive", sync: isNamed, disk })) {
        throw new RepriseError("session_exists", `Session ${start.session} is there already.`);
      }
      failpoint("create.after-publish");
      const fd = openForAppending(places.file, disk);
      const header = readHeader(fd, places.file);
      return new LogWriter(places, options, { fd, header, lease, isNamed });
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  /** Opens an existing session for appending; nothing is changed until the first append. */
  static open(places: LogPlaces, options: WriterOptions): LogWriter {
    const fd = openForAppending(places.file, options.disk);
    try {
      const header = readHeader(fd, places.file);
      if (header.isLost) {
        throw new RepriseError("damaged", `The first line of ${places.file} is lost.`, {
          hint: "Nothing was changed. The events after it can be read; a fork can be appended to.",
        });
      }
      const lease = new LeaseKeeper(places.leases, header.start.session);
      // Whoever made the file may have been killed before its name was on the disk.
      return new LogWriter(places, options, { fd, header, lease, isNamed: false });
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  get session(): string {
    return this.header.start.session;
  }

  /** The end of what this writer has verified or written; undefined before its first append. */
  get tail(): TailState | undefined {
    return this.#state;
  }

  /** Appends events in one write call and resolves when they are as durable as promised. */
  append(drafts: readonly Draft[], options: AppendOptions = {}): Promise<readonly SessionEvent[]> {
    if (this.#closed) return Promise.reject(this.#isClosed());
    if (!this.#lease.held || this.#waiting.length > 0) return this.#queue(drafts, options);
    try {
      const events = this.#write(drafts, options);
      this.#giveBackIfShort();
      return this.#whenDurable(events);
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
    let events: readonly SessionEvent[];
    try {
      events = this.#write(drafts, options);
    } finally {
      this.#giveBackIfShort();
    }
    if (this.#durability.mustSync(events)) this.#durability.syncNow();
    return events;
  }

  /** Mends and verifies the end now, and makes everything appended so far durable. */
  flushSync(): void {
    this.#lease.takeNow(this.#options.waitMs);
    try {
      this.#look();
    } finally {
      this.#giveBackIfShort();
    }
    this.#durability.syncNow();
  }

  /** What is known of the whole session. */
  meta(): SessionMeta {
    this.#meta ??= this.#readMeta();
    return this.#meta;
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
    this.#lease.release();
    this.#disk.close(this.#fd);
  }

  #queue(drafts: readonly Draft[], options: AppendOptions): Promise<readonly SessionEvent[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ drafts: drafts.map(frozen), options, resolve, reject });
      if (this.#waiting.length === 1) void this.#takeThenWrite();
    });
  }

  async #takeThenWrite(): Promise<void> {
    try {
      await this.#lease.take(this.#options.waitMs);
      this.#writeWaiting();
    } catch (error) {
      for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
    }
  }

  #writeWaiting(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting.splice(0);
    for (const { drafts, options, resolve, reject } of waiting) {
      try {
        const events = this.#write(drafts, options);
        this.#whenDurable(events).then(resolve, reject);
      } catch (error) {
        reject(error);
      }
    }
    this.#giveBackIfShort();
  }

  #write(drafts: readonly Draft[], options: AppendOptions): readonly SessionEvent[] {
    if (this.#closed) throw this.#isClosed();
    this.#durability.check();
    const state = this.#look();
    if (drafts.length === 0) return [];
    if (options.after !== undefined) this.#checkAfter(options.after, state);
    return this.#put(drafts, state).events;
  }

  #put(drafts: readonly Draft[], state: TailState): Batch {
    const batch = this.#encode(drafts, state);
    failpoint("append.before-write");
    if (isArmed("append.half-written")) tearAndCrash(this.#disk, this.#fd, batch.bytes);
    this.#writeBytes(batch.bytes, state.size);
    failpoint("append.after-write");
    this.#wrote(batch);
    return batch;
  }

  #isClosed(): RepriseError {
    return new RepriseError("closed", `Session ${this.session} is closed.`);
  }

  #encode(drafts: readonly Draft[], state: TailState): Batch {
    const { seal } = this.#options;
    return encodeBatch(this.#encoder, drafts, { state, meta: this.#knownMeta, seal });
  }

  #wrote(batch: Batch): void {
    this.#state = batch.next;
    if (batch.meta !== undefined) this.#meta = batch.meta;
    this.#durability.wrote(batch.events);
    this.#lease.touch();
  }

  #writeBytes(bytes: Buffer, size: number): void {
    writeOnce(this.#disk, { fd: this.#fd, path: this.places.file, size }, bytes, () => {
      // Without a known state the next append mends the torn line.
      this.#state = undefined;
    });
  }

  /** Makes sure the file is as this writer left it; if others wrote, verifies and mends what they left. */
  #look(): TailState {
    const isSameTerm = this.#lookedInTerm === this.#lease.term;
    const known = this.#state;
    // In a burst the last look still holds, and each stat makes the kernel stamp the next write anew.
    const nowMs = Date.now();
    if (isSameTerm && known !== undefined && nowMs === this.#lookedMs) return known;
    this.#lookedMs = nowMs;
    const { size, links, inode } = this.#disk.sizeOf(this.#fd);
    if (links > 0 && isSameTerm && known?.size === size) return known;
    // A name that passed to another file shows in the inode; within a term the open file is what counts.
    if (links === 0 || (!isSameTerm && inodeAt(this.places.file) !== inode)) {
      throw this.#changedOutside("was removed or replaced while it was open");
    }
    if (!isSameTerm) {
      const { session, places } = this;
      const settled = settleOldStrip(places, { session, fd: this.#fd }, this.#disk);
      if (settled !== undefined) {
        const state = this.#look();
        return settled.report === undefined
          ? state
          : this.#put([{ body: settled.report }], state).next;
      }
    }
    if (isMendingUnfinished(this.places.quarantine, this.session)) {
      const mended = this.#finishMending(pendingQuarantine(this.places.quarantine, this.session));
      if (mended !== undefined) return mended;
    }
    if (known !== undefined && size < known.size) {
      throw this.#changedOutside("became shorter while it was open");
    }
    this.#lookedInTerm = this.#lease.term;
    if (known?.size === size) return known;
    const report = this.#examine(known);
    this.#meta = undefined;
    // Until it is mended nothing is known of the end: where that fails, the next append must not go on behind it.
    this.#state = report.brokenAt === undefined ? report.state : undefined;
    return this.#state ?? this.#mend(report.state, size);
  }

  #changedOutside(how: string): RepriseError {
    return new RepriseError("changed_outside", `${this.places.file} ${how}.`);
  }

  #examine(known: TailState | undefined): TailReport & { readonly state: TailState } {
    const firstSum = sumBefore(this.header.start);
    const plainFile = this.#options.seal ? undefined : this.places.file;
    const { state, brokenAt } = examineTail(this.#fd, { known, firstSum, plainFile });
    if (state !== undefined) return { state, brokenAt };
    throw new RepriseError("damaged", `${this.places.file} has no readable line to append to.`);
  }

  /** Sets aside what comes after the last sound line. */
  #mend(sound: TailState, size: number): TailState {
    failpoint("mend.before-quarantine");
    // What stays must be durable before the redo record says that it stays.
    this.#durability.syncNow();
    const taken = { session: this.session, fd: this.#fd, from: sound.size, size };
    let kept: Quarantined;
    try {
      kept = quarantine(this.places.quarantine, { ...taken, after: sound.lastSum }, this.#disk);
    } catch (error) {
      throw writeError(error, `${this.places.file} could not be mended; nothing was changed.`);
    }
    failpoint("mend.after-quarantine");
    return this.#finishMending(kept) ?? sound;
  }

  /**
   * From here on the quarantine file is the redo record: every step may be repeated. Undefined where the
   * record says nothing about this log any more: another file has taken the session's name.
   */
  #finishMending(taken: Quarantined): TailState | undefined {
    this.#lookedInTerm = -1;
    const state = stateAt(this.#fd, taken.from);
    if (state?.lastSum !== taken.after || isMended(this.#fd, taken, this.#open)) {
      finishQuarantine(this.places.quarantine, taken, this.#disk);
      return undefined;
    }
    this.#disk.truncate(this.#fd, taken.from);
    failpoint("mend.after-truncate");
    this.#state = state;
    this.#meta = undefined;
    const drafts = draftsFromQuarantine(taken, { lastId: state.lastId, open: this.#open });
    const batch = this.#encode(drafts, state);
    if (isArmed("mend.half-written")) tearAndCrash(this.#disk, this.#fd, batch.bytes);
    this.#writeBytes(batch.bytes, state.size);
    failpoint("mend.after-write");
    this.#wrote(batch);
    this.#durability.syncNow();
    finishQuarantine(this.places.quarantine, taken, this.#disk);
    this.#lookedInTerm = this.#lease.term;
    return batch.next;
  }

  #checkAfter(after: EventId, { lastId, size }: TailState): void {
    if (after === lastId || (after < lastId && onlyQuietSince(this.#fd, after, size))) return;
    throw new RepriseError(
      "conflict",
      `Event ${after} is not the last one; the session is at ${lastId}.`,
      { details: { last: lastId } },
    );
  }

  #readMeta(): SessionMeta {
    const opened = this.#open(this.header.start) ?? this.header.start;
    const metaAt = this.#state?.metaAt;
    return readMeta(this.#fd, opened as SessionStart & EventFrame, { metaAt, open: this.#open });
  }

  #whenDurable(events: readonly SessionEvent[]): Promise<readonly SessionEvent[]> {
    if (!this.#durability.mustSync(events)) return Promise.resolve(events);
    return new Promise((resolve, reject) => {
      this.#durability.whenSynced((error) =>
        error === undefined ? resolve(events) : reject(error),
      );
    });
  }

  #giveBackIfShort(): void {
    if (this.#options.leasePerAppend) this.#lease.release();
  }
}

function firstFrame(start: SessionStart, options: WriterOptions): LineFrame {
  const base = start.base?.event;
  return { id: (base ?? 0) + 1, parent: base, at: options.createdAt ?? isoNow() };
}

import { closeSync } from "node:fs";
import { dirname } from "node:path";
import { atomicWrite } from "../base/atomic-write.ts";
import { isoNow } from "../base/clock.ts";
import type { Disk } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { errnoOf, RepriseError } from "../base/errors.ts";
import { failpoint, isArmed, tearAndCrash } from "../base/failpoint.ts";
import { readFully } from "../base/read-fully.ts";
import { linesBackward } from "../jsonl/read-backward.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import { type EventId, quietTypes, type SessionEvent, type SessionStart } from "../model/event.ts";
import { type Batch, encodeBatch } from "./batch.ts";
import { Durability, type SyncPolicy } from "./durability.ts";
import { type Header, readHeader } from "./header.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { decodeLine, encodeBody, idOf, LineEncoder, type LineFrame, typeOf } from "./line.ts";
import { type Draft, draftsFromQuarantine } from "./mend.ts";
import { openForAppending } from "./open-file.ts";
import { finishQuarantine, pendingQuarantine, type Quarantined, quarantine } from "./quarantine.ts";
import type { Seal } from "./seal.ts";
import { mergeMeta, metaOfEvent, metaOfStart, type SessionMeta } from "./session-meta.ts";
import { examineTail, type TailReport, type TailState } from "./tail.ts";

/** Where a session's file and what belongs to it lie. */
export interface LogPlaces {
  readonly file: string;
  readonly leases: string;
  readonly quarantine: string;
}

/** How a log is written. */
export interface WriterOptions {
  readonly disk: Disk;
  readonly sync: SyncPolicy;
  readonly waitMs?: number | undefined;
  readonly seal?: Seal | undefined;
  /** When the session began, where that was not now: an import keeps the times of its source. */
  readonly createdAt?: string | undefined;
  /** Give the lease back after each append, as short-lived processes do. */
  readonly leasePerAppend?: boolean | undefined;
}

/** What an append may demand. */
export interface AppendOptions {
  /** The last id the caller saw; anything but quiet events after it is a conflict. */
  readonly after?: EventId | undefined;
}

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
  readonly #waiting: Waiting[] = [];
  readonly #fd: number;
  #state: TailState | undefined;
  #meta: SessionMeta | undefined;
  #lookedInTerm = -1;
  #closed = false;

  private constructor(
    places: LogPlaces,
    options: WriterOptions,
    opened: {
      readonly fd: number;
      readonly header: Header;
      readonly lease: LeaseKeeper;
      readonly isNew: boolean;
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
      isNew: opened.isNew,
    });
  }

  /**
   * Makes a new session: its first line is written aside and linked into place, so the file is never
   * seen without a header, and an existing one is never touched.
   */
  static create(places: LogPlaces, start: SessionStart, options: WriterOptions): LogWriter {
    const { disk } = options;
    makeDurableDirectory(dirname(places.file), disk);
    const lease = new LeaseKeeper(places.leases, start.session);
    lease.takeNow(options.waitMs);
    try {
      const frame = firstFrame(start, options);
      const text = options.seal?.sealBody(frame, start) ?? encodeBody(start);
      const { bytes } = new LineEncoder().encode(frame, text, start.base?.sum ?? "");
      failpoint("create.before-publish");
      if (!atomicWrite(places.file, bytes, { publish: "exclusive", sync: false, disk })) {
        throw new RepriseError("session_exists", `Session ${start.session} is there already.`);
      }
      failpoint("create.after-publish");
      const fd = openForAppending(places.file, disk);
      const header = readHeader(fd, places.file);
      return new LogWriter(places, options, { fd, header, lease, isNew: true });
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
      const lease = new LeaseKeeper(places.leases, header.start.session);
      return new LogWriter(places, options, { fd, header, lease, isNew: false });
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
    if (!this.#lease.held || this.#waiting.length > 0) return this.#queue(drafts, options);
    try {
      return this.#acknowledge(this.#write(drafts, options));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** The same, blocking: what is queued is written first. */
  appendSync(drafts: readonly Draft[], options: AppendOptions = {}): readonly SessionEvent[] {
    this.#lease.takeNow(this.#options.waitMs);
    this.#writeWaiting();
    this.#lease.takeNow(this.#options.waitMs);
    const events = this.#write(drafts, options);
    this.#giveBackIfShort();
    if (this.#durability.mustSync(events)) this.#durability.syncNow();
    return events;
  }

  /** Mends and verifies the end now, and makes everything appended so far durable. */
  flushSync(): TailState {
    this.#lease.takeNow(this.#options.waitMs);
    const state = this.#look();
    this.#giveBackIfShort();
    this.#durability.syncNow();
    return state;
  }

  /** What is known of the whole session. */
  meta(): SessionMeta {
    this.#meta ??= this.#readMeta();
    return this.#meta;
  }

  /** The event as its author gave it, its body opened where the session is sealed. */
  unsealed(event: SessionEvent): SessionEvent {
    return this.#options.seal?.openEvent(event) ?? event;
  }

  /** Writes what is queued, waits for syncs under way, gives the lease back. */
  async close(): Promise<void> {
    if (this.#closed) return;
    if (this.#waiting.length > 0) await this.#queue([], {}).catch(() => undefined);
    this.#closed = true;
    await this.#durability.settled();
    this.#lease.release();
    this.#disk.close(this.#fd);
  }

  #queue(drafts: readonly Draft[], options: AppendOptions): Promise<readonly SessionEvent[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ drafts, options, resolve, reject });
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
    const waiting = this.#waiting.splice(0);
    for (const { drafts, options, resolve, reject } of waiting) {
      try {
        const events = this.#write(drafts, options);
        this.#whenDurable(events).then(resolve, reject);
      } catch (error) {
        reject(error);
      }
    }
    if (waiting.length > 0) this.#giveBackIfShort();
  }

  #write(drafts: readonly Draft[], options: AppendOptions): readonly SessionEvent[] {
    if (this.#closed) throw new RepriseError("closed", `Session ${this.session} is closed.`);
    this.#durability.check();
    const state = this.#look();
    if (drafts.length === 0) return [];
    if (options.after !== undefined) this.#checkAfter(options.after, state);
    const batch = this.#encode(drafts, state);
    failpoint("append.before-write");
    if (isArmed("append.half-written")) tearAndCrash(this.#disk, this.#fd, batch.bytes);
    this.#writeBytes(batch.bytes, state.size);
    failpoint("append.after-write");
    this.#wrote(batch);
    return batch.events;
  }

  #encode(drafts: readonly Draft[], state: TailState): Batch {
    const { seal } = this.#options;
    return encodeBatch(this.#encoder, drafts, { state, meta: () => this.meta(), seal });
  }

  #wrote(batch: Batch): void {
    this.#state = batch.next;
    if (batch.meta !== undefined) this.#meta = batch.meta;
    this.#durability.wrote(batch.events);
    this.#lease.touch();
  }

  /** One write call; what a short or failed one left behind is cut off again. */
  #writeBytes(bytes: Buffer, size: number): void {
    let failure: unknown;
    try {
      if (this.#disk.write(this.#fd, bytes) === bytes.length) return;
    } catch (error) {
      failure = error;
    }
    try {
      this.#disk.truncate(this.#fd, size);
    } catch {
      // The torn line stays behind; without a known state the next append mends it.
      this.#state = undefined;
    }
    throw new RepriseError(
      "write_failed",
      `Appending to ${this.places.file} failed; nothing of it was kept.`,
      { cause: failure, details: { errno: errnoOf(failure) ?? "ENOSPC" } },
    );
  }

  /** Makes sure the file is as this writer left it; if others wrote, verifies and mends what they left. */
  #look(): TailState {
    const { size, links } = this.#disk.sizeOf(this.#fd);
    if (links === 0) {
      throw new RepriseError(
        "changed_outside",
        `${this.places.file} was removed while it was open.`,
      );
    }
    const known = this.#state;
    if (known?.size === size && this.#lookedInTerm === this.#lease.term) return known;
    const pending = pendingQuarantine(this.places.quarantine, this.session);
    if (pending !== undefined) return this.#finishMending(pending);
    if (known !== undefined && size < known.size) {
      throw new RepriseError(
        "changed_outside",
        `${this.places.file} became shorter while it was open.`,
      );
    }
    this.#lookedInTerm = this.#lease.term;
    if (known?.size === size) return known;
    const report = this.#examine(known);
    this.#meta = undefined;
    this.#state = report.state;
    if (report.brokenAt === undefined) return report.state;
    return this.#mend(report.brokenAt, size);
  }

  #examine(known: TailState | undefined): TailReport & { readonly state: TailState } {
    const firstSum = this.header.start.base?.sum ?? "";
    const { state, brokenAt } = examineTail(this.#fd, { known, firstSum });
    if (state !== undefined) return { state, brokenAt };
    throw new RepriseError("damaged", `${this.places.file} has no readable line to append to.`);
  }

  #mend(from: number, size: number): TailState {
    failpoint("mend.before-quarantine");
    const bytes = readFully(this.#fd, { from, length: size - from });
    const taken = { session: this.session, from, bytes };
    const kept = quarantine(this.places.quarantine, taken, this.#disk);
    failpoint("mend.after-quarantine");
    return this.#finishMending(kept);
  }

  /** From here on the quarantine file is the redo record: every step may be repeated. */
  #finishMending(taken: Quarantined): TailState {
    this.#disk.truncate(this.#fd, taken.from);
    failpoint("mend.after-truncate");
    const { state } = this.#examine(undefined);
    if (state.size !== taken.from) {
      throw new RepriseError(
        "damaged",
        `${this.places.file} is damaged before byte ${taken.from}.`,
      );
    }
    this.#state = state;
    this.#meta = undefined;
    const drafts = draftsFromQuarantine(taken, {
      lastId: state.lastId,
      open: (event) => this.unsealed(event),
    });
    const batch = this.#encode(drafts, state);
    if (isArmed("mend.half-written")) tearAndCrash(this.#disk, this.#fd, batch.bytes);
    this.#writeBytes(batch.bytes, state.size);
    failpoint("mend.after-write");
    this.#disk.syncNow(this.#fd);
    finishQuarantine(this.places.quarantine, taken, this.#disk);
    this.#wrote(batch);
    this.#lookedInTerm = this.#lease.term;
    return batch.next;
  }

  #checkAfter(after: EventId, state: TailState): void {
    if (after === state.lastId || (after < state.lastId && this.#onlyQuietSince(after, state)))
      return;
    throw new RepriseError(
      "conflict",
      `Event ${after} is not the last one; the session is at ${state.lastId}.`,
      { details: { last: state.lastId } },
    );
  }

  /** What came after the caller's last look is short: read it from the end. */
  #onlyQuietSince(after: EventId, state: TailState): boolean {
    for (const line of linesBackward(this.#fd, { end: state.size })) {
      const id = idOf(line.bytes);
      if (id !== undefined && id <= after) return true;
      if (!quietTypes.has(typeOf(line.bytes) ?? "")) return false;
    }
    return false;
  }

  #readMeta(): SessionMeta {
    const fromStart = metaOfStart(this.unsealed(this.header.start) as SessionStart);
    const metaAt = this.#state?.metaAt;
    if (metaAt === undefined) return fromStart;
    for (const line of linesForward(this.#fd, { from: metaAt })) {
      const event = decodeLine(line.bytes);
      const opened = event === undefined ? undefined : this.unsealed(event);
      return opened?.type === "meta" ? mergeMeta(fromStart, metaOfEvent(opened)) : fromStart;
    }
    return fromStart;
  }

  #acknowledge(events: readonly SessionEvent[]): Promise<readonly SessionEvent[]> {
    this.#giveBackIfShort();
    return this.#whenDurable(events);
  }

  #whenDurable(events: readonly SessionEvent[]): Promise<readonly SessionEvent[]> {
    if (!this.#durability.mustSync(events)) return Promise.resolve(events);
    return this.#durability.synced().then(() => events);
  }

  #giveBackIfShort(): void {
    if (this.#options.leasePerAppend) this.#lease.release();
  }
}

function firstFrame(start: SessionStart, options: WriterOptions): LineFrame {
  const base = start.base?.event;
  return { id: (base ?? 0) + 1, parent: base, at: options.createdAt ?? isoNow() };
}

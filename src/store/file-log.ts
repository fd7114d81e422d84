import { closeSync, fstatSync } from "node:fs";
import { type Disk, disk as realDisk } from "../base/disk.ts";
import { RepriseError } from "../base/errors.ts";
import { openForReading } from "../base/open-file.ts";
import { readFully } from "../base/read-fully.ts";
import { storeHolder } from "../base/store-leases.ts";
import type { BlobStore, StagedBlob } from "../blobs/store.ts";
import { linesBackward } from "../jsonl/read-backward.ts";
import { type Draft, frozen } from "../log/draft.ts";
import type { SyncPolicy } from "../log/durability.ts";
import { findEvent } from "../log/find.ts";
import { finishLeft } from "../log/finish-left.ts";
import { readHeader, sumBefore } from "../log/header.ts";
import type { LeaseTimes } from "../log/lease-keeper.ts";
import { idOf, metaAtOf, sumOf } from "../log/line.ts";
import { readLog } from "../log/read.ts";
import { type Seal, type Secret, sealFor, sealOf } from "../log/seal.ts";
import { readMeta, type SessionMeta } from "../log/session-meta.ts";
import { isOutOfOrder } from "../log/strays.ts";
import { examineTail } from "../log/tail.ts";
import { type Step, walkBack } from "../log/walk.ts";
import { LogWriter } from "../log/writer.ts";
import type { AppendOptions, WriterOptions } from "../log/writer-options.ts";
import type { BlobRef } from "../model/block.ts";
import type { Damage } from "../model/damage.ts";
import type { EventFrame, EventId, ForkBase, SessionEvent, SessionStart } from "../model/event.ts";
import { isLargeDraft, spillDraft } from "./draft.ts";
import { EventOpener } from "./event-opener.ts";
import { type Home, placesOf } from "./home.ts";
import { checkDepth, Lineage } from "./lineage.ts";
import { findSessionFile } from "./locate.ts";
import { openBlobs } from "./open-blobs.ts";
import { itemsBackward, itemsForward, shapesOf } from "./segment.ts";
import type { EventsOptions, SessionLog, SessionVerification, Shape } from "./session-log.ts";
import { SpillQueue } from "./spill-queue.ts";
import { verifyLineage } from "./verify-lineage.ts";

/** How a session's file is opened. */
export interface FileLogOptions extends LeaseTimes {
  readonly sync?: SyncPolicy | undefined;
  readonly waitMs?: number | undefined;
  readonly leasePerAppend?: boolean | undefined;
  /** Opens or makes a sealed session. */
  readonly secret?: Secret | undefined;
  readonly disk?: Disk | undefined;
  readonly createdAt?: string | undefined;
}

/** A session in a file. Reading needs no lease and no right to write; the first append takes both. */
export class FileLog implements SessionLog {
  readonly file: string;
  readonly start: SessionStart & EventFrame;
  readonly #home: Home;
  readonly #options: FileLogOptions;
  readonly #fd: number;
  readonly #lineage: Lineage;
  readonly #seal: Seal | undefined;
  readonly #isHeaderLost: boolean;
  readonly #opener: EventOpener;
  #blobs: BlobStore | undefined;
  #queue: SpillQueue | undefined;
  #writer: LogWriter | undefined;
  #closing: Promise<void> | undefined;

  private constructor(
    home: Home,
    opened: {
      readonly file: string;
      readonly seal: Seal | undefined;
      readonly writer: LogWriter | undefined;
    },
    options: FileLogOptions,
  ) {
    this.#home = home;
    this.#options = options;
    this.file = opened.file;
    this.#fd = openForReading(opened.file);
    try {
      const { start, isLost } = readHeader(this.#fd, opened.file);
      this.#isHeaderLost = isLost;
      this.#seal = opened.seal ?? sealOf(start, options.secret);
      this.#opener = new EventOpener(this.#seal, () => this.#openBlobs());
      this.start = this.#seal === undefined ? start : this.#openedStart(start);
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
    this.#lineage = new Lineage(home, { fd: this.#fd, file: opened.file, start: this.start });
    this.#writer = opened.writer;
  }

  /** Makes a new session file. */
  static create(
    home: Home,
    file: string,
    start: SessionStart,
    options: FileLogOptions = {},
  ): FileLog {
    const seal = options.secret === undefined ? undefined : sealFor(start, options.secret);
    if (seal === undefined && start.seal !== undefined) {
      throw new RepriseError("sealed", `Session ${start.session} stands on one that is sealed.`);
    }
    const header = seal === undefined ? start : { ...start, seal: seal.header };
    const writer = LogWriter.create(placesOf(home, file), header, writerOptions(options, seal));
    const log = new FileLog(home, { file, seal, writer }, options);
    log.#checkBase();
    return log;
  }

  /** A fork whose base was removed before this fork was there to be seen stands on nothing: it is given up. */
  #checkBase(): void {
    const { base } = this.start;
    if (base === undefined) return;
    if (findSessionFile(this.#home, base.session, { near: this.file, bases: true })) return;
    (this.#options.disk ?? realDisk).remove(this.file);
    void this.close();
    throw new RepriseError("not_found", `Session ${base.session} was removed.`);
  }

  /** Opens an existing session file. */
  static open(home: Home, file: string, options: FileLogOptions = {}): FileLog {
    const log = new FileLog(home, { file, seal: undefined, writer: undefined }, options);
    log.#finishMending();
    return log;
  }

  get session(): string {
    return this.start.session;
  }

  lastId(): EventId {
    return this.#last().id;
  }

  sizeBytes(): number {
    this.#needOpen();
    return fstatSync(this.#fd).size;
  }

  meta(): SessionMeta {
    const { metaAt } = this.#last();
    return readMeta(this.#fd, this.start, {
      metaAt,
      open: (event) => this.#opener.open(event, 0, ignore),
    });
  }

  append(drafts: readonly Draft[], options?: AppendOptions): Promise<readonly SessionEvent[]> {
    try {
      const writer = this.#openWriter();
      const { ready, staged } = this.#spill(drafts);
      if (staged.length === 0 && (this.#queue?.isEmpty ?? true))
        return writer.append(ready, options);
      this.#queue ??= new SpillQueue(this.#openBlobs());
      const kept = ready.map(frozen);
      return this.#queue.push(staged, () => writer.append(kept, options));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  appendSync(drafts: readonly Draft[], options?: AppendOptions): readonly SessionEvent[] {
    const writer = this.#openWriter();
    this.#queue?.drainSync();
    const { ready, staged } = this.#spill(drafts);
    if (staged.length > 0) this.#openBlobs().settleSync(staged);
    return writer.appendSync(ready, options);
  }

  *path(from?: EventId): Generator<Step> {
    this.#needOpen();
    this.#needKey();
    const damages: Damage[] = [];
    const onDamage = (damage: Damage) => damages.push(damage);
    for (const step of walkBack(this.#lineage.segments(), from)) {
      if (step.kind === "damage") yield step;
      else {
        const event = this.#opener.open(step.event, step.offset ?? 0, onDamage);
        if (event === step.event) yield step;
        else if (event !== undefined) yield { ...step, event };
        if (damages.length > 0) yield* damages.splice(0).map(damageStep);
      }
      this.#needOpen();
    }
    if (this.#isHeaderLost) yield { kind: "damage", damage: lostHeader };
  }

  *events(options: EventsOptions = {}): Generator<SessionEvent> {
    const { from, reverse = false, onDamage = ignore } = options;
    this.#needOpen();
    this.#needKey();
    if (this.#isHeaderLost) onDamage(lostHeader);
    const segments = this.#lineage.segments();
    for (const segment of reverse ? segments : segments.toReversed()) {
      const items = reverse ? itemsBackward(segment, from) : itemsForward(segment, from);
      for (const item of items) {
        if (item.kind === "event") {
          const event = this.#opener.open(item.event, item.offset, onDamage);
          if (event !== undefined) yield event;
          this.#needOpen();
        } else if (item.kind === "damage") onDamage(item.damage);
        else if (this.#isTorn(item)) onDamage({ ...item, kind: "torn_tail", recovered: 0 });
      }
    }
  }

  *shapes(): Generator<Shape> {
    this.#needOpen();
    for (const segment of this.#lineage.segments().toReversed()) yield* shapesOf(segment);
  }

  verify(): SessionVerification {
    this.#needOpen();
    const isLocked = this.start.seal !== undefined && this.#seal === undefined;
    const opener = this.#opener;
    const found = verifyLineage(this.#lineage.segments(), {
      open: (...line) => (isLocked ? opener.inspect(...line) : opener.open(...line)),
      isTorn: (tail) => this.#isTorn(tail),
    });
    const problems = this.#isHeaderLost ? [lostHeader, ...found.problems] : found.problems;
    return { ...found, problems, isOpened: !isLocked };
  }

  has(event: EventId): boolean {
    this.#needOpen();
    const segment = this.#lineage.segments().find(({ firstId }) => event >= firstId);
    return segment !== undefined && findEvent(segment.fd, event, segment.endOffset) !== undefined;
  }

  forkBase(at?: EventId): ForkBase | undefined {
    const event = this.#mended(at);
    if (event === undefined) return undefined;
    const segments = this.#lineage.segments();
    const index = segments.findIndex(({ firstId }) => event >= firstId);
    const segment = segments[index];
    if (segment === undefined) return undefined;
    checkDepth(segments.length - index);
    const place = findEvent(segment.fd, event, segment.endOffset);
    if (place === undefined) return undefined;
    // A fork must never stand on what a power cut could still take from its base.
    (this.#options.disk ?? realDisk).syncNow(segment.fd);
    const line = readFully(segment.fd, {
      from: place.offset,
      length: place.endOffset - 1 - place.offset,
    });
    const sum = sumOf(line);
    if (sum === undefined) return undefined;
    const session = readHeader(segment.fd, this.file).start.session;
    return { session, event, endOffset: place.endOffset, sum };
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeOnce();
    return this.#closing;
  }

  /** Makes everything appended so far durable, whatever the policy. */
  flush(): void {
    this.#queue?.drainSync();
    this.#openWriter().flushSync();
  }

  /** Removes the file of a session that could not be finished. */
  async discard(): Promise<void> {
    await this.close();
    (this.#options.disk ?? realDisk).remove(this.file);
  }

  /**
   * A process that was killed while it mended left events in quarantine only, and a power cut may have left
   * them in the strip of an older version only: whoever opens the session next brings them back, unless somebody is at it already.
   */
  #finishMending(): void {
    try {
      this.#needKey();
      const options = writerOptions(this.#options, this.#seal);
      finishLeft(placesOf(this.#home, this.file), this.session, options);
    } catch {}
  }

  /**
   * The number an event, or the last one, has once the end is mended: a fork must not stand on lines that
   * mending would move. Undefined where the event is lost.
   */
  #mended(at: EventId | undefined): EventId | undefined {
    const last = at ?? this.lastId();
    const known = this.#writer?.tail?.lastId ?? 0;
    if (last <= known || last < this.#lineage.tip().firstId) return last;
    const firstSum = sumBefore(this.start);
    const { state, broken } = examineTail(this.#fd, { known: undefined, firstSum });
    if (state === undefined || broken === undefined || last <= broken.after.lastId) return last;
    this.#openWriter().flushSync();
    if (at === undefined) return this.lastId();
    for (const item of readLog(this.#fd, { from: broken.from })) {
      if (item.kind === "event" && item.event.recoveredFrom === at) return item.event.id;
    }
    return undefined;
  }

  async #closeOnce(): Promise<void> {
    await this.#queue?.emptied();
    await this.#writer?.close();
    this.#lineage.close();
  }

  /** The system gives the number of a closed file to the next one that is opened, and reads would answer from that. */
  #needOpen(): void {
    if (this.#closing === undefined) return;
    throw new RepriseError("closed", `Session ${this.session} is closed.`);
  }

  #openWriter(): LogWriter {
    this.#needOpen();
    this.#needKey();
    // Its bases say whether it must be sealed.
    if (this.#seal === undefined && this.start.base !== undefined) this.#lineage.segments();
    this.#writer ??= LogWriter.open(
      placesOf(this.#home, this.file),
      writerOptions(this.#options, this.#seal),
    );
    return this.#writer;
  }

  /** The last whole line, found from the end. */
  #last(): { readonly id: EventId; readonly metaAt: number | undefined } {
    this.#needOpen();
    for (const line of linesBackward(this.#fd)) {
      const id = line.complete ? idOf(line.bytes) : undefined;
      if (id === undefined || isOutOfOrder(this.#fd, { offset: line.offset, id })) continue;
      return { id, metaAt: metaAtOf(line.bytes) };
    }
    return { id: this.start.id, metaAt: undefined };
  }

  #spill(drafts: readonly Draft[]): {
    readonly ready: readonly Draft[];
    readonly staged: readonly StagedBlob[];
  } {
    if (!drafts.some(isLargeDraft)) return { ready: drafts, staged: [] };
    const staged: StagedBlob[] = [];
    const stage = (text: string): BlobRef => {
      const blob = this.#openBlobs().stage(text);
      staged.push(blob);
      return blob.ref;
    };
    try {
      return { ready: drafts.map((draft) => spillDraft(draft, stage)), staged };
    } catch (error) {
      for (const blob of staged) blob.abandon();
      throw error;
    }
  }

  #openedStart(start: SessionStart & EventFrame): SessionStart & EventFrame {
    const opened = this.#opener.open(start, 0, ignore);
    return opened?.type === "session_start" ? opened : start;
  }

  #needKey(): void {
    if (this.start.seal === undefined || this.#seal !== undefined) return;
    throw new RepriseError("sealed", `Session ${this.session} is sealed.`);
  }

  #openBlobs(): BlobStore {
    this.#blobs ??= openBlobs(this.#home, { disk: this.#options.disk, cipher: this.#seal?.blobs });
    return this.#blobs;
  }

  /** An unfinished line is damage only if nobody is writing it and a second look finds it unchanged. */
  #isTorn(tail: { readonly offset: number; readonly length: number }): boolean {
    try {
      if (storeHolder(this.#home.leases, this.session) !== undefined) return false;
    } catch {
      // Who may not look at the leases cannot tell a torn line from one being written.
      return false;
    }
    return fstatSync(this.#fd).size === tail.offset + tail.length;
  }
}

const lostHeader: Damage = {
  kind: "bad_header",
  offset: 0,
  recovered: 0,
  detail: "the first line is lost",
};

function ignore(): void {}

function damageStep(damage: Damage): Step {
  return { kind: "damage", damage };
}

function writerOptions(options: FileLogOptions, seal: Seal | undefined): WriterOptions {
  const { secret: _secret, disk = realDisk, sync = "turn", ...times } = options;
  return { ...times, disk, sync, seal };
}

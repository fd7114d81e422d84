import { fstatSync } from "node:fs";
import { type Bell, fileBell } from "../base/bell.ts";
import { disk as realDisk } from "../base/disk.ts";
import { RepriseError } from "../base/errors.ts";
import { storeHolder } from "../base/store-leases.ts";
import type { BlobStore } from "../blobs/store.ts";
import { linesBackward } from "../jsonl/read-backward.ts";
import { type Draft, frozen } from "../log/draft.ts";
import { findEvent } from "../log/find.ts";
import { finishLeft } from "../log/finish-left.ts";
import { type Header, lostHeader, readHeader, sumBefore } from "../log/header.ts";
import { idOf, metaAtOf } from "../log/line.ts";
import { LogFile } from "../log/log-file.ts";
import { readLog } from "../log/read.ts";
import { type Seal, sealFor, sealOf } from "../log/seal.ts";
import { readMeta, type SessionMeta } from "../log/session-meta.ts";
import { isOutOfOrder } from "../log/strays.ts";
import { examineTail } from "../log/tail.ts";
import { type Step, walkBack } from "../log/walk.ts";
import { LogWriter } from "../log/writer.ts";
import type { AppendOptions } from "../log/writer-options.ts";
import type { Damage } from "../model/damage.ts";
import type { EventFrame, EventId, ForkBase, SessionEvent, SessionStart } from "../model/event.ts";
import { stagedDrafts } from "./draft.ts";
import { EventOpener } from "./event-opener.ts";
import { applyOptions, type FileLogOptions, writerOptions } from "./file-log-options.ts";
import { forkPoint } from "./fork-point.ts";
import { type Home, placesOf } from "./home.ts";
import { JoinedLog } from "./joined-log.ts";
import { Lineage } from "./lineage.ts";
import { findSessionFile } from "./locate.ts";
import { openBlobs } from "./open-blobs.ts";
import { itemsBackward, itemsForward, segmentsFrom, shapesOf } from "./segment.ts";
import type { EventsOptions, SessionLog, SessionVerification, Shape } from "./session-log.ts";
import { SpillQueue } from "./spill-queue.ts";
import { verifyLineage } from "./verify-lineage.ts";

export type { FileLogOptions } from "./file-log-options.ts";

/** A session in a file. Reading needs no lease and no right to write; the first append takes both. */
export class FileLog extends JoinedLog implements SessionLog {
  readonly file: string;
  readonly start: SessionStart & EventFrame;
  readonly #home: Home;
  readonly #options: FileLogOptions;
  readonly #file: LogFile;
  readonly #header: Header;
  readonly #lineage: Lineage;
  readonly #seal: Seal | undefined;
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
    super();
    this.#home = home;
    this.#options = options;
    this.file = opened.file;
    this.#file = opened.writer?.file ?? new LogFile(opened.file, options.disk ?? realDisk);
    try {
      this.#header = opened.writer?.header ?? this.#file.use((fd) => readHeader(fd, opened.file));
      const { start } = this.#header;
      this.#seal = opened.seal ?? sealOf(start, options.secret);
      this.#opener = new EventOpener(this.#seal, () => this.#openBlobs());
      this.start = this.#seal === undefined ? start : this.#openedStart(start);
    } catch (error) {
      this.#file.close();
      throw error;
    }
    this.#lineage = new Lineage(home, { file: this.#file, start: this.start });
    this.#writer = opened.writer;
  }

  /** Makes a new session file. */
  static create(
    home: Home,
    file: string,
    start: SessionStart,
    options: FileLogOptions = {},
  ): FileLog {
    applyOptions(options);
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
    applyOptions(options);
    const log = new FileLog(home, { file, seal: undefined, writer: undefined }, options);
    log.#finishMending();
    if (options.exclusive) log.#hold();
    return log;
  }

  /** Keeps others from writing from now on, or gives up. */
  #hold(): void {
    try {
      this.#openWriter().holdNow();
    } catch (error) {
      void this.close();
      throw error;
    }
  }

  get session(): string {
    return this.start.session;
  }

  lastId(): EventId {
    return this.#reading(() => this.#last().id);
  }

  sizeBytes(): number {
    return this.#reading(() => fstatSync(this.#file.fd).size);
  }

  meta(): SessionMeta {
    return this.#reading(() => {
      const { metaAt } = this.#last();
      return readMeta(this.#file.fd, this.start, {
        metaAt,
        open: (event) => this.#opener.open(event, 0, ignore),
      });
    });
  }

  append(drafts: readonly Draft[], options?: AppendOptions): Promise<readonly SessionEvent[]> {
    try {
      const writer = this.#openWriter();
      const { ready, staged } = stagedDrafts(drafts, () => this.#openBlobs());
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
    const { ready, staged } = stagedDrafts(drafts, () => this.#openBlobs());
    if (staged.length > 0) this.#openBlobs().settleSync(staged);
    return writer.appendSync(ready, options);
  }

  protected override rawPath(from: EventId | undefined): Generator<Step> {
    return this.#whileRead(() => this.#path(from));
  }

  *#path(from: EventId | undefined): Generator<Step> {
    this.#needKey();
    const damages: Damage[] = [];
    const onDamage = (damage: Damage) => damages.push(damage);
    for (const step of walkBack(this.#lineage.segments(), from)) {
      if (step.kind === "damage") yield step;
      else {
        const event = this.#opener.open(step.event, step.offset ?? 0, onDamage);
        if (event === step.event) yield step;
        else if (event !== undefined) yield { ...step, event };
        for (const damage of damages.splice(0)) yield { kind: "damage", damage };
      }
      this.#needOpen();
    }
    if (this.#header.isLost) yield { kind: "damage", damage: lostHeader };
  }

  protected override rawEvents(options: EventsOptions): Generator<SessionEvent> {
    return this.#whileRead(() => this.#events(options));
  }

  *#events({ from, reverse = false, onDamage = ignore }: EventsOptions): Generator<SessionEvent> {
    this.#needKey();
    if (this.#header.isLost) onDamage(lostHeader);
    const segments = this.#lineage.segments();
    for (const segment of reverse ? segments : segmentsFrom(segments, from)) {
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

  protected override rawShapes(): Generator<Shape> {
    const segments = () => this.#lineage.segments().toReversed();
    return this.#whileRead(function* () {
      for (const segment of segments()) yield* shapesOf(segment);
    });
  }

  verify(): SessionVerification {
    return this.#reading(() => this.#verified());
  }

  #verified(): SessionVerification {
    const isLocked = this.start.seal !== undefined && this.#seal === undefined;
    const opener = this.#opener;
    const found = verifyLineage(this.#lineage.segments(), {
      open: (...line) => (isLocked ? opener.inspect(...line) : opener.open(...line)),
      isTorn: (tail) => this.#isTorn(tail),
    });
    const problems = this.#header.isLost ? [lostHeader, ...found.problems] : found.problems;
    return { ...found, problems, isOpened: !isLocked };
  }

  has(event: EventId): boolean {
    return this.#reading(() => {
      const segment = this.#lineage.segments().find(({ firstId }) => event >= firstId);
      return segment !== undefined && findEvent(segment.fd, event, segment.endOffset) !== undefined;
    });
  }

  forkBase(at?: EventId): ForkBase | undefined {
    return this.#reading(() => this.#forkBase(at));
  }

  #forkBase(at: EventId | undefined): ForkBase | undefined {
    const event = this.#mended(at);
    if (event === undefined) return undefined;
    const disk = this.#options.disk ?? realDisk;
    return forkPoint(this.#lineage.segments(), { event, disk });
  }

  bell(signal?: AbortSignal): Bell {
    return fileBell(this.file, { signal });
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
   * them in the strip of an older version only: anyone who opens the session next brings them back, unless somebody is at it already.
   */
  #finishMending(): void {
    if (this.start.seal !== undefined && this.#seal === undefined) return;
    const options = writerOptions(this.#options, this.#seal);
    finishLeft(placesOf(this.#home, this.file), this.session, options);
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
    const { state, broken } = examineTail(this.#file.fd, { known: undefined, firstSum });
    if (state === undefined || broken === undefined || last <= broken.after.lastId) return last;
    this.#openWriter().flushSync();
    if (at === undefined) return this.lastId();
    for (const item of readLog(this.#file.fd, { from: broken.from })) {
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

  /** Does something while the files of the lineage stay open. */
  #reading<T>(work: () => T): T {
    this.#needOpen();
    this.#lineage.enter();
    try {
      return work();
    } finally {
      this.#lineage.leave();
    }
  }

  /** The same while an iteration lasts. */
  *#whileRead<T>(iterate: () => Iterable<T>): Generator<T> {
    this.#needOpen();
    this.#lineage.enter();
    try {
      yield* iterate();
    } finally {
      this.#lineage.leave();
    }
  }

  #openWriter(): LogWriter {
    this.#needOpen();
    if (this.#writer !== undefined) return this.#writer;
    this.#needKey();
    // Its bases say whether it must be sealed.
    if (this.#seal === undefined && this.start.base !== undefined) {
      this.#reading(() => this.#lineage.segments());
    }
    const opened = { file: this.#file, header: this.#header };
    const options = writerOptions(this.#options, this.#seal);
    this.#writer = LogWriter.over(placesOf(this.#home, this.file), opened, options);
    return this.#writer;
  }

  /** The last whole line, found from the end. */
  #last(): { readonly id: EventId; readonly metaAt: number | undefined } {
    const { fd } = this.#file;
    for (const line of linesBackward(fd)) {
      const id = line.complete ? idOf(line.bytes) : undefined;
      if (id === undefined || isOutOfOrder(fd, { offset: line.offset, id })) continue;
      return { id, metaAt: metaAtOf(line.bytes) };
    }
    return { id: this.start.id, metaAt: undefined };
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
    return fstatSync(this.#file.fd).size === tail.offset + tail.length;
  }
}

function ignore(): void {}

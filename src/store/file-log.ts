import { fstatSync } from "node:fs";
import { type Disk, disk as realDisk } from "../base/disk.ts";
import { RepriseError } from "../base/errors.ts";
import { liveHolder } from "../base/lease.ts";
import { readFully } from "../base/read-fully.ts";
import { restoreStrings } from "../blobs/spill.ts";
import type { BlobStore, StagedBlob } from "../blobs/store.ts";
import { linesBackward } from "../jsonl/read-backward.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import type { SyncPolicy } from "../log/durability.ts";
import { findEvent } from "../log/find.ts";
import { readHeader } from "../log/header.ts";
import { idOf, metaAtOf, sumOf } from "../log/line.ts";
import type { Draft } from "../log/mend.ts";
import { openForReading } from "../log/open-file.ts";
import { isMendingUnfinished } from "../log/quarantine.ts";
import { itemsOf, type LogItem, readLog } from "../log/read.ts";
import { newSeal, openSeal, type Seal, type Secret } from "../log/seal.ts";
import { mergeMeta, metaOfEvent, metaOfStart, type SessionMeta } from "../log/session-meta.ts";
import { type Segment, type Step, walkBack } from "../log/walk.ts";
import { type AppendOptions, LogWriter, type WriterOptions } from "../log/writer.ts";
import type { BlobRef } from "../model/block.ts";
import type { EventFrame, EventId, ForkBase, SessionEvent, SessionStart } from "../model/event.ts";
import { spillDraft } from "./draft.ts";
import { type Home, placesOf } from "./home.ts";
import { Lineage } from "./lineage.ts";
import { openBlobs } from "./open-blobs.ts";
import type { EventsOptions, SessionLog, Shape } from "./session-log.ts";
import { SpillQueue } from "./spill-queue.ts";

/** How a session's file is opened. */
export interface FileLogOptions {
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
  #blobs: BlobStore | undefined;
  #queue: SpillQueue | undefined;
  #writer: LogWriter | undefined;

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
    const { start } = readHeader(this.#fd, opened.file);
    this.#seal = opened.seal ?? sealOf(start, options.secret);
    this.start = (this.#seal?.openEvent(start) ?? start) as SessionStart & EventFrame;
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
    const seal = options.secret === undefined ? undefined : newSeal(options.secret);
    const header = seal === undefined ? start : { ...start, seal: seal.header };
    const writer = LogWriter.create(placesOf(home, file), header, writerOptions(options, seal));
    return new FileLog(home, { file, seal, writer }, options);
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
    return fstatSync(this.#fd).size;
  }

  meta(): SessionMeta {
    const fromStart = metaOfStart(this.start);
    const { metaAt } = this.#last();
    if (metaAt === undefined) return fromStart;
    for (const item of readLog(this.#fd, { from: metaAt })) {
      const event = item.kind === "event" ? this.#opened(item.event) : undefined;
      return event?.type === "meta" ? mergeMeta(fromStart, metaOfEvent(event)) : fromStart;
    }
    return fromStart;
  }

  append(drafts: readonly Draft[], options?: AppendOptions): Promise<readonly SessionEvent[]> {
    try {
      const writer = this.#openWriter();
      const { ready, staged } = this.#spill(drafts);
      if (staged.length === 0 && (this.#queue?.isEmpty ?? true))
        return writer.append(ready, options);
      this.#queue ??= new SpillQueue(this.#openBlobs());
      return this.#queue.push(staged, () => writer.append(ready, options));
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
    for (const step of walkBack(this.#lineage.segments(), from)) {
      yield step.kind === "event" ? { kind: "event", event: this.#opened(step.event) } : step;
    }
  }

  *events(options: EventsOptions = {}): Generator<SessionEvent> {
    const { from, reverse = false } = options;
    const segments = this.#lineage.segments();
    for (const segment of reverse ? segments : segments.toReversed()) {
      const items = reverse ? backward(segment, from) : forward(segment, from);
      for (const item of items) {
        if (item.kind === "event") yield this.#opened(item.event);
        else if (item.kind === "damage") options.onDamage?.(item.damage);
        else if (this.#isTorn(item))
          options.onDamage?.({ ...item, kind: "torn_tail", recovered: 0 });
      }
    }
  }

  *shapes(): Generator<Shape> {
    for (const segment of this.#lineage.segments().toReversed()) yield* shapesOf(segment);
  }

  forkBase(at?: EventId): ForkBase | undefined {
    const event = at ?? this.lastId();
    const segment = this.#lineage.segments().find(({ firstId }) => event >= firstId);
    if (segment === undefined) return undefined;
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

  async close(): Promise<void> {
    if (this.#queue?.isEmpty === false) await this.append([]).catch(() => undefined);
    await this.#writer?.close();
    this.#lineage.close();
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
   * A process that was killed while it mended left events in quarantine only: whoever opens the session
   * next brings them back, unless somebody is at it already.
   */
  #finishMending(): void {
    if (!isMendingUnfinished(this.#home.quarantine, this.session)) return;
    try {
      this.#openWriter().flushSync();
    } catch {
      return;
    }
  }

  #openWriter(): LogWriter {
    if (this.start.seal !== undefined && this.#seal === undefined) {
      throw new RepriseError("sealed", `Session ${this.session} is sealed.`);
    }
    this.#writer ??= LogWriter.open(
      placesOf(this.#home, this.file),
      writerOptions(this.#options, this.#seal),
    );
    return this.#writer;
  }

  /** The last whole line, found from the end. */
  #last(): { readonly id: EventId; readonly metaAt: number | undefined } {
    for (const line of linesBackward(this.#fd)) {
      const id = line.complete ? idOf(line.bytes) : undefined;
      if (id !== undefined) return { id, metaAt: metaAtOf(line.bytes) };
    }
    return { id: this.start.id, metaAt: undefined };
  }

  #spill(drafts: readonly Draft[]): {
    readonly ready: readonly Draft[];
    readonly staged: readonly StagedBlob[];
  } {
    const staged: StagedBlob[] = [];
    const stage = (text: string): BlobRef => {
      const blob = this.#openBlobs().stage(text);
      staged.push(blob);
      return blob.ref;
    };
    return { ready: drafts.map((draft) => spillDraft(draft, stage)), staged };
  }

  #opened(event: SessionEvent): SessionEvent {
    const open = this.#seal === undefined ? event : this.#seal.openEvent(event);
    if (open.blobs === undefined) return open;
    const { blobs, ...rest } = open;
    return restoreStrings(rest as SessionEvent, (ref) =>
      this.#openBlobs().get(ref).toString("utf8"),
    );
  }

  #openBlobs(): BlobStore {
    this.#blobs ??= openBlobs(this.#home, { disk: this.#options.disk, cipher: this.#seal?.blobs });
    return this.#blobs;
  }

  /** An unfinished line is damage only if nobody is writing it and a second look finds it unchanged. */
  #isTorn(tail: { readonly offset: number; readonly length: number }): boolean {
    if (liveHolder(this.#home.leases, this.session) !== undefined) return false;
    return fstatSync(this.#fd).size === tail.offset + tail.length;
  }
}

function writerOptions(options: FileLogOptions, seal: Seal | undefined): WriterOptions {
  const { disk = realDisk, sync = "turn", waitMs, leasePerAppend, createdAt } = options;
  return { disk, sync, waitMs, leasePerAppend, createdAt, seal };
}

function sealOf(start: SessionStart, secret: Secret | undefined): Seal | undefined {
  return start.seal === undefined || secret === undefined
    ? undefined
    : openSeal(start.seal, secret);
}

function* forward(segment: Segment, from: EventId | undefined): Generator<LogItem> {
  const place =
    from === undefined || from <= segment.firstId
      ? undefined
      : findEvent(segment.fd, from, segment.endOffset);
  for (const item of readLog(segment.fd, { from: place?.offset ?? 0, end: segment.endOffset })) {
    if (item.kind !== "event" || from === undefined || item.event.id >= from) yield item;
  }
}

function* backward(segment: Segment, from: EventId | undefined): Generator<LogItem> {
  if (from !== undefined && from < segment.firstId) return;
  const place = from === undefined ? undefined : findEvent(segment.fd, from, segment.endOffset);
  for (const line of linesBackward(segment.fd, { end: place?.endOffset ?? segment.endOffset })) {
    yield* [...itemsOf(line)].reverse();
  }
}

const shapeOfLine = /^\{"id":(\d+)(?:,"parent":(\d+))?,"at":"[^"]*","type":"([^"]*)"/;

/** Reads the first bytes of each line only: a tree of any size costs a scan, not a parse. */
function* shapesOf(segment: Segment): Generator<Shape> {
  for (const line of linesForward(segment.fd, { end: segment.endOffset })) {
    if (!line.complete) continue;
    const found = shapeOfLine.exec(line.bytes.toString("latin1", 0, 160));
    if (found !== null) {
      yield {
        id: Number(found[1]),
        parent: found[2] === undefined ? undefined : Number(found[2]),
        type: found[3]!,
      };
      continue;
    }
    for (const item of itemsOf(line)) if (item.kind === "event") yield item.event as Shape;
  }
}

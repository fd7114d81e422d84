import { type Disk, exists, inodeAt } from "../base/disk.ts";
import { errnoOf, isRepriseError, RepriseError } from "../base/errors.ts";
import { failpoint, isArmed, tearAndCrash } from "../base/failpoint.ts";
import { leaseLost } from "../base/lease.ts";
import { readFully } from "../base/read-fully.ts";
import { writeError } from "../base/system-error.ts";
import { linesBackward } from "../jsonl/read-backward.ts";
import type { EventFrame, SessionEvent, SessionStart } from "../model/event.ts";
import { type Batch, encodeBatch } from "./batch.ts";
import { isStillThere, makeBlank } from "./blank.ts";
import type { Draft } from "./draft.ts";
import type { Durability } from "./durability.ts";
import { findEvent } from "./find.ts";
import { type Header, sumBefore } from "./header.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";
import { LineEncoder, sumOf } from "./line.ts";
import type { LogFile } from "./log-file.ts";
import { draftsFromQuarantine, mendProgress } from "./mend.ts";
import { settleOldStrip } from "./old-strip.ts";
import {
  bytesAside,
  finishQuarantine,
  pendingQuarantine,
  type Quarantined,
  quarantine,
} from "./quarantine.ts";
import { type Seal, tryOpen } from "./seal.ts";
import { readMeta, type SessionMeta } from "./session-meta.ts";
import { type BrokenSpan, examineTail, stateAt, type TailReport, type TailState } from "./tail.ts";
import { isMendingUnfinished } from "./unfinished-mending.ts";
import { writeOnce } from "./write-once.ts";
import type { LogPlaces } from "./writer-options.ts";

/** How many bytes before its newline a line is recognised by. */
const sumBytes = 64;

/**
 * One for all logs, which is in use only between a line's encoding and its writing: one for each open session would
 * take more room than all the rest of it.
 */
let spareEncoder: LineEncoder | undefined;

/** How often the end of a log is mended in one look: each time there is less to mend. */
const mostMendings = 64;

/**
 * The end of one log, as the holder of its lease knows it: looked at before each append, mended where it is damaged,
 * and written to.
 */
export class LogEnd {
  readonly #places: LogPlaces;
  readonly #header: Header;
  readonly #file: LogFile;
  readonly #disk: Disk;
  readonly #seal: Seal | undefined;
  readonly #lease: LeaseKeeper;
  readonly #durability: Durability;
  readonly #open = (event: SessionEvent) => tryOpen(this.#seal, event);
  readonly #knownMeta = () => this.meta();
  /** Looks at the lease and keeps it alive, in the middle of work that may take long. */
  readonly #keep = () => this.#lease.confirm(this.#lease.term);
  /** Where the log stands if nobody else wrote; undefined while that is not known. */
  #state: TailState | undefined;
  /** Where it stood when the file was last looked at: nothing before that changes any more. */
  #seen: TailState | undefined;
  #meta: SessionMeta | undefined;
  #lookedInTerm = -1;
  #lookedMs = 0;
  #lookedAtOpening = 0;

  constructor(
    log: {
      readonly places: LogPlaces;
      readonly header: Header;
      readonly file: LogFile;
    },
    means: {
      readonly disk: Disk;
      readonly seal: Seal | undefined;
      readonly lease: LeaseKeeper;
      readonly durability: Durability;
    },
  ) {
    this.#places = log.places;
    this.#header = log.header;
    this.#file = log.file;
    this.#disk = means.disk;
    this.#seal = means.seal;
    this.#lease = means.lease;
    this.#durability = means.durability;
  }

  /** What was verified or written by this process; undefined before its first append. */
  get state(): TailState | undefined {
    return this.#state;
  }

  /** What is known of the whole session. */
  meta(): SessionMeta {
    this.#meta ??= this.#readMeta();
    return this.#meta;
  }

  /** Makes sure the file is as this process left it; if others wrote, verifies and mends what they left. */
  look(): TailState {
    const isSameTerm = this.#lookedInTerm === this.#lease.term;
    let known = this.#state;
    // In a burst the last look still holds, and each stat makes the kernel stamp the next write anew.
    const nowMs = Date.now();
    if (isSameTerm && known !== undefined && nowMs === this.#lookedMs) return known;
    this.#lookedMs = nowMs;
    const { size, links, inode } = this.#disk.sizeOf(this.#fd);
    if (known !== undefined && this.#file.openings !== this.#lookedAtOpening) {
      known = this.#stillThere(known);
    }
    this.#lookedAtOpening = this.#file.openings;
    if (links > 0 && isSameTerm && known?.size === size) return this.#sees(known);
    // A name that passed to another file shows in the inode; within a term the open file is what counts.
    if (links === 0 || (!isSameTerm && inodeAt(this.#places.file) !== inode)) {
      throw this.#changedOutside("was removed or replaced while it was open");
    }
    if (!isSameTerm) {
      const settled = this.#settleStrip();
      if (settled !== undefined) return settled;
    }
    if (isMendingUnfinished(this.#places.quarantine, this.#session)) {
      this.#finishMending(pendingQuarantine(this.#places.quarantine, this.#session));
      return this.#examined();
    }
    if (known !== undefined && size < known.size) {
      throw this.#changedOutside("became shorter while it was open");
    }
    this.#lookedInTerm = this.#lease.term;
    return known?.size === size ? this.#sees(known) : this.#examined();
  }

  /** The same, whenever the last look was. */
  lookAgain(): TailState {
    this.#lookedMs = -1;
    return this.look();
  }

  /** Writes drafts behind the end in one call. */
  put(drafts: readonly Draft[], state: TailState): Batch {
    return this.#encoded(drafts, state, (batch) => {
      failpoint("append.before-write");
      if (isArmed("append.half-written")) tearAndCrash(this.#disk, this.#fd, batch.bytes);
      this.#write(batch, state);
      failpoint("append.after-write");
    });
  }

  /** Anyone who calls keeps the file from being closed. */
  get #fd(): number {
    return this.#file.fd;
  }

  get #session(): string {
    return this.#header.start.session;
  }

  #sees(state: TailState): TailState {
    this.#seen = state;
    this.#state = state;
    return state;
  }

  #settleStrip(): TailState | undefined {
    const log = { session: this.#session, fd: this.#fd };
    const settled = settleOldStrip(this.#places, log, this.#disk);
    if (settled === undefined) return undefined;
    const state = this.look();
    return settled.report === undefined ? state : this.put([{ body: settled.report }], state).next;
  }

  /** Verifies what came since the last look, and mends it as often as there is something to mend. */
  #examined(): TailState {
    // Until it is mended nothing is known of the end: where that fails, the next append must not go on behind it.
    this.#state = this.#meta = undefined;
    for (let left = mostMendings; left > 0; left -= 1) {
      const { size } = this.#disk.sizeOf(this.#fd);
      const { state, broken } = this.#examine(this.#seen);
      if (state === undefined) break;
      if (broken === undefined) {
        this.#lookedInTerm = this.#lease.term;
        return this.#sees({ ...state, size: Math.max(state.size, size) });
      }
      this.#mend(broken);
    }
    throw new RepriseError("damaged", `${this.#places.file} has no readable line to append to.`);
  }

  #examine(known: TailState | undefined): TailReport {
    const firstSum = sumBefore(this.#header.start);
    const plainFile = this.#seal === undefined ? this.#places.file : undefined;
    return examineTail(this.#fd, { known, firstSum, plainFile });
  }

  /** Sets a span aside that is not a part of the log. */
  #mend({ from, to, after }: BrokenSpan): void {
    failpoint("mend.before-quarantine");
    // What stays must be durable before the redo record says that it stays.
    this.#durability.syncNow();
    this.#keep();
    const taken = { session: this.#session, fd: this.#fd, from, to, after: after.lastSum };
    let kept: Quarantined;
    try {
      kept = quarantine(this.#places.quarantine, taken, this.#disk, this.#keep);
    } catch (error) {
      if (isRepriseError(error)) throw error;
      throw writeError(error, `${this.#places.file} could not be mended; nothing was changed.`);
    }
    failpoint("mend.after-quarantine");
    this.#finishMending(kept);
  }

  /**
   * From here on the quarantine file is the redo record: every step may be repeated. It says nothing about a log that
   * does not have the line it names: another file has taken the session's name.
   */
  #finishMending(taken: Quarantined): void {
    this.#lookedInTerm = -1;
    try {
      const before = stateAt(this.#fd, taken.from);
      if (before?.lastSum === taken.after) this.#redo(taken, before);
      this.#keep();
      finishQuarantine(this.#places.quarantine, taken, this.#disk);
    } catch (error) {
      // Anyone who took the lease finished it first.
      if (errnoOf(error) === "ENOENT" && !exists(taken.path)) throw leaseLost(this.#session);
      throw error;
    }
  }

  #redo(taken: Quarantined, before: TailState): void {
    const span = { from: taken.from, to: taken.from + taken.bytes };
    if (isStillThere(this.#fd, span, bytesAside(taken, this.#keep))) this.#blank(span);
    failpoint("mend.after-blank");
    const progress = mendProgress(this.#fd, taken, this.#open);
    if (progress?.isDone) {
      // It may be there to be read and not on the disk.
      this.#durability.syncNow();
      return;
    }
    // A batch that was cut off goes on where it ended, behind what is left of its last line.
    const torn = tornAt(this.#fd, before.size);
    const { size } = this.#disk.sizeOf(this.#fd);
    if (torn !== undefined) this.#blank({ from: torn, to: size });
    const state = { ...(this.#examine(before).state ?? before), size };
    this.#state = state;
    this.#meta = undefined;
    const lastId = progress === undefined ? state.lastId : progress.notice - 1;
    const isThere = (event: SessionEvent): boolean => this.#has(event);
    const drafts = draftsFromQuarantine(taken, { lastId, open: this.#open, isThere });
    const left = progress === undefined ? drafts : drafts.slice(1 + progress.recovered);
    this.#encoded(left, state, (batch) => {
      if (isArmed("mend.half-written")) tearAndCrash(this.#disk, this.#fd, batch.bytes);
      this.#write(batch, state);
    });
    failpoint("mend.after-write");
    this.#durability.syncNow();
  }

  #blank(span: { readonly from: number; readonly to: number }): void {
    try {
      makeBlank(this.#places.file, span, this.#disk, this.#keep);
    } catch (error) {
      if (isRepriseError(error)) throw error;
      throw writeError(error, `${this.#places.file} could not be mended.`);
    }
  }

  /** Whether the log has an event with this number and this sum. */
  #has({ id, sum }: SessionEvent): boolean {
    const place = findEvent(this.#fd, id, this.#disk.sizeOf(this.#fd).size);
    if (place === undefined || sum === undefined) return false;
    const length = place.endOffset - 1 - place.offset;
    return sumOf(readFully(this.#fd, { from: place.offset, length })) === sum;
  }

  /** Makes lines of drafts and does something with them, while their bytes are valid. */
  #encoded(drafts: readonly Draft[], state: TailState, act: (batch: Batch) => void): Batch {
    const encoder = spareEncoder ?? new LineEncoder();
    spareEncoder = undefined;
    try {
      const context = { state, meta: this.#knownMeta, seal: this.#seal };
      const batch = encodeBatch(encoder, drafts, context);
      act(batch);
      return batch;
    } finally {
      spareEncoder = encoder;
    }
  }

  /** A file that was closed in between must have the last known line where it was; undefined if that lies deeper. */
  #stillThere(known: TailState): TailState | undefined {
    const from = Math.max(0, known.size - sumBytes - 1);
    const line = readFully(this.#fd, { from, length: known.size - from });
    // A short file is refused for that; behind blank lines, the end is verified anew.
    if (line.length < known.size - from) return known;
    const sum = sumOf(line.subarray(0, -1));
    if (sum === known.lastSum) return known;
    if (sum !== undefined) throw this.#changedOutside("was replaced while it was open");
    this.#seen = this.#state = undefined;
    return undefined;
  }

  #write(batch: Batch, { size }: TailState): void {
    const file = { fd: this.#fd, path: this.#places.file, size };
    writeOnce(this.#disk, file, batch.bytes, {
      mayCut: () => this.#lease.isKept(),
      // Without a known state the next append mends the torn line.
      onTorn: () => {
        this.#state = undefined;
      },
    });
    this.#state = batch.next;
    if (batch.meta !== undefined) this.#meta = batch.meta;
    this.#durability.wrote(batch.events);
    this.#lease.touch();
  }

  #changedOutside(how: string): RepriseError {
    return new RepriseError("changed_outside", `${this.#places.file} ${how}.`);
  }

  #readMeta(): SessionMeta {
    const { start } = this.#header;
    const opened = this.#open(start) ?? start;
    const metaAt = this.#state?.metaAt;
    return readMeta(this.#fd, opened as SessionStart & EventFrame, { metaAt, open: this.#open });
  }
}

/** Where a last line begins that no newline ends, behind an offset. */
function tornAt(fd: number, after: number): number | undefined {
  for (const line of linesBackward(fd)) {
    return line.complete || line.offset < after ? undefined : line.offset;
  }
  return undefined;
}

import { dirname } from "node:path";
import { type Disk, type Synced, whenSynced } from "../base/disk.ts";
import { RepriseError } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import { limits } from "../base/limits.ts";
import { type EventId, type SessionEvent, turnTypes } from "../model/event.ts";
import { GroupSync } from "./group-sync.ts";
import { Strip } from "./strip.ts";

/** When an append is acknowledged: see docs/format.md, "Durability". */
export type SyncPolicy = "turn" | "each" | "none";

interface IdRange {
  readonly first: EventId;
  last: EventId;
}

/** Keeps a log's promises to the disk: what must be synced before an append is acknowledged. */
export class Durability {
  readonly #disk: Disk;
  readonly #policy: SyncPolicy;
  readonly #file: { readonly fd: number; readonly path: string };
  readonly #group: GroupSync;
  readonly #stripPath: string;
  #strip: Strip | undefined;
  /** Whether every line since the log was last synced is in the strip. */
  #isInStrip = false;
  /** Syncs of the log for a single append; negative where a strip could not be made. */
  #lonelySyncs = 0;
  /** Counts appends, to tell whether one came while a sync was under way. */
  #appends = 0;
  #unsynced: IdRange | undefined;
  #nameSynced: boolean;
  #poison: RepriseError | undefined;
  /** The events nobody can vouch for any more. */
  #doubtful: IdRange | undefined;

  constructor(
    disk: Disk,
    options: {
      readonly policy: SyncPolicy;
      readonly file: { readonly fd: number; readonly path: string };
      readonly stripPath: string;
      /** Whether the file's name is on the disk for certain; otherwise the first sync sees to it. */
      readonly isNamed: boolean;
    },
  ) {
    this.#disk = disk;
    this.#policy = options.policy;
    this.#file = options.file;
    this.#stripPath = options.stripPath;
    this.#nameSynced = options.isNamed;
    this.#group = new GroupSync((done, waiters) => this.#sync(done, waiters));
  }

  /** Throws where an earlier sync failed: nobody knows what the disk holds until the log is reopened. */
  check(): void {
    if (this.#poison !== undefined) throw this.#poison;
  }

  /** Notes events whose durability is not confirmed yet, and the bytes they took in the log. */
  wrote(events: readonly SessionEvent[], bytes: Uint8Array): void {
    this.#appends += 1;
    if (this.#isInStrip) this.#isInStrip = this.#strip?.put(bytes) ?? false;
    const first = events[0]?.id;
    const last = events.at(-1)?.id;
    if (first === undefined || last === undefined) return;
    if (this.#unsynced === undefined) this.#unsynced = { first, last };
    else this.#unsynced.last = last;
  }

  /** Whether these events are acknowledged only after a sync. */
  mustSync(events: readonly SessionEvent[]): boolean {
    if (this.#policy === "none") return false;
    return this.#policy === "each" || events.some(endsTurn);
  }

  /** Calls back when everything written before this call is on the disk; concurrent callers share a sync. */
  whenSynced(done: Synced): void {
    this.#group.whenSynced(done);
  }

  /** The same, blocking. */
  syncNow(): void {
    if (this.#isInStrip) this.#blockFor(this.#strip!.fd);
    else this.syncLogNow();
  }

  /** Blocks until everything written before this call is on the disk in the log itself. */
  syncLogNow(): void {
    this.#blockFor(this.#file.fd);
    this.#logSynced(1);
  }

  /** The log has lines that are not in the strip: the next sync is the log's. */
  leaveStrip(): void {
    this.#isInStrip = false;
  }

  /** Forgets a strip that was taken away. */
  checkStrip(): void {
    if (this.#isInStrip && this.#strip?.isOurs() !== true) this.forgetStrip();
  }

  /** Forgets the strip: in another term it is the affair of whoever holds the lease then. */
  forgetStrip(): void {
    const strip = this.#takeStrip();
    // A number that is closed under a sync could by then be another file's.
    if (strip !== undefined) void this.#group.settled().then(() => strip.close());
  }

  /** Does without the strip from here on: the log is synced, then the strip goes. */
  async layStripAside(): Promise<void> {
    // A sync that is under way may yet make one.
    await this.#group.settled();
    const strip = this.#strip;
    if (strip === undefined) return;
    const appends = this.#appends;
    try {
      await whenSynced(this.#disk, this.#file.fd);
    } catch (error) {
      // Nobody hears of it now, but nothing may be acknowledged after it.
      this.#poisoned(undefined, error);
    }
    // Where more came in the meantime it is still needed.
    if (this.#strip !== strip || appends !== this.#appends) return;
    this.#takeStrip();
    if (this.#poison === undefined) strip.remove();
    await this.#group.settled();
    strip.close();
  }

  /** The same, blocking, where the process ends: a strip that stays would be found by the next one. */
  layStripAsideNow(): void {
    const strip = this.#takeStrip();
    if (strip === undefined || this.#poison !== undefined) return;
    try {
      this.#disk.syncNow(this.#file.fd);
    } catch {
      return;
    }
    strip.remove();
  }

  /** Resolves when no sync is under way. */
  settled(): Promise<void> {
    return this.#group.settled();
  }

  #sync(done: Synced, waiters: number): void {
    const range = this.#takeUnsynced();
    if (this.#poison !== undefined) {
      done(this.#poisoned(range, this.#poison.cause));
      return;
    }
    const inStrip = this.#isInStrip ? this.#strip : undefined;
    const appends = this.#appends;
    this.#disk.sync(inStrip?.fd ?? this.#file.fd, (error) => {
      // Of two syncs at once the system tells only one that it failed.
      const failure = error ?? this.#poison?.cause;
      if (failure !== undefined) {
        done(this.#poisoned(range, failure));
        return;
      }
      if (inStrip === undefined && appends === this.#appends) this.#logSynced(waiters);
      // Many appends at once share a sync of the log: to write each of them twice would cost more than it saves.
      else if (waiters > 1) this.#isInStrip = false;
      done(this.#confirmed(range));
    });
  }

  #blockFor(fd: number): void {
    const range = this.#takeUnsynced();
    this.#refuseIfPoisoned(range);
    try {
      this.#disk.syncNow(fd);
      this.#syncName();
    } catch (error) {
      throw this.#poisoned(range, error);
    }
    failpoint("append.after-sync");
  }

  /** Every line is durable in the log: from here on the next ones may be so by the strip. */
  #logSynced(waiters: number): void {
    if (this.#policy !== "each" || waiters > 1) return;
    if (this.#strip === undefined) {
      if (this.#lonelySyncs < 0) return;
      this.#lonelySyncs += 1;
      if (this.#lonelySyncs < limits.stripAfterSyncs) return;
      this.#strip = Strip.create(this.#stripPath, this.#disk);
      if (this.#strip === undefined) {
        this.#lonelySyncs = -1;
        return;
      }
    }
    this.#strip.restart();
    this.#isInStrip = true;
  }

  /** What is wrong after a sync that succeeded; undefined where nothing is. */
  #confirmed(range: IdRange | undefined): RepriseError | undefined {
    try {
      this.#syncName();
    } catch (error) {
      return this.#poisoned(range, error);
    }
    failpoint("append.after-sync");
    return undefined;
  }

  /** After a failed sync the next one may succeed without the lost pages: it proves nothing. */
  #refuseIfPoisoned(range: IdRange | undefined): void {
    if (this.#poison !== undefined) throw this.#poisoned(range, this.#poison.cause);
  }

  #takeStrip(): Strip | undefined {
    const strip = this.#strip;
    this.#strip = undefined;
    this.#isInStrip = false;
    this.#lonelySyncs = 0;
    return strip;
  }

  #takeUnsynced(): IdRange | undefined {
    const range = this.#unsynced;
    this.#unsynced = undefined;
    return range;
  }

  #syncName(): void {
    if (this.#nameSynced) return;
    this.#disk.syncDirectory(dirname(this.#file.path));
    this.#nameSynced = true;
  }

  #poisoned(range: IdRange | undefined, cause: unknown): RepriseError {
    this.#doubtful = {
      first: this.#doubtful?.first ?? range?.first ?? 0,
      last: range?.last ?? this.#doubtful?.last ?? 0,
    };
    const { first, last } = this.#doubtful;
    const which =
      last === 0
        ? "what was written"
        : first === last
          ? `event ${first}`
          : `events ${first} to ${last}`;
    this.#poison = new RepriseError(
      "sync_failed",
      `The disk did not confirm ${which} in ${this.#file.path}.`,
      { cause, details: { first, last } },
    );
    return this.#poison;
  }
}

function endsTurn(event: SessionEvent): boolean {
  return turnTypes.has(event.type) || (event.type === "assistant" && event.endTurn === true);
}

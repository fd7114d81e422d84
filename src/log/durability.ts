import { dirname } from "node:path";
import type { Disk, Synced } from "../base/disk.ts";
import { RepriseError } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import type { EventId, SessionEvent } from "../model/event.ts";
import { turnTypes } from "../model/event-groups.ts";
import { GroupSync } from "./group-sync.ts";
import type { LogFile } from "./log-file.ts";
import { whenNamed } from "./name-sync.ts";

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
  readonly #file: LogFile;
  readonly #group: GroupSync;
  #unsynced: IdRange | undefined;
  #nameSynced: boolean;
  #poison: RepriseError | undefined;
  /** The events nobody can vouch for any more. */
  #doubtful: IdRange | undefined;

  constructor(
    disk: Disk,
    options: {
      readonly policy: SyncPolicy;
      readonly file: LogFile;
      /** Whether the file's name is on the disk for certain; otherwise the first sync sees to it. */
      readonly isNamed: boolean;
    },
  ) {
    this.#disk = disk;
    this.#policy = options.policy;
    this.#file = options.file;
    this.#nameSynced = options.isNamed;
    this.#group = new GroupSync((done) => this.#sync(done));
    options.file.guard({
      isLeft: () => this.#isLeft(),
      syncNow: () => this.#trySync(),
      sync: (done) => this.whenSynced(() => done()),
    });
  }

  /** Throws where an earlier sync failed: nobody knows what the disk holds until the log is reopened. */
  check(): void {
    if (this.#poison !== undefined) throw this.#poison;
  }

  /** Notes events whose durability is not confirmed yet. */
  wrote(events: readonly SessionEvent[]): void {
    const first = events[0]?.id;
    const last = events.at(-1)?.id;
    if (first === undefined || last === undefined) return;
    if (this.#unsynced === undefined) this.#unsynced = { first, last };
    else this.#unsynced.last = last;
  }

  /** Whether these events are acknowledged only after a sync. */
  mustSync(events: readonly SessionEvent[]): boolean {
    return mustSync(this.#policy, events);
  }

  /** Calls back when everything written before this call is on the disk; concurrent callers share a sync. */
  whenSynced(done: Synced): void {
    this.#group.whenSynced(done);
  }

  /** The same, blocking. */
  syncNow(): void {
    const range = this.#takeUnsynced();
    this.#refuseIfPoisoned(range);
    try {
      this.#file.use((fd) => this.#disk.syncNow(fd));
      this.#syncName();
    } catch (error) {
      throw this.#poisoned(range, error);
    }
    failpoint("append.after-sync");
  }

  /** Resolves when no sync is under way. */
  settled(): Promise<void> {
    return this.#group.settled();
  }

  #sync(done: Synced): void {
    const range = this.#takeUnsynced();
    if (this.#poison !== undefined) {
      done(this.#poisoned(range, this.#poison.cause));
      return;
    }
    this.#file.enter();
    const finish: Synced = (error) => {
      this.#file.leave();
      // Of two syncs at once the system says only one that it failed.
      const failure = error ?? this.#poison?.cause;
      if (failure !== undefined) {
        done(this.#poisoned(range, failure));
        return;
      }
      failpoint("append.after-sync");
      done();
    };
    let fd: number;
    try {
      fd = this.#file.fd;
    } catch (error) {
      finish(error);
      return;
    }
    this.#disk.sync(fd, (error) => {
      if (error !== undefined || this.#nameSynced) finish(error);
      else
        whenNamed(this.#disk, this.#file.path, (failure) => {
          if (failure === undefined) this.#nameSynced = true;
          finish(failure);
        });
    });
  }

  /** Whether something was written that the disk has not confirmed, though it is to be asked. */
  #isLeft(): boolean {
    return this.#unsynced !== undefined && this.#policy !== "none" && this.#poison === undefined;
  }

  /** What is wrong is remembered: the next append is refused. */
  #trySync(): void {
    try {
      this.syncNow();
    } catch {}
  }

  /** After a failed sync the next one may succeed without the lost pages: it proves nothing. */
  #refuseIfPoisoned(range: IdRange | undefined): void {
    if (this.#poison !== undefined) throw this.#poisoned(range, this.#poison.cause);
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

/** Whether events are acknowledged only after a sync. */
export function mustSync(policy: SyncPolicy, events: readonly SessionEvent[]): boolean {
  if (policy === "none") return false;
  return policy === "each" || events.some(endsTurn);
}

function endsTurn(event: SessionEvent): boolean {
  return turnTypes.has(event.type) || (event.type === "assistant" && event.endTurn === true);
}

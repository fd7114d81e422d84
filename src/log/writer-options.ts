import type { Disk } from "../base/disk.ts";
import type { SyncPolicy } from "./durability.ts";
import type { LeaseTimes } from "./lease-keeper.ts";
import type { Seal } from "./seal.ts";
import type { Demand } from "./seen.ts";

/** Where a session's file and what belongs to it lie. */
export interface LogPlaces {
  readonly file: string;
  readonly leases: string;
  readonly quarantine: string;
  readonly strips: string;
}

/** How a log is written. */
export interface WriterOptions extends LeaseTimes {
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
export interface AppendOptions extends Demand {
  /** Ends the wait for another writer: nothing is written then. */
  readonly signal?: AbortSignal | undefined;
}

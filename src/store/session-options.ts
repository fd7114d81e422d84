import type { Environment } from "../base/env.ts";
import type { SyncPolicy } from "../log/durability.ts";
import type { Secret } from "../log/seal.ts";
import type { SessionEvent } from "../model/event.ts";
import type { Retention } from "./retention.ts";
import type { StartOptions } from "./start.ts";

/** Makes a summary of what a compaction takes away. */
export type Summarise = (events: readonly SessionEvent[]) => string | Promise<string>;

/** How a session makes room in the model's window. */
export interface CompactOptions {
  /** `truncate` keeps the newest turns, `summarise` adds a summary of the rest, `rotate` goes on in a new session. */
  readonly strategy?: "truncate" | "summarise" | "rotate";
  /** A model's summary; without it the built-in one picks out what matters. */
  readonly summarise?: Summarise;
  /** Tokens of the newest turns to keep. */
  readonly keepTokens?: number;
}

/** When to compact by itself: before a prompt that would not leave `reserveTokens` of the window free. */
export interface AutoCompact extends CompactOptions {
  readonly windowTokens: number;
  readonly reserveTokens?: number;
}

/** How a session is opened. */
export interface OpenOptions {
  /** When an append is acknowledged: see docs/format.md. Default `turn`. */
  readonly sync?: SyncPolicy;
  /** How long to wait for another writer. Default 5 seconds. */
  readonly waitMs?: number;
  /** Give the lease back after each append, as short-lived processes do. */
  readonly leasePerAppend?: boolean;
  /** How long this process may be silent before others take the session over; 30 ms to 1 hour. Default 30 seconds. */
  readonly leaseStaleMs?: number;
  /** After how long without an append others may write; 10 ms to 1 hour. Default 2 seconds. */
  readonly leaseIdleMs?: number;
  /** Opens a sealed session; `REPRISE_KEY` otherwise. */
  readonly secret?: Secret;
  readonly autoCompact?: AutoCompact;
  /** Go on in a new session when the file grows over this size. */
  readonly maxBytes?: number;
  /** Sessions to let go when the store is opened; everything is kept without it. */
  readonly retention?: Retention;
  /** Write on network file systems too, where leases cannot be trusted. */
  readonly allowNetworkFs?: boolean;
  readonly env?: Environment;
}

/** How a session is made. */
export interface CreateOptions extends OpenOptions, StartOptions {
  /** `none` keeps the session in memory. */
  readonly persistence?: "file" | "none";
  /** Encrypt it with `secret` or `REPRISE_KEY`. */
  readonly seal?: boolean;
}

/** What goes on to hold for a session and its forks: how it is opened, not what it was begun with. */
export function openOptionsOf(options: CreateOptions): OpenOptions {
  const { id, title, tags, model, agent, createdBy, metadata, persistence, seal, ...open } =
    options;
  return open;
}

import type { Environment } from "../base/env.ts";
import type { Estimate } from "../context/estimate.ts";
import type { WindowOptions } from "../context/room.ts";
import type { SyncPolicy } from "../log/durability.ts";
import type { Secret } from "../log/seal.ts";
import type { EventId, SessionEvent } from "../model/event.ts";
import type { Store } from "./contract.ts";
import type { Retention } from "./retention.ts";
import type { StartOptions } from "./start.ts";

/** What a summary must keep to. */
export interface SummaryRequest {
  /** The longest it may be; a longer one is cut. */
  readonly budgetTokens?: number | undefined;
  /** Fires when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Makes a summary of what a compaction takes away. */
export type Summarise = (
  events: readonly SessionEvent[],
  request: SummaryRequest,
) => string | Promise<string>;

/** How a session makes room in the model's window. */
export interface CompactOptions {
  /** `truncate` keeps the newest turns, `summarise` adds a summary of the rest, `rotate` continues in a new session. */
  readonly strategy?: "truncate" | "summarise" | "rotate" | undefined;
  /** A model's summary; without it the built-in one picks out what matters. */
  readonly summarise?: Summarise | undefined;
  /** Tokens of the newest turns to keep. */
  readonly keepTokens?: number | undefined;
  /** The longest the summary may be; a longer one is cut. */
  readonly summaryTokens?: number | undefined;
  /** Counts the tokens of a text; the session's own estimate unless given. */
  readonly estimate?: Estimate | undefined;
  /** Gives up with `aborted`: nothing is appended. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Compacts by itself before a prompt, a tool's result or another event for the model that would not fit into the
 * window with what is reserved. One that does not fit even then is refused (`window_exceeded`). `appendSync` uses the
 * built-in summary: it cannot wait for another.
 */
export interface AutoCompact extends Omit<CompactOptions, "signal">, WindowOptions {}

/** What one append demands. */
export interface AppendRequest {
  /**
   * The last id its author saw: anything but quiet events after it is a `conflict`. `any` takes the session as it is.
   * Without it an event of the conversation is refused if somebody else continued the conversation since this object
   * was opened, appended to or reloaded; other events are not compared.
   */
  readonly after?: EventId | "any" | undefined;
  /** Ends the wait for another writer: nothing is written then. */
  readonly signal?: AbortSignal | undefined;
}

/** How a session is opened. */
export interface OpenOptions {
  /** Where sessions are kept, in place of files; how it writes and waits is then said by the store's own options. */
  readonly store?: Store;
  /** When an append is acknowledged: see docs/format.md. Default `turn`. */
  readonly sync?: SyncPolicy;
  /** How long to wait for another writer. Default 5 seconds. */
  readonly waitMs?: number;
  /** Give the lease back after each append, as short-lived processes do. */
  readonly leasePerAppend?: boolean;
  /** Hold the session from the start until it is closed: nobody else can write to it. */
  readonly exclusive?: boolean;
  /** How many session files this process keeps open at most; a quarter of what the system allows unless given. */
  readonly maxOpenFiles?: number;
  /** How long this process may be silent before others take the session over; 30 ms to 1 hour. Default 30 seconds. */
  readonly leaseStaleMs?: number;
  /** After how long without an append others may write; 10 ms to 1 hour. Default 2 seconds. */
  readonly leaseIdleMs?: number;
  /** Opens a sealed session; `REPRISE_KEY` otherwise. */
  readonly secret?: Secret;
  readonly autoCompact?: AutoCompact;
  /** Counts the tokens of a text wherever tokens are estimated; the built-in estimate unless given. */
  readonly estimate?: Estimate;
  /** Continue in a new session when the file grows over this size. */
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

/** How a session of a store is opened that answers later. */
export interface AsyncOpenOptions
  extends Pick<OpenOptions, "autoCompact" | "estimate" | "maxBytes" | "env"> {
  readonly store: Store;
}

/** How a session of such a store is made. */
export interface AsyncCreateOptions extends AsyncOpenOptions, StartOptions {}

/** What goes on to hold for a session and its forks: how it is opened, not what it was begun with. */
export function openOptionsOf(options: CreateOptions): OpenOptions {
  const {
    id,
    key,
    title,
    tags,
    model,
    agent,
    createdBy,
    metadata,
    continues,
    persistence,
    seal,
    ...open
  } = options;
  return open;
}

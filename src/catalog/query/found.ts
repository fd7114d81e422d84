import type { SessionRef } from "../../agents/contract.ts";
import type { Kind } from "../index/kind.ts";
import type { Instead } from "./near-words.ts";
import type { Order } from "./order.ts";
import type { EventScore, SessionScore } from "./rank.ts";
import type { SessionFacts } from "./session-filter.ts";
import type { Snippet } from "./snippet.ts";

/** An event that was found. */
export interface FoundEvent {
  /** Names it behind `ref@`; empty for the session's title. */
  readonly number: string;
  readonly kind: Kind;
  readonly at?: string;
  /** Absent where the source can no longer be read. */
  readonly snippet?: Snippet;
  /** The call that a result answers, on one line: `$ npm test`. Where filters ask for what tools did. */
  readonly call?: string;
  /** What it is worth beside the events of all sessions; absent where words were not looked for. */
  readonly score?: EventScore;
}

/** A session with what was found in it, best first. */
export interface FoundInSession {
  readonly ref: SessionRef;
  readonly facts: SessionFacts;
  /** Its file is gone; only the index knows it. */
  readonly gone: boolean;
  readonly events: readonly FoundEvent[];
  /** All events that match. */
  readonly total: number;
  /** The beginning of what a person said first, and how often a person said something. */
  readonly prompt?: string;
  readonly prompts: number;
  readonly score?: SessionScore;
}

/** Where something stands, and when it was said. */
export interface Mention {
  readonly agent: string;
  readonly session: string;
  readonly number: string;
  readonly at: string;
}

/** What was done to be up to date. */
export interface Freshness {
  /** Sessions on the machine, without those of subagents as far as the index says them. */
  readonly sessions: number;
  readonly subagents?: number;
  /** Sessions that were read into the index now. */
  readonly indexed: number;
  /** Sessions that were read without the index. */
  readonly streamed: number;
  /** Sealed sessions that were not looked into, because there is no key. */
  readonly sealed: number;
  readonly gone: number;
}

/** The answer to a search. */
export interface Found {
  readonly sessions: readonly FoundInSession[];
  /** Sessions that match, those not shown included; a lower bound where `more`. */
  readonly totalSessions: number;
  readonly more: boolean;
  readonly order: Order;
  readonly newestFirst: boolean;
  /** Sessions that have every word; absent where fewer than two were looked for. */
  readonly haveAll?: number;
  /** Sessions that have only some of the words, where an order of time leaves them out. */
  readonly leftOut?: number;
  /** What words were looked for, in the order of the scores of each. */
  readonly sought: readonly string[];
  /** Where nothing was found at the time that was asked for: the newest at any other. */
  readonly otherTime?: Mention;
  /** Words that were looked for in place of misspelt ones. */
  readonly instead: readonly Instead[];
  readonly freshness: Freshness;
  /** What a user should know about how the answer was made. */
  readonly notes: readonly string[];
}

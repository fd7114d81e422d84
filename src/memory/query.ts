import type { Access, MemoryType, Provenance, Status } from "./entry.ts";

/** From and to, ISO times; either may be absent. */
export interface TimeRange {
  readonly from?: string;
  readonly to?: string;
}

/** From and to, both included; either may be absent. */
export interface NumberRange {
  readonly from?: number;
  readonly to?: number;
}

/** Which memories are meant. Everything that is given must hold. */
export interface MemoryQuery {
  readonly ids?: readonly string[];
  readonly idPrefix?: string;
  readonly key?: string;
  readonly keyPrefix?: string;
  /** A regular expression of JavaScript; one that takes longer than a second is refused. */
  readonly keyPattern?: string;
  readonly tagsAny?: readonly string[];
  readonly tagsAll?: readonly string[];
  readonly tagsNone?: readonly string[];
  readonly types?: readonly MemoryType[];
  /** Other namespaces than the open one; of these only what is public is returned. `"all"` for every one. */
  readonly namespaces?: readonly string[] | "all";
  readonly owners?: readonly string[];
  readonly access?: readonly Access[];
  /** `kept` unless given. */
  readonly statuses?: readonly Status[] | "all";
  readonly provenance?: readonly Provenance[];
  readonly created?: TimeRange;
  readonly updated?: TimeRange;
  readonly accessed?: TimeRange;
  readonly expires?: TimeRange;
  readonly sizeBytes?: NumberRange;
  readonly version?: NumberRange;
  /** `true`: only expired ones; `"any"`: these too. Otherwise expired ones are left out. */
  readonly expired?: boolean | "any";
  readonly neverAccessed?: boolean;
  readonly compressed?: boolean;
  readonly hasReference?: boolean;
  /** Speaks of this entry. */
  readonly reference?: string;
  readonly hasDependency?: boolean;
  readonly dependency?: string;
  readonly hasEvidence?: boolean;
  /** Rests on this session, file or commit; the beginning of it will do. */
  readonly evidence?: string;
  /** What it rests on has changed since, or is gone. */
  readonly stale?: boolean;
  /** A newer entry replaces it. */
  readonly superseded?: boolean;
  /** Replaces one of these, by id or key. */
  readonly supersedes?: readonly string[];
  /** Fields of the metadata and what they are. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** All these words are in key, value or tags. */
  readonly text?: string;
  /** Shares words with this text; the more, the earlier. */
  readonly similarTo?: string;
  readonly sort?: MemorySort;
  readonly order?: "ascending" | "descending";
  readonly limit?: number;
  readonly offset?: number;
}

/** How memories may be sorted. */
export const memorySorts = [
  "relevance",
  "created",
  "updated",
  "accessed",
  "key",
  "size",
  "version",
] as const;
/** One of these orders. */
export type MemorySort = (typeof memorySorts)[number];

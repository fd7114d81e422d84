/** Finds anything in every agent's sessions at once, and keeps the index that makes it fast. */
export type { SessionRef } from "./agents/contract.ts";
export type { OnMachine } from "./agents/library.ts";
export type { Environment } from "./base/env.ts";
export type { Kind } from "./catalog/index/kind.ts";
export type {
  IndexedMachine,
  IndexStatus,
  OpenIndexOptions,
  SearchIndex,
} from "./catalog/index/library.ts";
export { openIndex } from "./catalog/index/library.ts";
export type { Totals } from "./catalog/index/totals.ts";
export type { UpdateOptions } from "./catalog/index/update.ts";
export type { Finder, Wanted } from "./catalog/query/finder.ts";
export type {
  Found,
  FoundEvent,
  FoundInSession,
  Freshness,
  Mention,
} from "./catalog/query/found.ts";
export type { SearchOptions } from "./catalog/query/library.ts";
export { openFinder, search } from "./catalog/query/library.ts";
export type { Instead } from "./catalog/query/near-words.ts";
export type { Order } from "./catalog/query/order.ts";
export type { Filter, FilterKey } from "./catalog/query/query.ts";
export type { EventScore, SessionScore } from "./catalog/query/rank.ts";
export type { SearchRequest } from "./catalog/query/request.ts";
export type { SessionFacts } from "./catalog/query/session-filter.ts";
export type { FindIn, Place, Snippet } from "./catalog/query/snippet.ts";
export type { FoundTurn, FoundTurns, Question } from "./catalog/query/turns.ts";

/** Tokens and cost of every agent's sessions, each model message counted once. */
export type { OnMachine } from "./agents/library.ts";
export type { NamedSession } from "./agents/reference.ts";
export type { Environment } from "./base/env.ts";
export type { ContextShare, ContextShares, ShareName } from "./catalog/usage/context-shares.ts";
export type { GatherOptions } from "./catalog/usage/gather.ts";
export { type Grouping, groupings } from "./catalog/usage/grouping.ts";
export type { PricedReport, SessionUsage } from "./catalog/usage/library.ts";
export { reportUsage, sessionUsage } from "./catalog/usage/library.ts";
export type { CountOptions, UsageOptions } from "./catalog/usage/make-report.ts";
export type { PricesUsed } from "./catalog/usage/prices.ts";
export type { ModelUsage, TokenSums, UsageGroup, UsageReport } from "./catalog/usage/report.ts";
export type { SessionHead } from "./model/head.ts";
export type { Uncounted } from "./model/usage-scan.ts";

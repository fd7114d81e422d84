/** What a report distinguishes. */
export const groupings = ["day", "week", "month", "session", "project", "agent", "model"] as const;
/** One of the groupings. */
export type Grouping = (typeof groupings)[number];

/** What a report tells apart. */
export const groupings = ["day", "week", "month", "session", "project", "agent", "model"] as const;
export type Grouping = (typeof groupings)[number];

/** One thing a conversion could not carry over as it was. */
export interface Loss {
  readonly field: string;
  readonly effect: "dropped" | "rewritten" | "summarised";
  readonly count: number;
  readonly reason: string;
}

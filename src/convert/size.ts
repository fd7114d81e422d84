/** How large what is carried over is, in estimated tokens. */
export interface ConvertedSize {
  readonly tokens: number;
  /** How large the whole session is. */
  readonly wholeTokens: number;
  /** What it had to fit: the budget that was given, else the window of the target's model. */
  readonly budgetTokens: number;
  /** How much of it is the summary of what did not fit; absent where all of it fits. */
  readonly summaryTokens?: number;
}

/** What is wanted of a person who types. */
export interface PromptWanted {
  /** Earlier prompts, oldest first. */
  readonly history: readonly string[];
  /** A text to begin with. */
  readonly initial?: string | undefined;
}

/** Where prompts and decisions come from. */
export interface ChatInput {
  /** The next prompt; undefined when there will be none. */
  next(wanted: PromptWanted): Promise<string | undefined>;
  /** One of some keys, as a person presses it; absent where nobody sits. Undefined once the signal fires. */
  readonly choose?: (
    keys: readonly string[],
    options: { readonly signal: AbortSignal },
  ) => Promise<string | undefined>;
  /** Calls back when Ctrl-C is pressed while the answer comes in, until the function returned is called. */
  onInterrupt(callback: () => void): () => void;
  close(): void;
}

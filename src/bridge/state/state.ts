import type { BridgeTask } from "../../model/bridge-event.ts";

/** How much of the context is left, in words. */
export type Bracket = "FRESH" | "MODERATE" | "DEPLETED" | "CRITICAL";

/** How full the context is, and how that is known. */
export interface ContextSize {
  readonly tokens: number;
  readonly windowTokens: number;
  /** Nobody states the window: a usual one is assumed. */
  readonly windowAssumed?: true;
  readonly from: "transcript" | "payload" | "estimate";
  readonly model?: string;
}

/** Something that was given to the model. */
export interface Injected {
  readonly hash: string;
  readonly kind: string;
  readonly tokens: number;
  readonly at: string;
}

/** What is known of one session: folded from the lines of its log, nothing else. */
export interface State {
  readonly schema: 1;
  readonly agent: string;
  readonly session: string;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly cwd?: string;
  readonly transcript?: string;
  readonly promptCount: number;
  /** Finished calls by the tool's name; those of subagents are counted apart. */
  readonly tools: Readonly<Record<string, number>>;
  readonly subagentTools: number;
  readonly failedTools: number;
  /** Touched last first. */
  readonly files: readonly string[];
  /** The newest last. */
  readonly commands: readonly string[];
  readonly tasks: readonly BridgeTask[];
  /** The named agents in the order they acted, the current one last. */
  readonly agents: readonly string[];
  readonly compactions: number;
  /** Prompts that a compaction or a clear took out of the context. */
  readonly promptsBefore?: number;
  /** The compaction that was found last in a transcript, and how far was looked; where nobody announces it. */
  readonly compaction?: string;
  readonly transcriptBytes?: number;
  readonly bracket: Bracket;
  readonly context: ContextSize;
  /** What this context was given; a compaction or a clear begins a new one. */
  readonly injected: readonly Injected[];
  /** Why the session ended; absent while it goes on. */
  readonly ended?: string;
  /** The transcript that `drain` compared the state with last: its size, or its time where it has none. */
  readonly reconciledMark?: number;
}

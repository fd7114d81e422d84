/** What happened in an agent, in one vocabulary for all of them. */
export type BridgeEventKind =
  | "session_start"
  | "prompt"
  | "tool_before"
  | "tool_after"
  | "tool_failed"
  | "pre_compact"
  | "post_compact"
  | "subagent_start"
  | "subagent_stop"
  | "stop"
  | "session_end"
  | "agent"
  | "task"
  | "other";

/** A task of the agent's own list, or one named on the command line. */
export interface BridgeTask {
  readonly name: string;
  readonly status: "open" | "active" | "done";
}

/** How full the context is, as the agent's own numbers say. */
export interface ContextUsage {
  /** Input, cache read, cache write and output of the newest model message. */
  readonly contextTokens: number;
  readonly model?: string;
  /** The model's window, where the agent states it. */
  readonly windowTokens?: number;
}

/** One event of an agent's hook, checked and bounded; the bridge keeps names and sizes of it, no text. */
export interface BridgeEvent {
  readonly kind: BridgeEventKind;
  readonly agent: string;
  /** The agent's own id of the session; may hold anything. */
  readonly session: string;
  /** The event's name in the agent. */
  readonly name: string;
  readonly cwd?: string;
  /** The transcript the agent writes, where it says so. */
  readonly transcript?: string;
  /** Of a session's start: `startup`, `resume`, `clear` or `compact`. */
  readonly source?: string;
  /** Of a prompt: what was said. Never written to the bridge's log. */
  readonly prompt?: string;
  readonly tool?: string;
  readonly call?: string;
  /** The files a tool was about, as the agent wrote their paths. */
  readonly files?: readonly string[];
  readonly command?: string;
  readonly tasks?: readonly BridgeTask[];
  /** The subagent that acts, or that starts or stops. */
  readonly subagent?: { readonly id: string; readonly type?: string };
  /** The named agent that takes over; of `agent` events. */
  readonly agentName?: string;
  readonly model?: string;
  /** Token counts that the payload itself carries. */
  readonly usage?: ContextUsage;
  /** Of a compaction: `auto` or `manual`; of a session's end: its reason. */
  readonly reason?: string;
  /** Found in the transcript at this event: a compaction that the agent did not announce. */
  readonly compaction?: string;
  /** How far the transcript was looked through for one. */
  readonly transcriptBytes?: number;
  /** A stop that a hook already held back once. */
  readonly again?: boolean;
  /** What the agent said last; of `stop` events. Never written to the bridge's log. */
  readonly answer?: string;
}

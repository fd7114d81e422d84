import type { Content } from "../model/block.ts";
import type { Usage } from "../model/usage.ts";
import type { OpenCall } from "./open-calls.ts";

/** How a turn ended: the model had nothing more to do, somebody stopped it, it failed, or it took too many steps. */
export type TurnReason = "done" | "aborted" | "failed" | "steps";

/** What a turn came to. */
export interface TurnEnd {
  readonly reason: TurnReason;
  /** What the model said last. */
  readonly text: string;
  /** Tokens of all its messages. */
  readonly usage: Usage;
  /** How often the model was asked. */
  readonly steps: number;
}

/** What happens in a session while a turn runs. Everything told is in the log, or will be within 250 ms. */
export type LoopEvent =
  | { readonly type: "turn_start" }
  /** Calls that an earlier process left without a result were answered with an error. */
  | { readonly type: "resumed"; readonly openCalls: readonly OpenCall[] }
  | {
      readonly type: "message_update";
      readonly assistantMessageEvent: {
        readonly type: "text_delta" | "thinking_delta";
        readonly delta: string;
      };
    }
  | {
      readonly type: "message_end";
      readonly stopReason?: string | undefined;
      /** Set where the answer was stopped or cut off: what was said of it stays. */
      readonly unfinished?: boolean | undefined;
    }
  | {
      readonly type: "tool_start";
      readonly call: string;
      readonly name: string;
      readonly input: unknown;
    }
  | {
      readonly type: "tool_end";
      readonly call: string;
      readonly name: string;
      readonly content: Content;
      readonly isError: boolean;
    }
  /** Tokens of one message, and how large the context was with it. */
  | { readonly type: "usage"; readonly usage: Usage; readonly contextTokens: number }
  /** Room was made; `session` is where it goes on, another one after a rotation. */
  | { readonly type: "compacted"; readonly session: string; readonly strategy: string }
  | ({ readonly type: "turn_end"; readonly error?: unknown } & TurnEnd);

import type { ContextMessage } from "../context/messages.ts";
import type { Usage } from "../model/usage.ts";
import type { ProviderTool } from "../providers/request.ts";

/** What a model is asked: the conversation with its instructions first, and the tools it may call. */
export interface ModelRequest {
  readonly messages: readonly ContextMessage[];
  readonly tools: readonly ProviderTool[];
  /** How long the answer may be; as the model has it unless given. */
  readonly maxTokens?: number | undefined;
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** A piece of an answer. Calls come whole; `end` comes last, and an answer without it was cut off. */
export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "thinking";
      readonly text: string;
      readonly signature?: string | undefined;
      readonly redacted?: boolean | undefined;
    }
  | {
      readonly type: "call";
      /** Empty where the API gives none: the loop makes one up. */
      readonly call: string;
      readonly name: string;
      readonly input: unknown;
    }
  | {
      readonly type: "end";
      readonly stopReason?: string | undefined;
      readonly usage?: Usage | undefined;
    };

/** A model as the loop asks it. Anything that answers in pieces can be one. */
export interface Model {
  /** As the log and the APIs name it: thinking goes back only to the model that thought it. */
  readonly id: string;
  /** How much it can hold; room is made before that is full. */
  readonly windowTokens?: number | undefined;
  /** Answers piece by piece; throws what went wrong, and stops when the signal fires. */
  stream(request: ModelRequest): AsyncIterable<ModelPart>;
}

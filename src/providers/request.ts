import type { Context } from "../context/build.ts";

/*
 * Bodies are made to be handed on: to an SDK, whose types want lists that can be changed, or to `JSON.stringify`.
 * So they are the one kind of data here that is not readonly; nothing is shared with the context they are made from.
 */

/** A tool that the model may call; `parameters` is a JSON schema of its input. */
export interface ProviderTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What a request needs besides the conversation. */
export interface RequestOptions {
  /** The model that is asked. Thinking is sent back only to the model that thought it. */
  readonly model: string;
  readonly tools?: readonly ProviderTool[];
  /** How long the answer may be. */
  readonly maxTokens?: number;
}

/** What a request is made from: a whole context, or its messages alone. */
export type Conversation = Pick<Context, "messages">;

/** A schema as a fresh object. */
export function schemaOf(tool: ProviderTool): Record<string, unknown> {
  return { ...tool.parameters };
}

/** Stands first if a conversation does not begin with a person, and an API wants that. */
export const opening = "(The conversation began before this point.)";

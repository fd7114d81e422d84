import type { JsonObject } from "../base/json.ts";
import type { Content } from "../model/block.ts";
import type { ProviderTool } from "../providers/request.ts";

/** What a tool may know of the call it answers. */
export interface ToolRun {
  readonly call: string;
  /** Fires when the call was stopped or took too long: what the tool says after that is not heard. */
  readonly signal: AbortSignal;
}

/** What a tool answers when a text is not enough. */
export interface ToolAnswer {
  readonly content: Content;
  readonly isError?: boolean | undefined;
  /** Facts for people and programs; the model does not see them. */
  readonly details?: unknown;
}

/** A tool as a plain object. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** A JSON schema of its input, an object. */
  readonly parameters: JsonObject;
  /**
   * Whether somebody must agree before it runs. `true`: it never runs where nobody can be asked; `false`: nobody is asked;
   * absent: asked where the session has an `approve`.
   */
  readonly asks?: boolean | undefined;
  /** How long it may take; 10 minutes unless given. */
  readonly timeoutMs?: number | undefined;
  /** Does what the model asks for. What it throws becomes an error for the model. */
  run(input: JsonObject, about: ToolRun): string | ToolAnswer | Promise<string | ToolAnswer>;
}

/** A tool as a model API is given it. */
export function definitionOf({ name, description, parameters }: AgentTool): ProviderTool {
  return { name, description, parameters };
}

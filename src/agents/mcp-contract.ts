import type { Environment } from "../base/env.ts";
import type { JsonObject } from "../base/json.ts";
import type { HookScope } from "./hooks-contract.ts";

/** What an agent starts as our MCP server. */
export interface McpProgram {
  readonly command: string;
  readonly args: readonly string[];
}

/** What every form of settings has in common. */
interface McpPlace {
  /** The file that names the agent's servers; undefined if the agent has none in this scope. */
  file(scope: HookScope, env: Environment): string | undefined;
  /** What the agent puts in place of these characters: the folder it works in, if it starts servers elsewhere. */
  readonly folder?: string;
  /** What the user must still do after an installation, beyond a restart. */
  readonly remark?: string;
}

/** Servers in a JSON file with comments: an object with a member for each server. */
export interface JsonServers extends McpPlace {
  readonly form: "json";
  /** The key of that object. */
  readonly servers: string;
  entry(program: McpProgram): JsonObject;
}

/** Servers in a text of another form, which the agent's folder knows how to edit. */
export interface TextServers extends McpPlace {
  readonly form: "text";
  /** The settings with a server of this name; throws `bad_input` for a form that cannot be edited. */
  with(text: string, name: string, program: McpProgram): string;
  without(text: string, name: string): string;
  /** The words that start the server of this name; undefined if there is none. */
  argvIn(text: string, name: string): readonly string[] | undefined;
}

/** Where and how an agent is reported MCP servers. */
export type AgentMcp = JsonServers | TextServers;

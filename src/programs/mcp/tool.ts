import type { z } from "zod";
import type { Environment } from "../../base/env.ts";
import type { Reply } from "./answer.ts";

/** What a call may know of the outside. */
export interface McpCall {
  /** `cwd` is the folder of the project. */
  readonly env: Environment;
  /** Who asks, as memories name their owners. */
  readonly owner: string;
  /** Whether changes are made; if not, memories wait in the inbox. */
  readonly write: boolean;
  readonly nowMs: number;
  /** When the client started the server: what its own agent wrote since then is the conversation that asks. */
  readonly startedMs: number;
}

/** A tool as data and a function. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** `nothing`: it only reads; `adds`: what it adds takes nothing away; `removes`: it cannot be taken back. */
  readonly changes: "nothing" | "adds" | "removes";
  run(input: never, call: McpCall): Promise<Reply>;
}

/** A tool whose function gets what its schema has checked. */
export function tool<Input extends z.ZodObject>(
  given: Omit<Tool, "input" | "run"> & {
    readonly input: Input;
    run(input: z.infer<Input>, call: McpCall): Promise<Reply>;
  },
): Tool {
  return given;
}

/** The answer of a tool that would change something where nothing may be changed. */
export function needsWriting(what: string): Reply {
  return {
    head: [
      `${what} needs a server that may write; nothing was changed.`,
      "The user can allow it: `reprise mcp install <agent> --write --yes`, then start the agent again.",
    ],
    isError: true,
  };
}

import type { Environment } from "../base/env.ts";
import type { JsonObject } from "../base/json.ts";
import type { BridgeEvent, BridgeEventKind, ContextUsage } from "../model/bridge-event.ts";

/** Whose settings take a hook: the user's, or one project's. */
export type HookScope = "user" | "project";

/** One entry of an agent's settings. */
export interface HookEntry {
  /** The event's name in the agent. */
  readonly event: string;
  /** Which tools it is for, where the agent asks. */
  readonly matcher?: string;
  /** In the unit the agent's settings use. */
  readonly timeout: number;
}

/** Where and how an agent is told to call us. */
export interface HookRecipe {
  /** `json-hooks`: `hooks.<Event>[].hooks[]` in a JSON file with comments; `plugin`: a file of its own. */
  readonly form: "json-hooks" | "plugin";
  /** The file that is edited or added. */
  file(scope: HookScope, env: Environment): string;
  readonly entries: readonly HookEntry[];
  /** What the user must still do after an installation, beyond a restart. */
  readonly trust?: string;
}

/** How one agent's hooks speak: pure, but for the tail of a transcript. */
export interface AgentHooks {
  readonly agent: string;
  readonly recipe: HookRecipe;
  /** The kinds of event whose output reaches the model exactly once. */
  readonly injects: readonly BridgeEventKind[];
  /** The event a payload tells of; undefined where it names no session. */
  toEvent(payload: JsonObject): BridgeEvent | undefined;
  /** What is printed so that the model gets the text; empty where the agent takes none at this event. */
  toOutput(text: string, event: BridgeEvent): string;
  /** The newest usage in the transcript's tail, read backwards and bounded; undefined where there is none. */
  usageFromTail(transcript: string): ContextUsage | undefined;
  /**
   * Of an agent that announces no finished compaction: what tells the newest one from those before, looked for
   * from `fromByte` on, and how far was looked. Undefined where there is no transcript.
   */
  compactionIn?(
    transcript: string,
    fromByte: number,
  ): { readonly compaction?: string; readonly bytes: number } | undefined;
}

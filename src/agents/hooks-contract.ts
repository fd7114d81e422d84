import type { Environment } from "../base/env.ts";
import type { JsonObject } from "../base/json.ts";
import type { BridgeEvent, BridgeEventKind, ContextUsage } from "../model/bridge-event.ts";
import type { Said } from "../model/said.ts";

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

/** What every way to be called has in common. */
interface HookPlace {
  /** The file that is edited or added. */
  file(scope: HookScope, env: Environment): string;
}

/** Hooks in a JSON file with comments: `hooks.<Event>[].hooks[]`. */
interface JsonHooks extends HookPlace {
  readonly form: "json-hooks";
  readonly entries: readonly HookEntry[];
}

/** A plugin: a file of its own. */
interface HookPlugin extends HookPlace {
  readonly form: "plugin";
  /** The plugin that starts these words at each event. */
  text(argv: readonly string[]): string;
}

/** Where and how an agent is reported to call us. */
export type HookRecipe = JsonHooks | HookPlugin;

/** A second file of an agent's settings, which names one program to be reported things. */
export interface HookNotice {
  /** Undefined where a scope has no such file. */
  file(scope: HookScope, env: Environment): string | undefined;
  /** The settings with us as that program; another one's stays. */
  with(text: string, argv: readonly string[]): string;
  without(text: string): string;
  namesUs(text: string): boolean;
  /** What to tell the user where another program is named. */
  takenRemark(text: string): string | undefined;
}

/** Commands that people type inside an agent, as files. */
export interface SlashCommands {
  /** How its users type one. */
  typed(name: string): string;
  folder(scope: HookScope, env: Environment): string;
  readonly ending: "md" | "toml";
  /** What stands in a page for the words typed behind the command. */
  readonly given: string;
}

/** What is put into an agent's folders so that it calls us, and so that its users can. */
export interface AgentInstall {
  readonly recipe: HookRecipe;
  readonly notice?: HookNotice;
  /** What the user must still do after an installation, beyond a restart. */
  readonly trust?: string;
  /** What is still to be done about hooks that are installed: so many, in this file. */
  remark?(file: string, count: number, env: Environment): string | undefined;
  readonly slash?: SlashCommands;
}

/** How one agent's hooks speak: pure, but for the tail of a transcript. */
export interface AgentHooks {
  readonly agent: string;
  /** The kinds of event whose output reaches the model exactly once. */
  readonly injects: readonly BridgeEventKind[];
  /** The event a payload reports; undefined if it names no session. */
  toEvent(payload: JsonObject): BridgeEvent | undefined;
  /** What is printed so that the model gets the text; empty where the agent takes none at this event. */
  toOutput(text: string, event: BridgeEvent): string;
  /** The newest usage in the transcript's tail, read backwards and bounded; undefined if there is none. */
  usageFromTail(transcript: string): ContextUsage | undefined;
  /**
   * Of an agent that announces no finished compaction: what says the newest one from those before, looked for
   * from `fromByte` on, and how far was looked. Undefined where there is no transcript.
   */
  compactionIn?(
    transcript: string,
    fromByte: number,
  ): { readonly compaction?: string; readonly bytes: number } | undefined;
  /**
   * What a line of the transcript says, where it is plainly a message; the whole truth is the reader's business,
   * which a hook has no time for. Absent where a transcript is not a file of lines.
   */
  said?(line: string): Said | undefined;
  /** A file, and the line to add to it, by which programs of a session learn which one they run in. */
  sessionNote?(
    event: BridgeEvent,
    variables: Environment["variables"],
  ): { readonly file: string; readonly line: string } | undefined;
  /** How it is installed; loaded apart, because a hook that runs does not need it. */
  install(): Promise<AgentInstall>;
}

import type { JsonObject } from "../base/json.ts";
import type { Content } from "./block.ts";
import type { CustomData } from "./custom-data.ts";
import type { Usage } from "./usage.ts";

/** An event's number: the line in a root session, going on across forks. */
export type EventId = number;

/** Git's state when something was recorded. */
export interface GitState {
  readonly branch?: string;
  readonly commit?: string;
  readonly remote?: string;
  readonly dirty?: boolean;
}

/** What makes a project the same one after it was moved or cloned. */
export interface ProjectIdentity {
  readonly name: string;
  readonly path: string;
  readonly remote?: string;
  readonly rootCommit?: string;
}

/** Which program wrote. */
export interface AgentStamp {
  readonly name: string;
  readonly version?: string;
}

/** Where a fork leaves its base: everything up to `event` is read there. */
export interface ForkBase {
  readonly session: string;
  readonly event: EventId;
  readonly endOffset: number;
  readonly sum: string;
}

/** How a sealed session's key is derived and recognised. */
export interface SealHeader {
  /** How lines are sealed; absent in sessions of the first version. */
  readonly version?: number;
  readonly kdf: "scrypt" | "raw";
  readonly salt: string;
  readonly check: string;
}

/** What any event may have besides the fields of its type. */
export interface Extensible {
  /** The caller's own facts about the event: kept, given back, never sent to a model. */
  readonly extra?: JsonObject;
}

/** The first event: where, when and by what the session was begun. */
export interface SessionStart extends Extensible {
  readonly type: "session_start";
  readonly format: number;
  readonly session: string;
  /** What the caller knows the session by, where its id was made of that. */
  readonly key?: string;
  readonly cwd?: string;
  readonly project?: ProjectIdentity;
  readonly git?: GitState;
  readonly agent?: AgentStamp;
  readonly model?: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly createdBy?: string;
  readonly base?: ForkBase;
  readonly seal?: SealHeader;
  /** The session this one comes after: from a summary after a rotation, from nothing after it was cleared. */
  readonly continues?: { readonly session: string; readonly event: EventId };
  /** A list shows it only if it is asked for. */
  readonly aside?: boolean;
  /** The foreign session this one was made from. */
  readonly importedFrom?: { readonly agent: string; readonly session: string };
  readonly metadata?: JsonObject;
}

/** Instructions for the model. */
export interface SystemEvent extends Extensible {
  readonly type: "system";
  readonly content: Content;
}

/** What a person (or a program in their place) said. */
export interface UserEvent extends Extensible {
  readonly type: "user";
  readonly content: Content;
  readonly author?: string;
  /** Set where the text was put in by a program, not typed by a person. */
  readonly injected?: boolean;
  /** Set where a person ran a command in the agent's own shell: the text is the command, what it printed, or both. */
  readonly ran?: boolean;
}

/** Fields shared by the events that one model message was split into. */
export interface OfMessage extends Extensible {
  /** Equal for all events of one model message. */
  readonly message?: string;
  readonly model?: string;
}

/** What can be written part by part while a model says it. */
export interface Streamed extends OfMessage {
  /** The stream whose parts before it this event stands for. */
  readonly stream?: string;
  /** Only the beginning: the one who wrote it was stopped, or is still at it. */
  readonly unfinished?: boolean;
}

/** What the model said. */
export interface AssistantEvent extends Streamed {
  readonly type: "assistant";
  readonly content: Content;
  readonly usage?: Usage;
  readonly stopReason?: string;
  /** The turn is over: nothing of it is open. */
  readonly endTurn?: boolean;
  /** Not from a model: an error or filler the agent wrote in its place. */
  readonly synthetic?: boolean;
}

/** What the model thought before it spoke. */
export interface ThinkingEvent extends Streamed {
  readonly type: "thinking";
  readonly content: string;
  /** The provider's proof that the thinking is its own; valid for the same model only. */
  readonly signature?: string;
  /** The provider kept the text for itself; `signature` is all there is. */
  readonly redacted?: boolean;
  readonly usage?: Usage;
}

/** A piece of what a model is saying; the whole event that follows stands for all pieces of its stream. */
export interface PartEvent extends OfMessage {
  readonly type: "part";
  readonly stream: string;
  /** The type of the event that it is a piece of. */
  readonly of: "assistant" | "thinking";
  readonly text: string;
}

/** The model calls a tool. */
export interface ToolUseEvent extends OfMessage {
  readonly type: "tool_use";
  readonly call: string;
  readonly name: string;
  readonly input: unknown;
  readonly usage?: Usage;
}

/** What a tool answered. */
export interface ToolResultEvent extends Extensible {
  readonly type: "tool_result";
  readonly call: string;
  readonly name?: string;
  readonly content: Content;
  readonly isError?: boolean;
  /** Structured extra data the model does not see: exit codes, diffs, spill files. */
  readonly details?: unknown;
}

/** A summary that stands for what came before. */
export interface CompactionEvent extends Extensible {
  readonly type: "compaction";
  readonly summary: string;
  /** The first event that stays in the context besides the summary. */
  readonly keepFrom?: EventId;
  readonly tokensBefore?: number;
  readonly strategy?: string;
  readonly trigger?: string;
}

/** Going back: the next event follows `to`, and what came after stays in the log. */
export interface RewindEvent extends Extensible {
  readonly type: "rewind";
  readonly to: EventId;
  readonly from: EventId;
  readonly reason?: string;
}

/** A place one can come back to. */
export interface CheckpointEvent extends Extensible {
  readonly type: "checkpoint";
  readonly label?: string;
  readonly snapshot?: string;
  readonly data?: unknown;
}

/** Files were put back as they were at a checkpoint. */
export interface RestoreEvent extends Extensible {
  readonly type: "restore";
  readonly checkpoint: EventId;
  readonly data?: unknown;
}

/** Changes to what is known about the session; an absent field is unchanged, null clears it. */
export interface MetaEvent extends Extensible {
  readonly type: "meta";
  readonly title?: string | null;
  readonly tags?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly pinned?: boolean;
  readonly model?: string;
  readonly cwd?: string;
  readonly git?: GitState;
  readonly data?: JsonObject;
  /** Of the caller's own facts those that change; null takes one away. */
  readonly metadata?: JsonObject;
  /** A repetition for readers of the tail; it says nothing new. */
  readonly repeated?: boolean;
}

/** What the agent means to do. */
export interface PlanEvent extends Extensible {
  readonly type: "plan";
  readonly content: Content;
  readonly status?: string;
}

/** History of a permission; never granted again by resume, fork or convert. */
export interface ApprovalEvent extends Extensible {
  readonly type: "approval";
  readonly call?: string;
  readonly decision: string;
  readonly scope?: string;
  readonly reason?: string;
}

/** Context a hook put in front of the model. */
export interface HookEvent extends Extensible {
  readonly type: "hook";
  readonly event: string;
  readonly content?: Content;
  readonly data?: unknown;
}

/** An agent took over, changed its state or handed on. */
export interface AgentEventBody extends Extensible {
  readonly type: "agent";
  readonly name: string;
  readonly status?: string;
  readonly capabilities?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly content?: Content;
}

/** A task of the agent and how far it is. */
export interface TaskEvent extends Extensible {
  readonly type: "task";
  readonly task: string;
  readonly title?: string;
  readonly status?: string;
  readonly progress?: number;
  readonly dependsOn?: readonly string[];
  readonly data?: unknown;
}

/** A child session was started or came back. */
export interface SubagentEvent extends Extensible {
  readonly type: "subagent";
  readonly session: string;
  readonly name?: string;
  readonly call?: string;
  readonly status?: string;
  readonly summary?: string;
}

/** A background process an agent started. */
export interface ProcessEvent extends Extensible {
  readonly type: "process";
  readonly process: string;
  readonly command?: string;
  readonly status?: string;
  readonly exitCode?: number;
  readonly data?: unknown;
}

/** A file an agent read, modified or created. */
export interface FileEvent extends Extensible {
  readonly type: "file";
  readonly path: string;
  readonly action: "read" | "modified" | "created" | "deleted";
  readonly data?: unknown;
}

/** A remark for people; never sent to a model. */
export interface NoteEvent extends Extensible {
  readonly type: "note";
  readonly content: Content;
}

/** Says what mending set aside; see docs/format.md. */
export interface RecoveredEvent extends Extensible {
  readonly type: "recovered";
  readonly quarantine: string;
  readonly bytes: number;
  readonly damaged: number;
  readonly recovered: number;
}

/** Anything else, kept for the one who wrote it. */
export interface CustomEvent<Name extends string = string> extends Extensible {
  readonly type: "custom";
  readonly name: Name;
  readonly data?: CustomData<Name>;
}

/** The session is over. */
export interface SessionEnd extends Extensible {
  readonly type: "session_end";
  readonly summary?: string;
  readonly reason?: string;
  readonly rotatedTo?: string;
}

/** What happened, without its place in a log. */
export type EventBody =
  | SessionStart
  | SystemEvent
  | UserEvent
  | AssistantEvent
  | ThinkingEvent
  | PartEvent
  | ToolUseEvent
  | ToolResultEvent
  | CompactionEvent
  | RewindEvent
  | CheckpointEvent
  | RestoreEvent
  | MetaEvent
  | PlanEvent
  | ApprovalEvent
  | HookEvent
  | AgentEventBody
  | TaskEvent
  | SubagentEvent
  | ProcessEvent
  | FileEvent
  | NoteEvent
  | RecoveredEvent
  | CustomEvent
  | SessionEnd;

/** The types of events; a reader meets no other. */
export type EventType = EventBody["type"];

/** An event's place in its log. */
export interface EventFrame {
  readonly id: EventId;
  readonly parent?: EventId;
  readonly at: string;
  /** The number this event had before mending moved it. */
  readonly recoveredFrom?: EventId;
  /** Where the newest meta line begins, as every later line repeats it; for readers of the tail. */
  readonly metaAt?: number;
  /** How many strings of this event lie in the blob store. */
  readonly blobs?: number;
  /** The chained sum of the line; absent in memory. */
  readonly sum?: string;
}

/** An event as the log holds it. */
export type SessionEvent = EventFrame & EventBody;
